package policy

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crosswalk-dev/crosswalk/validation"
)

// hidden is in another namespace, which a forged request names.
const hidden = "{apiVersion: v1, kind: ConfigMap, metadata: {name: plans, namespace: elsewhere}, data: {code: swordfish, next: barracuda, number: '12'}}"

// refusing forbids to read what has a name.
type refusing struct {
	*Given
	name string
}

func (o refusing) Get(ctx context.Context, kind schema.GroupVersionKind, namespace, name string) (*unstructured.Unstructured, error) {
	if name == o.name {
		return nil, apierrors.NewForbidden(schema.GroupResource{Resource: "configmaps"}, name, nil)
	}
	return o.Given.Get(ctx, kind, namespace, name)
}

// Who makes up a request, of whichever namespace and user, learns nothing of the objects
// that policies read, in no part of the answer; and the API server does.
func TestStrangersReadNothing(t *testing.T) {
	const params = "paramKind: {apiVersion: v1, kind: ConfigMap}\nparamRef: {name: plans, parameterNotFoundAction: Deny}\n"
	const lookups = "lookups: [{name: plans, apiVersion: v1, kind: ConfigMap, nameExpression: object.spec.host}, {name: next, apiVersion: v1, kind: ConfigMap, nameExpression: lookups.plans.data.next}," +
		" {name: all, apiVersion: v1, kind: ConfigMap, selector: {}}]\nvariables: [{name: code, expression: lookups.plans.data.code}]\n"
	for name, spec := range map[string]string{
		"a message":               lookups + "validations: [{expression: 'false', message: is wrong, messageExpression: string(lookups.plans.data.code)}]",
		"a message of a variable": lookups + "validations: [{expression: 'false', message: is wrong, messageExpression: \"'no ' + string(variables.code)\"}]",
		"a message of a list":     lookups + "validations: [{expression: 'false', message: is wrong, messageExpression: \"lookups.all.map(c, c.data.code).join(',')\"}]",
		"a message of params":     params + "validations: [{expression: 'false', message: is wrong, messageExpression: string(params.data.code)}]",
		"a message, all at once":  lookups + "validations: [{expression: 'false', message: is wrong, messageExpression: \"string(dyn(lookups)['plans'].data.code)\"}]",
		"a message by any name":   lookups + "validations: [{expression: 'false', message: is wrong, messageExpression: \"string(dyn(lookups)[object.spec.host].data.code)\"}]",
		"a warning":               lookups + "validationActions: [Warn]\nvalidations: [{expression: 'false', message: is wrong, messageExpression: string(lookups.plans.data.code)}]",
		"the audit log":           lookups + "validationActions: [Audit]\nvalidations: [{expression: 'false', message: is wrong, messageExpression: string(lookups.plans.data.code)}]",
		"an audit annotation":     lookups + "auditAnnotations: [{key: code, valueExpression: string(lookups.plans.data.code)}]",
		"a failure":               lookups + "validations: [{expression: \"object.spec[lookups.plans.data.code] == ''\"}]",
		"a failure of a lookup":   lookups + "validations: [{expression: lookups.next.data.code == ''}]",
		"a failure of a condition": lookups + "matchConditions: [{name: known, expression: \"object.spec[lookups.plans.data.code] == ''\"}]\n" +
			"validations: [{expression: 'false'}]",
		"a failure of an annotation": lookups + "auditAnnotations: [{key: code, valueExpression: \"string(object.spec[lookups.plans.data.code])\"}]",
	} {
		t.Run(name, func(t *testing.T) {
			objects := refusing{given(t, hidden).Given, "barracuda"}
			reviewer := Validations(Cluster{Objects: objects}, compiled(t, spec))
			r := create(t, "spec: {host: plans}")
			r.Namespace = "elsewhere"
			known, stranger := review(t, reviewer, r), reviewBy(t, t.Context(), reviewer, r)
			if text := everything(t, known); !strings.Contains(text, "swordfish") && !strings.Contains(text, "barracuda") {
				t.Errorf("the API server is told nothing either: %s", text)
			}
			text := everything(t, stranger)
			for _, word := range []string{"swordfish", "barracuda"} {
				if strings.Contains(text, word) {
					t.Errorf("a stranger is told %s", text)
				}
			}
			if len(stranger.Causes) != len(known.Causes) || len(stranger.Warnings) != len(known.Warnings) {
				t.Errorf("a stranger has another verdict: %s, and not %s", text, everything(t, known))
			}
		})
	}
}

// everything that a verdict says.
func everything(t testing.TB, verdict *validation.Verdict) string {
	t.Helper()
	text, err := json.Marshal(verdict)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A message for an unknown client has the remedy, and no data.
func TestStrangersAreToldWhy(t *testing.T) {
	p := compiled(t, `
lookups: [{name: plans, apiVersion: v1, kind: ConfigMap, nameExpression: object.spec.host}, {name: gone, apiVersion: v1, kind: ConfigMap, nameExpression: "'barracuda'"}]
validations:
- {expression: lookups.plans == null, message: is planned, messageExpression: string(lookups.plans.data.code)}
- {expression: lookups.plans == null, messageExpression: "object.spec.host + ' is planned'"}
- {expression: lookups.plans == null, messageExpression: string(lookups.plans.data.code)}
- {expression: lookups.plans.data.none == ''}
- {expression: lookups.gone == null}
`)
	r := create(t, "spec: {host: plans}")
	r.Namespace = "elsewhere"
	got := causes(reviewBy(t, t.Context(), Validations(Cluster{Objects: refusing{given(t, hidden).Given, "barracuda"}}, p), r))
	const want = `is planned
plans is planned
failed expression: lookups.plans == null
validationpolicy "schedules": spec.validations[3].expression "lookups.plans.data.none == ''" cannot be evaluated: the reason is not shown, because it comes from objects that Crosswalk has read, and the caller has not identified itself as the API server; deploy Crosswalk with overlays/aggregated
validationpolicy "schedules": spec.validations[4].expression "lookups.gone == null" cannot be evaluated: the lookup gone: ConfigMap: Crosswalk may not read it; allow its role to get, list and watch`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// Who makes up a Scale learns nothing of the object that it would scale.
func TestStrangersReadNothingOfWhatIsScaled(t *testing.T) {
	p := compiled(t, rulesFor("crontabs")+`
ratcheting: false
validations:
- {expression: object.spec.replicas <= 5, fieldPath: .spec.image, message: is wrong, messageExpression: "'not ' + object.spec.image"}
- {expression: object.spec.replicas <= 5, message: is wrong, messageExpression: "'not ' + oldObject.spec.host"}
- {expression: object.spec.replicas <= 5, messageExpression: "'at ' + 'most 5'"}
- {expression: object.spec.replicas <= 5, fieldPath: .spec.replicas, message: at most 5}
- {expression: "object[object.spec.host] == ''"}
`)
	cluster, _ := scalable(t, strings.Replace(stored, "image: x", "image: swordfish", 1))
	got := causes(reviewBy(t, t.Context(), Validations(cluster, p), scaling(t, 3, 9)))
	const want = `spec.image: Invalid value: is wrong
is wrong
at most 5
spec.replicas: Invalid value: 9: at most 5
validationpolicy "schedules": spec.validations[4].expression "object[object.spec.host] == ''" cannot be evaluated: the reason is not shown, because it comes from objects that Crosswalk has read, and the caller has not identified itself as the API server; deploy Crosswalk with overlays/aggregated`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	// In the hub version, too.
	hub := compiled(t, "hub: true\n"+rulesFor("crontabs")+"ratcheting: false\nvalidations: [{expression: object.spec.replicas <= 5, fieldPath: .spec.host, message: is wrong, messageExpression: \"'not ' + object.spec.image\"}]")
	r := scaling(t, 3, 9)
	r.Resource.Version = "v1beta1"
	cluster, _ = scalable(t, "{apiVersion: stable.example.com/v1beta1, kind: CronTab, metadata: {name: nightly, namespace: default}, spec: {cronSpec: '* * * * *', image: swordfish, replicas: 3, hostPort: 'localhost:80'}}")
	if got := causes(reviewBy(t, t.Context(), Validations(cluster, hub), r)); got != "spec.hostPort: Invalid value: is wrong" {
		t.Errorf("got %s", got)
	}
	if got := causes(review(t, Validations(cluster, hub), r)); got != `spec.hostPort: Invalid value: "localhost:80": not swordfish` {
		t.Errorf("got %s", got)
	}
}

// Nor does he by what cannot be made of it.
func TestStrangersReadNothingOfWhatCannotBeScaled(t *testing.T) {
	const rule = "validations: [{expression: object.spec.replicas <= 5, message: is wrong}]"
	r := scaling(t, 3, 9)
	r.Resource.Version = "v1beta1"
	const beta = "{apiVersion: stable.example.com/v1beta1, kind: CronTab, metadata: {name: nightly, namespace: default}, spec: {cronSpec: '* * * * *', image: x, replicas: 3}}"
	cluster, _ := scalable(t, beta)
	cluster.Tables = broken{exampleTables(t)}
	hub := Validations(cluster, compiled(t, "hub: true\n"+rulesFor("crontabs")+rule))
	const cannot = `validationpolicy "schedules" cannot be evaluated: the object cannot be converted to v1`
	if got := causes(reviewBy(t, t.Context(), hub, r)); got != cannot {
		t.Errorf("got %s", got)
	}
	if got := causes(review(t, hub, r)); got != cannot+": no swordfish" {
		t.Errorf("got %s", got)
	}
	cluster, _ = scalable(t, strings.Replace(beta, "replicas: 3", "replicas: swordfish", 1))
	want := `validationpolicy "schedules" cannot be evaluated: the scaled object is not known: its spec.replicas is not a whole number`
	if got := causes(reviewBy(t, t.Context(), Validations(cluster, compiled(t, rulesFor("crontabs")+rule)), r)); got != want {
		t.Errorf("got %s", got)
	}
}

// broken has tables that convert nothing.
type broken struct{ Tables }

func (b broken) Table(group, kind string) (Table, bool) {
	table, found := b.Tables.Table(group, kind)
	return brokenTable{table}, found
}

type brokenTable struct{ Table }

func (brokenTable) Convert([]byte, []byte, string) ([]byte, error) {
	return nil, errors.New("no swordfish")
}

// Why a read has failed is told without names.
func TestReadsFailWithoutNames(t *testing.T) {
	for _, test := range []struct {
		err  error
		want string
	}{
		{apierrors.NewForbidden(schema.GroupResource{Resource: "configmaps"}, "barracuda", nil), "ConfigMap: Crosswalk may not read it; allow its role to get"},
		{fmt.Errorf("barracuda: %w", ErrNotSynced), "ConfigMap: its objects have not been read yet"},
		{fmt.Errorf("barracuda: %w", ErrUnknownKind), "ConfigMap: the kind is not served"},
		{errNoObjects, "ConfigMap: objects cannot be read here"},
		{&lateError{ReadTime}, "ConfigMap: the API server has not answered within 3s"},
		{errors.New("barracuda is missing"), "ConfigMap: it cannot be read"},
	} {
		e := &unreadError{kind: "ConfigMap", namespace: "elsewhere", name: "barracuda", verbs: "get", err: test.err}
		if got := e.anonymous(); got != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
		if e.lookup = "next"; e.anonymous() != "the lookup next: "+test.want {
			t.Errorf("got %q", e.anonymous())
		}
	}
}

// What a mutation puts into an object is told with it.
func TestStrangersGetNoMutationOfWhatIsRead(t *testing.T) {
	for spec, want := range map[string]struct{ causes, object string }{
		"lookups: [{name: plans, apiVersion: v1, kind: ConfigMap, nameExpression: \"'plans'\"}]\nmutations: [{patchType: JSONPatch, jsonPatch: {expression: \"[JSONPatch{op: 'add', path: '/spec/image', value: lookups.plans.data.code}]\"}}]\n": {
			`mutationpolicy "defaults": spec.mutations[0].jsonPatch.expression is not evaluated, because it copies what Crosswalk reads elsewhere into the object, and the caller has not identified itself as the API server; deploy Crosswalk with overlays/aggregated`,
			`{"apiVersion":"stable.example.com/v1","kind":"CronTab","spec":{"host":"x","image":"swordfish"}}`,
		},
		"paramKind: {apiVersion: v1, kind: ConfigMap}\nparamRef: {name: plans, parameterNotFoundAction: Deny}\nmutations: [{patchType: JSONPatch, jsonPatch: {expression: \"[JSONPatch{op: 'add', path: '/spec/image', value: params.data.code}]\"}}]\n": {
			`mutationpolicy "defaults": spec.mutations[0].jsonPatch.expression is not evaluated, because it copies what Crosswalk reads elsewhere into the object, and the caller has not identified itself as the API server; deploy Crosswalk with overlays/aggregated`,
			`{"apiVersion":"stable.example.com/v1","kind":"CronTab","spec":{"host":"x","image":"swordfish"}}`,
		},
		"lookups: [{name: plans, apiVersion: v1, kind: ConfigMap, nameExpression: \"'plans'\"}]\nmatchConditions: [{name: planned, expression: lookups.plans != null}]\nmutations: [{patchType: JSONPatch, jsonPatch: {expression: \"[JSONPatch{op: 'add', path: '/spec/image', value: 'i'}]\"}}]\n": {
			"", `{"apiVersion":"stable.example.com/v1","kind":"CronTab","spec":{"host":"x","image":"i"}}`,
		},
	} {
		for _, ignore := range []bool{false, true} {
			text := spec
			if ignore {
				text += "failurePolicy: Ignore\n"
			}
			p, problems := CompileMutation(mutationPolicy(t, text))
			if err := problems.Err(); err != nil {
				t.Fatal(err)
			}
			reviewer := Mutations(Cluster{Objects: given(t, hidden)}, p)
			r := create(t, "{apiVersion: stable.example.com/v1, kind: CronTab, spec: {host: x}}")
			r.Namespace = "elsewhere"
			if got := review(t, reviewer, r); string(got.Object) != want.object {
				t.Errorf("%s: the API server gets %s", text, everything(t, got))
			}
			got := reviewBy(t, t.Context(), reviewer, r)
			if want.causes == "" {
				if string(got.Object) != want.object {
					t.Errorf("%s: a stranger gets %s", text, everything(t, got))
				}
			} else if got.Object != nil || ignore != got.Allowed() || !ignore && causes(got) != want.causes {
				t.Errorf("%s: a stranger gets %s", text, everything(t, got))
			}
		}
	}
}

// What strangers are not told changes no verdict.
func TestStrangersGetTheSameVerdict(t *testing.T) {
	found := func(out outcome) []string {
		var all []string
		for _, f := range slices.Concat(out.findings, out.auditFailures) {
			what := "fails"
			if f.rule != nil {
				what = f.rule.text
			}
			all = append(all, what)
		}
		return all
	}
	total := 0
	for file, cases := range readDifferences(t) {
		for i, c := range cases {
			if testing.Short() && i%6 != 0 {
				continue
			}
			p, params := c.compiled(t), c.Params
			if len(params) == 0 {
				params = []map[string]any{nil}
			}
			for _, param := range params {
				total++
				decide := func(ctx context.Context) outcome {
					if param == nil {
						return p.decide(ctx, newSubject(ctx, c.cluster(t), c.request(t)), nil)
					}
					return p.decide(ctx, newSubject(ctx, c.cluster(t), c.request(t)), param)
				}
				stranger, known := found(decide(t.Context())), found(decide(validation.WithKnownCaller(t.Context())))
				if !slices.Equal(stranger, known) {
					t.Errorf("%s: %s: a stranger is told of %q, and the API server of %q", file, c.Name, stranger, known)
				}
			}
		}
	}
	if total < 30 {
		t.Errorf("%d cases are too few", total)
	}
}

// Several objects of parameters that lead to the same are told of once, so that nobody
// learns how many there are.
func TestTheSameIsReportedOnce(t *testing.T) {
	p := compiled(t, `
paramKind: {apiVersion: v1, kind: ConfigMap}
paramRef: {selector: {}, parameterNotFoundAction: Deny}
validationActions: [Deny, Audit]
validations: [{expression: params.data.a == object.spec.host, message: is wrong}]
`)
	objects := given(t, "{apiVersion: v1, kind: ConfigMap, metadata: {name: one, namespace: default}, data: {a: b}}",
		"{apiVersion: v1, kind: ConfigMap, metadata: {name: two, namespace: default}, data: {a: c}}")
	verdict := reviewBy(t, t.Context(), Validations(Cluster{Objects: objects}, p), create(t, "spec: {host: x}"))
	const noted = `[{"message":"is wrong","policy":"schedules","binding":"","expressionIndex":0,"validationActions":["Deny","Audit"]}]`
	if got := causes(verdict); got != "is wrong" || verdict.AuditAnnotations["validation_failure"] != noted {
		t.Errorf("got %s", everything(t, verdict))
	}
	warning := compiled(t, `
paramKind: {apiVersion: v1, kind: ConfigMap}
paramRef: {selector: {}, parameterNotFoundAction: Deny}
validationActions: [Warn]
validations: [{expression: params.data.a == object.spec.host, message: is wrong}]
`)
	if got := review(t, Validations(Cluster{Objects: objects}, warning), create(t, "spec: {host: x}")).Warnings; len(got) != 1 {
		t.Errorf("got %q", got)
	}
}

// What is kept from strangers is told by its fields.
func TestWithheld(t *testing.T) {
	p := compiled(t, rulesFor("crontabs")+`
lookups: [{name: plans, apiVersion: v1, kind: ConfigMap, nameExpression: object.spec.host}]
validations:
- {expression: lookups.plans == null, messageExpression: string(lookups.plans.data.code)}
- {expression: lookups.plans == null, messageExpression: "'not ' + object.spec.host"}
- {expression: lookups.plans == null, messageExpression: "'const' + 'ant'"}
auditAnnotations: [{key: a, valueExpression: string(lookups.plans.data.code)}, {key: b, valueExpression: "'b'"}]
`)
	want := []string{"spec.validations[0].messageExpression", "spec.validations[1].messageExpression if an object is scaled", "spec.auditAnnotations[0].valueExpression"}
	if got := p.Withheld(); !slices.Equal(got, want) || !p.ReadsObjects() {
		t.Errorf("got %q, want %q", got, want)
	}
	if p := compiled(t, rulesFor("crontabs/status")+"validations: [{expression: object.spec.a == 1, messageExpression: string(object.spec.host)}]"); p.ReadsObjects() || len(p.Withheld()) > 0 {
		t.Errorf("got %q", p.Withheld())
	}
}
