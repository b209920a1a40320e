package cases

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/stage"
	"github.com/crosswalk-dev/crosswalk/internal/admit"
)

// TestCases installs the policies of every example and writes what its cases say, as
// whom they say. What the API server makes of it, with kubectl's words, must be what
// the case expects, and so what crosswalk admit says.
func TestCases(t *testing.T) {
	programs := stage.Programs(t)
	folders, err := filepath.Glob(filepath.Join(programs.Root, "examples", "*"))
	if err != nil || len(folders) < 3 {
		t.Fatalf("%d examples, %v", len(folders), err)
	}
	var tables []harness.Table
	for _, folder := range folders {
		table, err := harness.ReadTable(folder)
		if err != nil {
			t.Fatal(err)
		}
		tables = append(tables, table)
	}
	p := play{t, stage.Start(t, programs, tables...)}
	p.prepare(folders, tables)
	for i, folder := range folders {
		t.Run(filepath.Base(folder), func(t *testing.T) {
			for _, c := range read(t, filepath.Join(folder, "cases")) {
				t.Run(c.Name, func(t *testing.T) {
					play{t, p.scene}.play(c, tables[i])
				})
			}
		})
	}
}

func read(t *testing.T, folder string) []*admit.Case {
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

// play is a scene with all examples in it.
type play struct {
	*testing.T
	scene *harness.Scene
}

// world is what cases take for granted: everybody may write, and Crosswalk may read.
const world = `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: everybody}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin}
subjects:
- {apiGroup: rbac.authorization.k8s.io, kind: Group, name: system:authenticated}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: serve-reads}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin}
subjects:
- {kind: ServiceAccount, name: crosswalk-serve, namespace: crosswalk-system}
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

func (p play) prepare(folders []string, tables []harness.Table) {
	p.Helper()
	p.must(world, "apply", "-f", "-")
	for i, folder := range folders {
		p.must("", "wait", "--for=condition=Guarded", "--timeout=30s", "crosswalk", tables[i].CRD.Name)
		p.must("", "apply", "-f", filepath.Join(folder, "policies.yaml"))
	}
	for _, kind := range []string{"validationpolicies", "mutationpolicies"} {
		p.must("", "wait", "--for=condition=Ready", "--timeout=60s", kind, "--all")
	}
}

// play writes what a case says until it is what the case expects: caches are a little
// behind what was written before.
func (p play) play(c *admit.Case, table harness.Table) {
	resource := table.CRD.Name
	p.Cleanup(func() { p.clean(c, resource) })
	var last error
	stage.Until(p.T, 20*time.Second, func(ctx context.Context) error {
		err := p.try(ctx, c, resource)
		if ctx.Err() == nil {
			last = err
		}
		// That there was no time for another try says less than what was wrong.
		return cmp.Or(last, err)
	})
}

func (p play) try(ctx context.Context, c *admit.Case, resource string) error {
	p.clean(c, resource)
	if err := p.set(ctx, c); err != nil {
		if strings.Contains(err.Error(), "name a tag other than latest") {
			p.Skip("the policies do not let in what was there before them")
		}
		return err
	}
	result, err := p.write(ctx, c)
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
func (p play) set(ctx context.Context, c *admit.Case) error {
	for _, object := range c.Context {
		if _, err := p.scene.ControlPlane.KubectlWith(ctx, string(object), "apply", "-f", "-"); err != nil {
			return err
		}
	}
	if c.OldObject == nil {
		return nil
	}
	verbs := [][]string{{"create"}}
	if strings.Contains(string(c.OldObject), `"status":`) {
		verbs = append(verbs, []string{"replace", "--subresource=status"})
	}
	for _, verb := range verbs {
		if _, err := p.scene.ControlPlane.KubectlWith(ctx, string(c.OldObject), append(append(verb, "-f", "-"), as(c)...)...); err != nil {
			return err
		}
	}
	return nil
}

// clean takes away what a case has put there. Namespaces lose their labels only.
func (p play) clean(c *admit.Case, resource string) {
	// The test's own context may be over.
	kubectl := func(args ...string) {
		if _, err := p.scene.ControlPlane.Kubectl(context.Background(), args...); err != nil {
			p.Error(err)
		}
	}
	kubectl("delete", resource, "--all", "--all-namespaces")
	for _, object := range c.Context {
		switch one := string(object); {
		case strings.Contains(one, `"kind":"Namespace"`):
			kubectl("label", "namespace", "--all", "team-")
		case strings.Contains(one, `"kind":"Service"`):
			kubectl("delete", "services", "logs", "--ignore-not-found", "-n", "prod")
			kubectl("delete", "services", "logs", "--ignore-not-found", "-n", "test")
		case strings.Contains(one, `"kind":"ConfigMap"`):
			kubectl("delete", "configmaps", "stars", "--ignore-not-found")
		}
	}
}

func (p play) must(stdin string, args ...string) {
	p.Helper()
	if _, err := p.scene.ControlPlane.KubectlWith(p.Context(), stdin, args...); err != nil {
		p.Fatal(err)
	}
}
