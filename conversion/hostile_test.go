package conversion_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion"
	"github.com/crosswalk-dev/crosswalk/internal/cputime"
)

// forged writes metadata with a stash of v1beta1 that holds these entries.
func forged(entries ...string) string {
	text := `{"format":1,"entries":[` + strings.Join(entries, ",") + `]}`
	return `"metadata":{"annotations":{"stash.crosswalk.dev/v1beta1":"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"}}`
}

// TestKindSurvivesAnOpenRoot: where one version preserves unknown fields at its
// root and the other does not, kind is no unknown field.
func TestKindSurvivesAnOpenRoot(t *testing.T) {
	crd := versions(t, map[string]string{"v1beta1": spec(""), "v1": spec("a: {type: string}")})
	crd.Spec.Versions[0].Schema = nil
	c, err := conversion.Compile(crd, table(t, `[]`))
	if err != nil {
		t.Fatal(err)
	}
	source := thing("v1beta1", `"spec":{"a":"x"},"extra":1`)
	there := convert(t, c, source, "v1")
	if got, want := strip(t, there), thing("v1", `"spec":{"a":"x"}`); !sameJSON(t, got, want) {
		t.Errorf("the view is %s", got)
	}
	if back := convert(t, c, there, "v1beta1"); !sameJSON(t, back, source) {
		t.Errorf("it came back as %s", back)
	}
	attack := thing("v1", forged(`{"at":["kind"],"value":"Forged"}`, `{"at":["apiVersion"],"value":"Forged"}`, `{"at":["metadata","name"],"value":"Forged"}`))
	if got := convert(t, c, attack, "v1beta1"); !sameJSON(t, got, thing("v1beta1", "")) {
		t.Errorf("a forged stash gives %s", got)
	}
}

// TestForgedAnnotation: the API server refuses to hand out an object that has
// an annotation or a label of another type than string.
func TestForgedAnnotation(t *testing.T) {
	c := compiled(t, spec(""), spec(""), `[{spoke: ".metadata.annotations['e.com/y']"}, {spoke: .metadata.labels.l}]`)
	object := thing("v1", forged(`{"at":["metadata","annotations","e.com/y"],"value":5}`, `{"at":["metadata","labels","l"],"value":"no label!"}`))
	if got := convert(t, c, object, "v1beta1"); !sameJSON(t, got, thing("v1beta1", "")) {
		t.Errorf("got %s", got)
	}
}

// TestForgedNumber: the API server can read no object with a number beyond float64.
func TestForgedNumber(t *testing.T) {
	c := compiled(t, spec("a: {x-kubernetes-preserve-unknown-fields: true}, l: {type: array, items: {type: string}}, b: {type: integer}"), spec("l: {type: array, items: {type: object, properties: {v: {type: string}}}}"), `[{spoke: .spec.l, hub: .spec.l, wrap: v}]`)
	object := thing("v1", forged(`{"at":["spec","a"],"value":{"x":[1e400]}}`, `{"at":["spec","b"],"value":7}`, `{"at":["spec","l"],"order":[{"value":-1e999}]}`)+`,"spec":{"l":[]}`)
	if got, want := convert(t, c, object, "v1beta1"), thing("v1beta1", `"spec":{"b":7,"l":[]}`); !sameJSON(t, got, want) {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestDepth: what may be in an object may be in a stash, and a stash makes no
// object that nests too deep to be read.
func TestDepth(t *testing.T) {
	c := compiled(t, spec("a: {x-kubernetes-preserve-unknown-fields: true}"), spec("b: {type: string}"), `[]`)
	nested := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	source := thing("v1beta1", `"spec":{"a":`+nested(9998)+`}`)
	if back := convert(t, c, convert(t, c, source, "v1"), "v1beta1"); !sameJSON(t, back, source) {
		t.Error("the deepest value that can be is lost")
	}
	out := convert(t, c, thing("v1", forged(`{"at":["spec","a"],"value":`+nested(9999)+`}`)+`,"spec":{}`), "v1beta1")
	if want := thing("v1beta1", `"spec":{}`); !sameJSON(t, out, want) {
		t.Errorf("the forged value gives %d bytes", len(out))
	}
}

// TestMarkHasALimit: the mark of what was left out does not itself break the
// limit of all annotations.
func TestMarkHasALimit(t *testing.T) {
	const list = "l: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [name], items: {type: object, properties: {name: {type: string}%s}}}"
	c := compiled(t, spec(fmt.Sprintf(list, ", p: {type: integer}")), spec(fmt.Sprintf(list, "")), `[]`)
	for _, test := range []struct {
		others int
		mark   string
	}{{0, "v1beta1: 14 more"}, {256<<10 - 60, "v1beta1: 20 more"}, {256<<10 - 30, ""}} {
		var elements []string
		for i := range 20 {
			elements = append(elements, fmt.Sprintf(`{"name":"%02d%s","p":1}`, i, strings.Repeat("n", 20000)))
		}
		source := thing("v1beta1", `"metadata":{"annotations":{"o":"`+strings.Repeat("o", test.others)+`"}},"spec":{"l":[`+strings.Join(elements, ",")+`]}`)
		total := 0
		annotations := decoded(t, convert(t, c, source, "v1")).(map[string]any)["metadata"].(map[string]any)["annotations"].(map[string]any)
		for name, value := range annotations {
			total += len(name) + len(value.(string))
		}
		if mark, _ := annotations["crosswalk.dev/incomplete"].(string); total > 256<<10 || mark != test.mark {
			t.Errorf("beside %d bytes: %d bytes of annotations, mark %.100q", test.others, total, mark)
		}
	}
}

// TestWorkIsBounded: no input makes the work grow with its square. Each case
// takes milliseconds now, and took seconds where it did.
func TestWorkIsBounded(t *testing.T) {
	unraced(t)
	c := compiled(t,
		spec("any: {x-kubernetes-preserve-unknown-fields: true}, o: {type: object, x-kubernetes-preserve-unknown-fields: true, properties: {z: {type: string}}}"),
		spec("any: {x-kubernetes-preserve-unknown-fields: true, nullable: true}, o: {type: object, properties: {z: {type: string}}}, big: {type: array, items: {type: integer}}"), `[]`)
	repeat := func(n int, entry func(i int) string) string {
		entries := make([]string, n)
		for i := range entries {
			entries[i] = entry(i)
		}
		return forged(entries...)
	}
	// Of the first element the other version has nothing, and of each other one it lacks
	// something.
	wrapped := compiled(t, spec("l: {type: array, items: {type: object, properties: {v: {type: string}, p: {type: string}}}}"),
		spec("l: {type: array, items: {type: string}}"), `[{spoke: .spec.l, hub: .spec.l, wrap: v}]`)
	deep := strings.Repeat(`{"p":"`+strings.Repeat("v", 200)+`","b":`, 9900) + "1" + strings.Repeat("}", 9900)
	for _, test := range []struct {
		name, object, to string
		by               *conversion.Converter
	}{
		{"many elements behind one that is not shown", thing("v1beta1", `"spec":{"l":[{}`+strings.Repeat(`,{"v":"x","p":"y"}`, 3000)+`]}`), "v1", wrapped},
		{"many members of a stash", thing("v1", repeat(30_000, func(i int) string { return fmt.Sprintf(`{"at":["spec","o","u%d"],"value":1}`, i) })+`,"spec":{"o":{}}`), "v1beta1", c},
		{"many guards at one place", thing("v1", repeat(3000, func(int) string { return `{"at":["spec"],"guard":"AAAAAAAAAAAAAAAA"}` })+
			`,"spec":{"big":[`+strings.Repeat("1,", 500_000)+`1]}`), "v1beta1", c},
		{"deep and large", thing("v1beta1", `"spec":{"any":`+deep+`,"o":{"u":`+deep+`}}`), "v1", c},
	} {
		took := cputime.Of(func() { convert(t, test.by, test.object, test.to) })
		// Tenths of a second, or seconds under the race detector; before the
		// work was bounded it was minutes.
		if took > 15*time.Second {
			t.Errorf("%s: %v", test.name, took)
		}
	}
}

// TestNullInEnum: apiextensionsv1.JSON reads null as no text at all.
func TestNullInEnum(t *testing.T) {
	const place = "{type: string, nullable: true, enum: [x, null]}"
	compiled(t, spec("a: "+place), spec("b: "+place), `[{spoke: .spec.a, hub: .spec.b}]`)
}

// TestValuesThatAreNoJSON can only come from Go code, but for duplicates.
func TestValuesThatAreNoJSON(t *testing.T) {
	const anything = "{x-kubernetes-preserve-unknown-fields: true}"
	crd := versions(t, map[string]string{"v1beta1": spec("a: " + anything), "v1": spec("b: " + anything)})
	for text, want := range map[string]string{
		``:              "the JSON ends too early",
		`foo`:           "not a value",
		` 5`:            "the value has white space around it",
		`{"a":1,"a":2}`: "occurs twice",
	} {
		value := v1alpha1.Value{JSON: []byte(text)}
		for name, change := range map[string]func(r *v1alpha1.Row){
			"constant": func(r *v1alpha1.Row) { r.Hub, r.Constant = nil, &value },
			"default":  func(r *v1alpha1.Row) { r.Default = &v1alpha1.Default{Hub: &value} },
			"values":   func(r *v1alpha1.Row) { r.Values = map[string]v1alpha1.Value{"x": value} },
			"inverse": func(r *v1alpha1.Row) {
				r.Values, r.Inverse = map[string]v1alpha1.Value{}, map[string]v1alpha1.Value{"x": value}
			},
		} {
			cw := table(t, `[{spoke: .spec.a, hub: .spec.b}]`)
			change(&cw.Spec.Versions[0].Rows[0])
			_, err := conversion.Compile(crd, cw)
			if err == nil || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%s %q: %v", name, text, err)
			}
		}
	}
}
