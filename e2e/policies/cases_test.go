package policies

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/check"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/stage"
	"github.com/crosswalk-dev/crosswalk/internal/admit"
)

// example is a folder of examples, with its table in the scene.
type example struct {
	play
	folder  string
	table   harness.Table
	objects harness.Resource // in the version that is stored
}

// readExamples reads the tables of all examples.
func readExamples(t *testing.T, programs harness.Programs) (all []example, tables []harness.Table) {
	t.Helper()
	policies, err := filepath.Glob(filepath.Join(programs.Root, "examples", "*", "policies.yaml"))
	if err != nil || len(policies) < 3 {
		t.Fatalf("%d examples, %v", len(policies), err)
	}
	for _, file := range policies {
		folder := filepath.Dir(file)
		table, err := harness.ReadTable(folder)
		if err != nil {
			t.Fatal(err)
		}
		all, tables = append(all, example{folder: folder, table: table}), append(tables, table)
	}
	return all, tables
}

// testCases installs the policies of every example and writes what its cases say, as
// whom they say. What the API server makes of it, with kubectl's words, must be what
// the case expects, and so what crosswalk admit says.
func (p play) testCases() {
	p.pipe(world, "apply", "-f", "-")
	for i, e := range p.examples {
		spec := e.table.CRD.Spec
		e.play = p
		e.objects = harness.Resource{API: p.v1.API, Group: spec.Group, Version: e.table.Crosswalk.Spec.Hub, Plural: spec.Names.Plural}
		p.examples[i] = e
		p.kubectl("wait", "--for=condition=Guarded", "--timeout=30s", "crosswalk", e.table.CRD.Name)
		p.kubectl("apply", "-f", e.policies())
	}
	p.allReady()
	for _, e := range p.examples {
		p.Run(filepath.Base(e.folder), func(t *testing.T) {
			for _, c := range readCases(t, filepath.Join(e.folder, "cases")) {
				t.Run(c.Name, func(t *testing.T) {
					e.T = t
					e.perform(c)
				})
			}
		})
	}
}

// policies is the file that holds those of the example.
func (e example) policies() string { return filepath.Join(e.folder, "policies.yaml") }

// allReady waits until all policies are.
func (p play) allReady() {
	p.Helper()
	for _, kind := range []string{"validationpolicies", "mutationpolicies"} {
		p.kubectl("wait", "--for=condition=Ready", "--timeout=60s", kind, "--all")
	}
}

func readCases(t *testing.T, folder string) []*admit.Case {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.yaml"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	var all []*admit.Case
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		cases, errs := admit.ReadCases(file, text)
		if len(errs) > 0 {
			t.Fatal(errs)
		}
		all = append(all, cases...)
	}
	return all
}

// world is what cases take for granted: everybody may write, and there are namespaces.
// What Crosswalk may read, the examples say.
const world = `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: everybody}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin}
subjects:
- {apiGroup: rbac.authorization.k8s.io, kind: Group, name: system:authenticated}
---
apiVersion: v1
kind: Namespace
metadata: {name: prod}
---
apiVersion: v1
kind: Namespace
metadata: {name: test}
---
apiVersion: v1
kind: Namespace
metadata: {name: shop}
`

// namespaces are those that cases write to.
var namespaces = []string{"default", "prod", "test", "shop"}

// perform writes what a case says until it is what the case expects: caches are a
// little behind what was written before.
func (e example) perform(c *admit.Case) {
	e.Cleanup(func() { e.clean(c) })
	var last error
	stage.Until(e.T, time.Minute, func(ctx context.Context) error {
		err := e.try(ctx, c)
		if ctx.Err() == nil {
			last = err
		}
		// That there was no time for another try says less than what was wrong.
		return cmp.Or(last, err)
	})
}

func (e example) try(ctx context.Context, c *admit.Case) error {
	e.clean(c)
	if err := e.set(ctx, c); err != nil {
		return err
	}
	result, err := e.write(ctx, c)
	if err != nil {
		return err
	}
	expect := c.Expect
	expect.AuditAnnotations = nil // there is no audit log
	var wrong []error
	for _, d := range expect.Compare(result) {
		wrong = append(wrong, errors.New(d.String()))
	}
	return errors.Join(wrong...)
}

// set puts the old object, as the user of the case, and the others of the case into
// the cluster.
func (e example) set(ctx context.Context, c *admit.Case) error {
	for _, object := range c.Context {
		if _, err := e.scene.ControlPlane.KubectlWith(ctx, string(object), "apply", "-f", "-"); err != nil {
			return err
		}
	}
	if c.OldObject == nil {
		return nil
	}
	err := e.create(ctx, c)
	if err == nil || !strings.Contains(err.Error(), " is invalid: ") {
		return err
	}
	// It was there before the policies.
	e.kubectl("delete", "-f", e.policies())
	stage.Until(e.T, 10*time.Second, func(ctx context.Context) error { return e.create(ctx, c) })
	e.kubectl("apply", "-f", e.policies())
	e.allReady()
	return nil
}

// create creates the old object of a case, with its status.
func (e example) create(ctx context.Context, c *admit.Case) error {
	verbs := [][]string{{"create"}}
	if strings.Contains(string(c.OldObject), `"status":`) {
		verbs = append(verbs, []string{"replace", "--subresource=status"})
	}
	for _, verb := range verbs {
		if _, err := e.scene.ControlPlane.KubectlWith(ctx, string(c.OldObject), append(append(verb, "-f", "-"), as(c)...)...); err != nil {
			return err
		}
	}
	return nil
}

// clean takes away what a case has put there. Namespaces lose their labels only.
func (e example) clean(c *admit.Case) {
	for _, e.objects.Namespace = range namespaces {
		e.undo(http.MethodDelete, e.objects.Path(""), "")
	}
	for _, object := range c.Context {
		switch one := string(object); {
		case strings.Contains(one, `"kind":"Namespace"`):
			for _, namespace := range namespaces {
				e.undo(http.MethodPatch, "/api/v1/namespaces/"+namespace, `{"metadata":{"labels":{"team":null}}}`)
			}
		case strings.Contains(one, `"kind":"Service"`):
			e.undo(http.MethodDelete, "/api/v1/namespaces/prod/services/logs", "")
			e.undo(http.MethodDelete, "/api/v1/namespaces/test/services/logs", "")
		case strings.Contains(one, `"kind":"ConfigMap"`):
			e.undo(http.MethodDelete, "/api/v1/namespaces/default/configmaps/stars", "")
		}
	}
}

// undo is a request about what may not be there.
func (e example) undo(method, path, patch string) {
	// The test's own context may be over.
	_, err := e.objects.API.Do(context.Background(), method, path, harness.MergePatchType, []byte(patch))
	if err != nil && !check.Is(err, http.StatusNotFound) {
		e.Error(err)
	}
}
