package audit

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/internal/bulk"
	"github.com/crosswalk-dev/crosswalk/internal/cluster"
	"github.com/crosswalk-dev/crosswalk/internal/cluster/lookup"
	"github.com/crosswalk-dev/crosswalk/validation"
	"github.com/crosswalk-dev/crosswalk/validation/policy"
	"github.com/crosswalk-dev/crosswalk/webhook"
)

// world is what objects are audited with: the tables and policies of the cluster, and what
// policies look up.
type world struct {
	// tables are those that compile, by the name of the CRD, and broken is what is wrong with the
	// others.
	tables   map[string]*cluster.Table
	broken   map[string]string
	policies []compiled
	strict   validation.Reviewer
	sees     policy.Cluster
	lookups  *lookup.Lookups
	close    func()
}

// compiled is a policy, and what it is about.
type compiled struct {
	*policy.Policy
	scope *v1alpha1.PolicyScope
	// problem is why it does not compile, or empty.
	problem string
}

// concerns reports whether a policy or a table may be about resources of a group.
func (w *world) concerns(group string) bool {
	for _, t := range w.tables {
		if t.CRD.Spec.Group == group {
			return true
		}
	}
	return slices.ContainsFunc(w.policies, func(p compiled) bool {
		return p.scope.MatchConstraints != nil && slices.ContainsFunc(p.scope.MatchConstraints.ResourceRules, func(rule admissionregistrationv1.NamedRuleWithOperations) bool {
			return anyOf(rule.APIGroups, group)
		})
	})
}

// observe reads the tables and policies of the cluster, and begins to read what policies look
// up. The world must be closed.
func (a *auditor) observe(ctx context.Context) (*world, error) {
	config := rest.CopyConfig(a.Config)
	config.QPS = -1
	scheme, err := cluster.Scheme()
	if err != nil {
		return nil, err
	}
	reader, err := client.New(config, client.Options{Scheme: scheme, Mapper: cluster.Mapper()})
	if err != nil {
		return nil, err
	}
	w := &world{tables: map[string]*cluster.Table{}, broken: map[string]string{}}
	switch err := a.readTables(ctx, reader, w); {
	case apierrors.IsNotFound(err):
		return nil, errors.New("the API server does not know Crosswalks: is Crosswalk installed in this cluster?")
	case err != nil:
		return nil, fmt.Errorf("reading the Crosswalks: %w", err)
	}
	if err := a.readPolicies(ctx, reader, w); err != nil {
		return nil, fmt.Errorf("reading the ValidationPolicies: %w", err)
	}
	tables := webhook.NewTables(nil)
	var converters []webhook.Converter
	for _, t := range w.tables {
		converters = append(converters, t.Converter)
	}
	if err := tables.Replace(converters); err != nil {
		return nil, err
	}
	w.strict = webhook.StrictWrites(tables)
	if w.lookups, err = lookup.New(config, nil, a.Logger); err != nil {
		return nil, err
	}
	w.sees = w.lookups.In(policy.Cluster{Tables: tables})
	running, stop := context.WithCancel(ctx)
	var done sync.WaitGroup
	done.Go(func() { _ = w.lookups.Run(running) }) // it never fails
	w.close = func() { stop(); done.Wait() }
	return w, nil
}

func (a *auditor) readTables(ctx context.Context, reader client.Client, w *world) error {
	list := new(v1alpha1.CrosswalkList)
	if err := bulk.Few().Persist(ctx, func() error { return reader.List(ctx, list) }); err != nil {
		return err
	}
	compiler := cluster.Compiler{Options: a.Compiling}
	for i := range list.Items {
		name := list.Items[i].Name
		if name == cluster.CanaryCRD {
			continue // Crosswalk's own, for its checks
		}
		var t *cluster.Table
		err := bulk.Few().Persist(ctx, func() (err error) { t, err = compiler.Read(ctx, reader, name); return err })
		switch {
		case err != nil:
			return err
		case t == nil: // it was deleted just now
		case t.Problem != nil:
			w.broken[name] = t.Problem.Message
		default:
			w.tables[name] = t
		}
	}
	return nil
}

func (a *auditor) readPolicies(ctx context.Context, reader client.Client, w *world) error {
	list := new(v1alpha1.ValidationPolicyList)
	if err := bulk.Few().Persist(ctx, func() error { return reader.List(ctx, list) }); err != nil {
		return err
	}
	for i := range list.Items {
		object := &list.Items[i]
		p, problems := policy.Compile(object)
		problem := ""
		if err := problems.Err(); err != nil {
			problem = err.Error()
		}
		w.policies = append(w.policies, compiled{p, &object.Spec.PolicyScope, problem})
	}
	return nil
}

// settle keeps the policies that tasks need, waits until everything that they look up has been
// read, and drops those for which that is not possible.
func (a *auditor) settle(ctx context.Context, tasks []*task) error {
	var all []*policy.Policy
	for _, t := range tasks {
		for _, p := range t.policies() {
			if !slices.Contains(all, p) {
				all = append(all, p)
			}
		}
	}
	lookups := a.world.lookups
	lookups.Keep(all...)
	set := policy.NewValidationSet(a.world.sees, nil)
	if err := set.Replace(all...); err != nil {
		return err
	}
	drop := func(p *policy.Policy, why string) {
		a.fail(p.Reference(), why)
		for _, t := range tasks {
			t.drop(p)
		}
	}
	for _, p := range all {
		lacking, err := set.Lacks(ctx, p.Name())
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			drop(p, "your rights for it are not known: "+err.Error())
		case needed(lacking) != "":
			drop(p, "RBAC does not allow you to "+needed(lacking))
		}
	}
	unread := func(p *policy.Policy) bool { return !lookups.Settled(p) }
	err := wait.PollUntilContextTimeout(ctx, 20*time.Millisecond, patience, true, func(context.Context) (bool, error) {
		return !slices.ContainsFunc(all, unread), nil
	})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		for _, p := range all {
			if unread(p) {
				drop(p, fmt.Sprintf("the objects that it looks up have not been read within %s", patience))
			}
		}
	}
	return nil
}

// needed returns the rights that an audit lacks for a policy, in words. It does not need those
// for writes that scale an object. lacking is in the form of [validation.Collection].
func needed(lacking []string) string {
	var parts []string
	for _, right := range lacking {
		words := strings.Fields(right)
		if verb, of, purpose := words[0], words[1], words[2]; purpose != policy.ForScaling {
			parts = append(parts, fmt.Sprintf("%s %s, for %s", verb, of, purpose))
		}
	}
	return strings.Join(parts, "; ")
}
