package policy

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crosswalk-dev/crosswalk/validation"
)

// reading counts what is read, and fails where it is told to.
type reading struct {
	*Given
	reads []string
	err   error
}

func (r *reading) Get(ctx context.Context, kind schema.GroupVersionKind, namespace, name string) (*unstructured.Unstructured, error) {
	r.reads = append(r.reads, fmt.Sprintf("%s %s/%s", kind.Kind, namespace, name))
	if r.err != nil {
		return nil, r.err
	}
	return r.Given.Get(ctx, kind, namespace, name)
}

func (r *reading) List(ctx context.Context, kind schema.GroupVersionKind, namespace string, selector labels.Selector) ([]*unstructured.Unstructured, error) {
	r.reads = append(r.reads, fmt.Sprintf("%s %s [%s]", kind.Kind, namespace, selector))
	if r.err != nil {
		return nil, r.err
	}
	return r.Given.List(ctx, kind, namespace, selector)
}

func given(t testing.TB, objects ...string) *reading {
	t.Helper()
	var all []*unstructured.Unstructured
	for _, text := range objects {
		object := new(unstructured.Unstructured)
		if err := object.UnmarshalJSON(raw(t, text).Raw); err != nil {
			t.Fatal(err)
		}
		all = append(all, object)
	}
	return &reading{Given: NewGiven(all...)}
}

const (
	service  = "{apiVersion: v1, kind: Service, metadata: {name: web, namespace: default}, spec: {type: ClusterIP}}"
	sibling  = "{apiVersion: stable.example.com/v1, kind: CronTab, metadata: {name: other, namespace: default, labels: {team: a}}, spec: {host: taken}}"
	stranger = "{apiVersion: stable.example.com/v1, kind: CronTab, metadata: {name: far, namespace: elsewhere, labels: {team: b}}, spec: {host: far}}"
	job      = "{apiVersion: batch/v1, kind: Job, metadata: {name: run, namespace: default, ownerReferences: [{uid: u1, name: nightly, kind: CronTab, apiVersion: stable.example.com/v1}]}}"
	stray    = "{apiVersion: batch/v1, kind: Job, metadata: {name: stray, namespace: default}}"
)

const crossObjectRules = `
lookups:
- {name: service, apiVersion: v1, kind: Service, nameExpression: object.spec.service}
- {name: siblings, apiVersion: stable.example.com/v1, kind: CronTab, selector: {}, namespaceExpression: "''"}
- {name: team, apiVersion: stable.example.com/v1, kind: CronTab, selectorExpression: "'team=' + object.metadata.labels.team", namespaceExpression: "''"}
- {name: jobs, apiVersion: batch/v1, kind: Job, ownerExpression: "object.metadata.?uid.orValue('')"}
variables: [{name: others, expression: "lookups.siblings.filter(c, c.metadata.name != object.metadata.name)"}]
validations:
- {expression: "object.spec.service == '' || lookups.service != null", fieldPath: .spec.service, messageExpression: "'there is no Service ' + object.spec.service"}
- {expression: "lookups.service == null || lookups.service.spec.type == 'ClusterIP'", message: must be a ClusterIP}
- {expression: "!variables.others.exists(c, c.spec.host == object.spec.host)", fieldPath: .spec.host, message: is taken}
- {expression: size(lookups.team) < 1, message: the team has its share}
- {expression: size(lookups.jobs) < 1, message: jobs are still running}
`

// A name that nothing can have is that of nothing, and not of what is elsewhere.
func TestLookupsGetNothingByAPath(t *testing.T) {
	for _, test := range []struct{ namespace, name, want, reads string }{
		{"default", "web", "", "Service default/web"},
		{"", "default/web", "nothing", ""},
		{"default", "../default/web", "nothing", ""},
		{"default", "..", "nothing", ""},
		{"x/../default", "web", "nothing", ""},
	} {
		p := compiled(t, `
lookups:
- {name: service, apiVersion: v1, kind: Service, nameExpression: object.spec.name, namespaceExpression: object.spec.namespace}
- {name: services, apiVersion: v1, kind: Service, selector: {}, namespaceExpression: object.spec.namespace}
validations: [{expression: "lookups.service != null && (object.spec.namespace == 'default' || size(lookups.services) > 0)", message: nothing}]
`)
		objects := given(t, service)
		r := create(t, fmt.Sprintf("{spec: {name: %q, namespace: %q}}", test.name, test.namespace))
		if got := causes(review(t, Validations(Cluster{Objects: objects}, p), r)); got != test.want || strings.Join(objects.reads, "; ") != test.reads {
			t.Errorf("%s in %s: got %q and read %q", test.name, test.namespace, got, objects.reads)
		}
	}
}

// unread knows of Secrets, and has not read anything else yet.
type unread struct{ *Given }

func (u unread) Get(ctx context.Context, kind schema.GroupVersionKind, namespace, name string) (*unstructured.Unstructured, error) {
	if kind.Kind != "Secret" {
		return nil, ErrNotSynced
	}
	return u.Given.Get(ctx, kind, namespace, name)
}

// What is looked up by a Secret is not named either.
func TestLookupsNameNoSecret(t *testing.T) {
	p := compiled(t, `
lookups:
- {name: key, apiVersion: v1, kind: Secret, nameExpression: "'key'"}
- {name: service, apiVersion: v1, kind: Service, nameExpression: lookups.key.data.password}
validations: [{expression: lookups.service != null}]
`)
	objects := unread{given(t, "{apiVersion: v1, kind: Secret, metadata: {name: key, namespace: default}, data: {password: hush}}").Given}
	_, err := Validations(Cluster{Objects: objects}, p).Review(t.Context(), create(t, "{}"))
	if !errors.Is(err, validation.ErrNotReady) || strings.Contains(err.Error(), "hush") {
		t.Error(err)
	}
}

// References must exist, names are unique, shares are limited.
func TestCrossObjectRules(t *testing.T) {
	p := compiled(t, crossObjectRules)
	for _, test := range []struct {
		name, object, want string
		reads              string
	}{
		{
			"all is well", "{metadata: {name: nightly, uid: u2, labels: {team: c}}, spec: {service: web, host: free}}", "",
			"Service default/web; CronTab  []; CronTab  [team=c]; Job default []",
		},
		{
			"nothing is", "{metadata: {name: nightly, uid: u1, labels: {team: b}}, spec: {service: none, host: taken}}",
			`spec.service: Invalid value: "none": there is no Service none
spec.host: Invalid value: "taken": is taken
the team has its share
jobs are still running`,
			"Service default/none; CronTab  []; CronTab  [team=b]; Job default []",
		},
		{
			"no service, no uid, its own host", "{metadata: {name: other, labels: {team: c}}, spec: {service: '', host: taken}}", "",
			"CronTab  []; CronTab  [team=c]",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			objects := given(t, service, sibling, stranger, job, stray)
			verdict := review(t, Validations(Cluster{Objects: objects}, p), create(t, test.object))
			if got := causes(verdict); got != test.want {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
			if got := strings.Join(objects.reads, "; "); got != test.reads {
				t.Errorf("read %s, want %s", got, test.reads)
			}
		})
	}
}

// What nobody asks for is not read.
func TestLookupsAreLazy(t *testing.T) {
	p := compiled(t, `
lookups: [{name: service, apiVersion: v1, kind: Service, nameExpression: object.spec.service}]
validations: [{expression: "object.spec.free || lookups.service != null || lookups.service != null", message: must exist}]
`)
	objects := given(t)
	if got := causes(review(t, Validations(Cluster{Objects: objects}, p), create(t, "spec: {free: true, service: web}"))); got != "" || len(objects.reads) > 0 {
		t.Errorf("%s, read %v", got, objects.reads)
	}
	if got := causes(review(t, Validations(Cluster{Objects: objects}, p), create(t, "spec: {free: false, service: web}"))); got != "must exist" || len(objects.reads) != 1 {
		t.Errorf("%s, read %v", got, objects.reads)
	}
}

// Not there, not allowed and not read yet are three.
func TestLookupFailures(t *testing.T) {
	spec := `
lookups: [{name: service, apiVersion: v1, kind: Service, nameExpression: object.spec.service}]
validations: [{expression: lookups.service != null, message: must exist}]
`
	r := create(t, "spec: {service: web}")
	resource := schema.GroupResource{Resource: "services"}
	prefix := `validationpolicy "schedules": spec.validations[0].expression "lookups.service != null" cannot be evaluated: the lookup service: `
	for _, test := range []struct {
		err  error
		want string
	}{
		{nil, "must exist"},
		{apierrors.NewNotFound(resource, "web"), "must exist"},
		{
			apierrors.NewForbidden(resource, "web", errors.New("no rule")),
			prefix + `Service web in namespace default: Crosswalk may not read it; allow its role to get, list and watch: services "web" is forbidden: no rule`,
		},
		{ErrUnknownKind, prefix + "Service web in namespace default: the kind is not served"},
	} {
		objects := given(t)
		objects.err = test.err
		if got := causes(review(t, Validations(Cluster{Objects: objects}, compiled(t, spec)), r)); got != test.want {
			t.Errorf("%v: got\n%s\nwant\n%s", test.err, got, test.want)
		}
	}
	objects := given(t)
	objects.err = fmt.Errorf("Service: %w", ErrNotSynced)
	_, err := Validations(Cluster{Objects: objects}, compiled(t, spec)).Review(t.Context(), r)
	if !errors.Is(err, validation.ErrNotReady) || !strings.Contains(err.Error(), "have not been read yet") {
		t.Error(err)
	}
	verdict, err := Validations(Cluster{Objects: objects}, compiled(t, spec+"failurePolicy: Ignore")).Review(t.Context(), r)
	if err != nil || !verdict.Allowed() {
		t.Error(causes(verdict), err)
	}
	for name, bad := range map[string]struct{ lookup, want string }{
		"a name that is a number": {"nameExpression: object.spec.number", "the lookup service: spec.lookups[0].nameExpression returns int instead of a string"},
		"a name that fails":       {"nameExpression: object.spec.none", "the lookup service: spec.lookups[0].nameExpression: no such key: none"},
		"a selector that is none": {"selectorExpression: \"'a b c'\"", "the lookup service: "},
	} {
		p := compiled(t, strings.NewReplacer("nameExpression: object.spec.service", bad.lookup, "lookups.service != null", "dyn(lookups.service) != null").Replace(spec))
		if got := causes(review(t, Validations(Cluster{Objects: given(t)}, p), create(t, "spec: {number: 1}"))); !strings.Contains(got, bad.want) {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func TestLiveLookups(t *testing.T) {
	p := compiled(t, `
lookups: [{name: service, apiVersion: v1, kind: Service, nameExpression: "'web'", live: true}]
validations: [{expression: lookups.service != null, message: must exist}]
`)
	cached, live := given(t), given(t, service)
	if got := causes(review(t, Validations(Cluster{Objects: cached, Live: live}, p), create(t, "{}"))); got != "" || len(cached.reads) > 0 || len(live.reads) != 1 {
		t.Errorf("%s, read %v and %v", got, cached.reads, live.reads)
	}
	if got := p.Reads(); len(got) != 1 || !got[0].Live || got[0].Kind.Kind != "Service" {
		t.Errorf("reads %v", got)
	}
}

// Lookups have a cost, and live ones a high one.
func TestLookupsCost(t *testing.T) {
	var b strings.Builder
	b.WriteString("lookups:\n")
	for i := range 16 {
		fmt.Fprintf(&b, "- {name: l%d, apiVersion: v1, kind: Service, selector: {}, live: true}\n", i)
	}
	b.WriteString("validations:\n")
	for i := range 16 {
		fmt.Fprintf(&b, "- {expression: size(lookups.l%d) >= 0}\n", i)
	}
	p := compiled(t, b.String())
	p.budget = 10 * liveCost
	got := causes(review(t, Validations(Cluster{Live: given(t)}, p), create(t, "{}")))
	if !strings.Contains(got, "spec.validations[9]") || !strings.Contains(got, "the policy has used up its cost budget") {
		t.Error(got)
	}
}

// Lookups fill in what a schema cannot, and a rule that reads one is spared where
// nothing has changed of what chooses it.
func TestLookupsInMutationsAndRatcheting(t *testing.T) {
	m, problems := CompileMutation(mutationPolicy(t, `
lookups: [{name: defaults, apiVersion: v1, kind: ConfigMap, nameExpression: "'defaults'"}]
mutations: [{patchType: JSONPatch, jsonPatch: {expression: "has(object.spec.host) ? [] : [JSONPatch{op: 'add', path: '/spec/host', value: lookups.defaults.data.host}]"}}]
`))
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	objects := given(t, "{apiVersion: v1, kind: ConfigMap, metadata: {name: defaults, namespace: default}, data: {host: example.com}}")
	verdict := review(t, Mutations(Cluster{Objects: objects}, m), create(t, "{apiVersion: stable.example.com/v1, kind: CronTab, spec: {}}"))
	if want := `{"apiVersion":"stable.example.com/v1","kind":"CronTab","spec":{"host":"example.com"}}`; string(verdict.Object) != want {
		t.Errorf("%s %s", causes(verdict), verdict.Object)
	}
	p := compiled(t, `
lookups: [{name: service, apiVersion: v1, kind: Service, nameExpression: object.spec.service}]
validations: [{expression: lookups.service != null, message: must exist}]
`)
	old := "spec: {service: gone}"
	if got := causes(review(t, Validations(Cluster{Objects: given(t)}, p), request(t, admissionv1.Update, old+"\nmetadata: {labels: {a: b}}", old))); got != "" {
		t.Error(got)
	}
	if got := causes(review(t, Validations(Cluster{Objects: given(t)}, p), request(t, admissionv1.Update, "spec: {service: none}", old))); got != "must exist" {
		t.Error(got)
	}
}

func TestProblemsOfLookups(t *testing.T) {
	_, problems := Compile(validationPolicy(t, `
lookups:
- {name: a-b, apiVersion: a/b/c, kind: "no kind"}
- {name: first, apiVersion: v1, kind: Pod, nameExpression: lookups.second, selector: {}}
- {name: second, apiVersion: v1, kind: Pod, nameExpression: size(object)}
- {name: second, apiVersion: v1, kind: Pod, selector: {matchExpressions: [{key: a, operator: Near}]}}
validations: [{expression: lookups.third == null}, {expression: lookups.first == null}]
`))
	want := `spec.lookups[0].name: "a-b" is not a valid name for a lookup: use a letter or _ first, then letters, digits and _, but not a word of CEL
spec.lookups[0].apiVersion: "a/b/c" is not an apiVersion: write group/version, or version for the core group
spec.lookups[0].kind: "no kind" is not a kind
spec.lookups[3].name: "second" occurs twice
spec.lookups[0]: set exactly one of nameExpression, selector, selectorExpression and ownerExpression
spec.lookups[1].nameExpression: ERROR: <input>:1:8: undefined field 'second'
 | lookups.second
 | .......^
(variables and lookups may only use earlier ones, by their names)
spec.lookups[1]: set exactly one of nameExpression, selector, selectorExpression and ownerExpression
spec.lookups[2].nameExpression: must evaluate to one of [string dyn] but got int
spec.lookups[3].selector: "Near" is not a valid label selector operator
spec.validations[0].expression: ERROR: <input>:1:8: undefined field 'third'
 | lookups.third == null
 | .......^
(variables and lookups may only use earlier ones, by their names)`
	if got := problems.Error(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	_, problems = Compile(validationPolicy(t, `validations: [{expression: lookups.third == null}]`))
	if got := problems.Error(); !strings.Contains(got, "declare it in spec.lookups") {
		t.Error(got)
	}
}
