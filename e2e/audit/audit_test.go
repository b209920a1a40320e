package audit

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/page"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/stage"
	"github.com/crosswalk-dev/crosswalk/internal/audit"
)

// world is a cluster with objects that are older than the Crosswalk and the policies of their
// kind.
type world struct {
	*harness.Scene
	programs harness.Programs
	folder   string
	env      []string
}

const policies = `
apiVersion: crosswalk.dev/v1alpha1
kind: ValidationPolicy
metadata: {name: replicas}
spec:
  hub: true
  matchConstraints: {resourceRules: [{apiGroups: [stable.example.com], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [crontabs]}]}
  validations: [{expression: object.spec.replicas <= 2, fieldPath: .spec.replicas, message: use at most 2 replicas}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: services, labels: {crosswalk.dev/aggregate-to-serve: "true"}}
rules: [{apiGroups: [""], resources: [services], verbs: [get, list, watch]}]
---
apiVersion: crosswalk.dev/v1alpha1
kind: ValidationPolicy
metadata: {name: services}
spec:
  matchConstraints: {resourceRules: [{apiGroups: [stable.example.com], apiVersions: [v1beta1], operations: [CREATE], resources: [crontabs]}]}
  lookups: [{name: service, apiVersion: v1, kind: Service, nameExpression: "object.metadata.labels.?service.orValue('')"}]
  validations: [{expression: "!has(object.metadata.labels) || !has(object.metadata.labels.service) || lookups.service != null", message: there is no such Service}]
---
apiVersion: crosswalk.dev/v1alpha1
kind: ValidationPolicy
metadata: {name: sizes}
spec:
  matchConstraints: {resourceRules: [{apiGroups: ['', apps], apiVersions: [v1], operations: [CREATE], resources: [configmaps, deployments]}]}
  matchConditions: [{name: ours, expression: "object.metadata.name.startsWith('audit-')"}]
  validations: [{expression: "!has(object.data) || size(object.data) < 2", fieldPath: .data, message: too many keys}]
---
apiVersion: crosswalk.dev/v1alpha1
kind: ValidationPolicy
metadata: {name: people}
spec:
  matchConstraints: {resourceRules: [{apiGroups: [stable.example.com], apiVersions: ['*'], operations: [CREATE], resources: [crontabs]}]}
  validations: [{expression: "request.userInfo.username != 'ann'", message: not by ann}]
---
apiVersion: crosswalk.dev/v1alpha1
kind: ValidationPolicy
metadata: {name: deletions}
spec:
  matchConstraints: {resourceRules: [{apiGroups: [stable.example.com], apiVersions: ['*'], operations: [DELETE], resources: [crontabs]}]}
  validations: [{expression: oldObject.spec.replicas >= 0}]
`

// object is what kubectl can create.
type object map[string]any

func (o object) name() string { return o["metadata"].(object)["name"].(string) }

func crontab(name string, labels object, spec object) object {
	all := object{"cronSpec": "0 2 * * *", "image": "backup:1.4", "host": "localhost", "port": "80", "replicas": 1}
	for field, value := range spec {
		if all[field] = value; value == nil {
			delete(all, field)
		}
	}
	return object{"apiVersion": "stable.example.com/v1", "kind": "CronTab", "metadata": object{"name": name, "namespace": "default", "labels": labels}, "spec": all}
}

func configMap(name string, data object) object {
	return object{"apiVersion": "v1", "kind": "ConfigMap", "metadata": object{"name": name, "namespace": "default"}, "data": data}
}

// objects returns the objects that exist first.
func objects() []object {
	all := []object{
		crontab("fine", nil, nil),
		crontab("many", nil, object{"replicas": 3}),
		crontab("both", object{"service": "none"}, object{"replicas": 4}),
		crontab("known", object{"service": "kubernetes"}, nil),
		crontab("partial", nil, object{"port": nil}),
		configMap("audit-a", object{"a": "1", "b": "2"}),
		configMap("audit-b", object{"a": "1"}),
		configMap("other", object{"a": "1", "b": "2"}),
	}
	for i := range 12 {
		all = append(all, crontab(fmt.Sprintf("more-%02d", i), nil, object{"replicas": 1 + i%4}))
	}
	return all
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{programs: stage.Programs(t)}
	w.Scene = stage.Start(t, w.programs)
	stage.AggregateRoles(t, w.Scene)
	w.folder, w.env = page.Folder(t, w.programs), page.Env(t, w.ControlPlane)
	w.run(t, `kubectl apply -f examples/crontab/crd.yaml
kubectl wait --for=condition=Established --timeout=1m crd/crontabs.stable.example.com`)
	w.create(t, objects()...)
	w.write(t, "policies.yaml", policies)
	w.run(t, `kubectl apply -f examples/crontab/crosswalk.yaml -f policies.yaml
kubectl wait --for=condition=Guarded --timeout=1m crosswalk/crontabs.stable.example.com
kubectl wait --for=condition=Ready --timeout=1m validationpolicies --all`)
	return w
}

// run runs a script in the repository, as a reader does, and returns what it prints.
func (w *world) run(t *testing.T, script string) string {
	t.Helper()
	return page.MustShell(t, w.folder, w.env, script)
}

func (w *world) write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(w.folder, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func (w *world) create(t *testing.T, all ...object) {
	t.Helper()
	text, err := json.Marshal(object{"apiVersion": "v1", "kind": "List", "items": all})
	if err != nil {
		t.Fatal(err)
	}
	w.write(t, "objects.json", string(text))
	w.run(t, "kubectl create -f objects.json")
}

// audit runs crosswalk audit, and returns what it finds and its exit code.
func (w *world) audit(t *testing.T, flags ...string) (found audit.Report, code int) {
	t.Helper()
	cmd := exec.CommandContext(stage.Within(t, time.Minute), w.programs.Crosswalk, append([]string{"audit", "--quiet", "--output=json"}, flags...)...)
	cmd.Env = w.env
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		code = exit.ExitCode()
	} else if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(out, &found); err != nil {
		t.Fatalf("audit %v: %v: %s", flags, err, out)
	}
	return found, code
}

// of returns the findings about a resource, by the name of the object.
func of(found audit.Report, resource string) map[string][]audit.Finding {
	all := map[string][]audit.Finding{}
	for _, r := range found.Resources {
		if r.Name == resource {
			for _, f := range r.Findings {
				all[f.Name] = append(all[f.Name], f)
			}
		}
	}
	return all
}

func TestAudit(t *testing.T) {
	w := newWorld(t)
	found, code := w.audit(t)
	if code != 1 {
		t.Errorf("the exit code is %d", code)
	}
	t.Run("what", func(t *testing.T) { testWhat(t, found) })
	t.Run("pages", func(t *testing.T) { w.testPages(t, found) })
	t.Run("stop", w.testStop)
	t.Run("writer", w.testWriter)
	t.Run("rights", func(t *testing.T) { w.testRights(t, found) })
	t.Run("reports", w.testReports)
	t.Run("again", func(t *testing.T) { w.testAgain(t, found) })
}

// testWhat compares what was audited, and what was not.
func testWhat(t *testing.T, found audit.Report) {
	var got []string
	for _, r := range found.Resources {
		got = append(got, fmt.Sprintln(r.Name, r.Policies, r.Versions, r.Objects-r.WithFindings, r.WithFindings))
	}
	for _, o := range found.NotAudited {
		got = append(got, o.Text())
	}
	want := []string{
		"configmaps [sizes] [] 4 1\n",
		"crontabs.stable.example.com [replicas services] [v1 v1beta1] 8 9\n",
		"deployments.apps [sizes] [] 2 0\n",
		`not audited: validationpolicy "deletions": it matches the creation of no resource that can be listed`,
		`not audited: validationpolicy "people": its result depends on who writes the object: name a writer with --as`,
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("audited\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// testPages reads small pages, and only some resources.
func (w *world) testPages(t *testing.T, all audit.Report) {
	found, _ := w.audit(t, "--page-size=4", "--qps=0", "--namespace=default", "crontabs", "cm")
	for _, resource := range []string{"crontabs.stable.example.com", "configmaps"} {
		if got, want := of(found, resource), of(all, resource); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: found %v, want %v", resource, got, want)
		}
	}
	if len(found.Resources) != 2 {
		t.Errorf("audited %d resources", len(found.Resources))
	}
	if found, code := w.audit(t, "--namespace=kube-public"); code != 0 {
		t.Errorf("in another namespace: %+v", found)
	}
}

// testWriter audits a policy whose result depends on the writer.
func (w *world) testWriter(t *testing.T) {
	for _, name := range []string{"ann", "bob"} {
		found, _ := w.audit(t, "--as="+name, "crontabs")
		by := 0
		for _, findings := range of(found, "crontabs.stable.example.com") {
			for _, f := range findings {
				if f.Policy == "people" {
					by++
				}
			}
		}
		if want := map[string]int{"ann": 17, "bob": 0}[name]; by != want || len(found.NotAudited) != 0 {
			t.Errorf("as %s: %d findings, want %d; %v", name, by, want, found.NotAudited)
		}
	}
}

// testAgain deletes every object and creates it again: the API server denies those about which
// something was found, and no others.
func (w *world) testAgain(t *testing.T, found audit.Report) {
	for _, o := range objects() {
		resource := map[any]string{"CronTab": "crontabs.stable.example.com", "ConfigMap": "configmaps"}[o["kind"]]
		findings := of(found, resource)[o.name()]
		text, err := json.Marshal(o)
		if err != nil {
			t.Fatal(err)
		}
		w.write(t, "object.json", string(text))
		w.run(t, "kubectl delete "+resource+" "+o.name())
		printed, err := page.Shell(t, w.folder, w.env, "kubectl create --dry-run=server -f object.json")
		// The API server prints the denial of one webhook only.
		fails := slices.ContainsFunc(findings, func(f audit.Finding) bool { return f.Result == audit.Fail })
		printsOne := slices.ContainsFunc(findings, func(f audit.Finding) bool { return strings.Contains(printed, f.Message) })
		if fails != (err != nil) || printsOne != (len(findings) > 0) {
			t.Errorf("%s: audit found %v, and the API server printed %s", o.name(), findings, printed)
		}
	}
}
