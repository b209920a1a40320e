package command

import (
	"context"
	"errors"
	"log/slog"
	"slices"

	"github.com/crosswalk-dev/crosswalk/internal/cluster/lookup"
	"github.com/crosswalk-dev/crosswalk/internal/config"
	"github.com/crosswalk-dev/crosswalk/validation/policy"
	"github.com/crosswalk-dev/crosswalk/webhook"
)

// loadFiles loads the tables and policies of the configuration. The returned function keeps
// what policies look up up to date.
func (o *serveOptions) loadFiles(tables *webhook.Tables, metrics *webhook.Metrics, readiness *webhook.Readiness, log *slog.Logger) (func(context.Context) error, reviewers, error) {
	c, err := config.Load(o.config)
	if err != nil {
		return nil, reviewers{}, &usageError{err}
	}
	if len(c.Policies) == 0 {
		if err := c.NeedTables(); err != nil {
			return nil, reviewers{}, &usageError{err}
		}
		if o.cluster.kubeconfig != "" && o.aggregatedListen == "" {
			return nil, reviewers{}, usagef("--kubeconfig is not needed: tables come from --config, and no policy in it looks anything up")
		}
	}
	converters, tablesErr := c.Compile(o.cluster.program.compiling(), o.objects.compiling())
	policies, policiesErr := c.CompilePolicies()
	if err := errors.Join(tablesErr, policiesErr); err != nil {
		return nil, reviewers{}, &usageError{err}
	}
	current := make([]webhook.Converter, len(converters))
	for i, converter := range converters {
		current[i] = converter
		log.Info("loaded a table", "crd", converter.Name(), "fingerprint", converter.Fingerprint(), "versions", converter.Versions())
	}
	if err := tables.Replace(current); err != nil {
		return nil, reviewers{}, err
	}
	readiness.Add("tables", tables.Check)
	inForce := slices.Concat(policies.Validations, policies.Mutations)
	for _, p := range inForce {
		log.Info("loaded a policy", "kind", p.Kind(), "policy", p.Name(), "fingerprint", p.Fingerprint())
	}
	seen, keep, err := o.around(c, inForce, metrics, readiness, log)
	if err != nil {
		return nil, reviewers{}, err
	}
	seen.Tables = tables
	sets := newPolicySets(seen, metrics)
	return keep, sets.reviewers(), sets.replace(inForce)
}

// around returns what policies from files see beyond the request: the cluster of --kubeconfig
// or the one in which this process runs, if there is one, and otherwise only the schemas in the
// files.
func (o *serveOptions) around(c *config.Config, inForce []*policy.Policy, metrics *webhook.Metrics, readiness *webhook.Readiness, log *slog.Logger) (policy.Cluster, func(context.Context) error, error) {
	nothing := func(context.Context) error { return nil }
	if len(inForce) == 0 {
		return policy.Cluster{}, nothing, nil
	}
	connection, err := o.cluster.connect("serve")
	if err != nil && o.cluster.kubeconfig != "" {
		return policy.Cluster{}, nil, err
	}
	if err != nil {
		log.Info("policies cannot look anything up", "reason", err)
		types, err := policy.TypesOf(c.CRDs...)
		return policy.Cluster{Types: types, Definitions: types}, nothing, err
	}
	adoptLogs(log)
	lookups, err := lookup.New(connection, observeReads(metrics), log)
	if err != nil {
		return policy.Cluster{}, nil, err
	}
	lookups.Keep(inForce...)
	readiness.Add("lookups", func() error {
		if slices.ContainsFunc(inForce, func(p *policy.Policy) bool { return !lookups.Settled(p) }) {
			return errors.New("the objects that policies look up are not loaded yet")
		}
		return nil
	})
	return lookups.In(policy.Cluster{}), lookups.Run, nil
}
