package oracle

import (
	"encoding/json"
	"maps"
	"reflect"
	"strings"
	"testing"

	"github.com/crosswalk-dev/crosswalk/e2e/internal/exact"
)

func parse(t *testing.T, data []byte) exact.Value {
	t.Helper()
	v, err := exact.Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// absent stands for what is not there.
type absent struct{}

// walk tells the smallest places where two values differ, or those that are to be
// compared as a whole. An object that one side lacks differs at each of its members.
func walk(place string, kubernetes, crosswalk exact.Value, whole func(place string) bool, differ func(place, kubernetes, crosswalk string)) {
	if whole(place) {
		if !reflect.DeepEqual(kubernetes, crosswalk) {
			differ(place, shape(kubernetes), shape(crosswalk))
		}
		return
	}
	if k, x, both := members(kubernetes, crosswalk); both {
		names := map[string]any{}
		maps.Copy(names, k)
		maps.Copy(names, x)
		for name := range names {
			walk(place+step(name), member(k, name), member(x, name), whole, differ)
		}
		return
	}
	if k, ok := kubernetes.([]any); ok {
		if x, ok := crosswalk.([]any); ok && len(k) == len(x) {
			for i := range k {
				walk(place+"[]", k[i], x[i], whole, differ)
			}
			return
		}
	}
	if !reflect.DeepEqual(kubernetes, crosswalk) {
		differ(place, shape(kubernetes), shape(crosswalk))
	}
}

// members are the members of two objects, of which one may be absent if the other
// has any.
func members(kubernetes, crosswalk exact.Value) (k, x map[string]any, both bool) {
	k, isK := kubernetes.(map[string]any)
	x, isX := crosswalk.(map[string]any)
	_, lacksK := kubernetes.(absent)
	_, lacksX := crosswalk.(absent)
	return k, x, isK && isX || isK && lacksX && len(k) > 0 || isX && lacksK && len(x) > 0
}

// step is a name in a path, in quotes where a table needs them.
func step(name string) string {
	if strings.ContainsAny(name, "./") {
		return "['" + name + "']"
	}
	return "." + name
}

func member(object map[string]any, name string) exact.Value {
	if v, found := object[name]; found {
		return v
	}
	return absent{}
}

// shape is what differences.yaml calls a value.
func shape(v exact.Value) string {
	switch v := v.(type) {
	case absent:
		return "absent"
	case nil:
		return "null"
	case map[string]any:
		if len(v) == 0 {
			return "{}"
		}
		return "object"
	case []any:
		if len(v) == 0 {
			return "[]"
		}
		return "list"
	case string:
		if v == "" {
			return `""`
		}
		return "text"
	case json.Number:
		if v == "0" {
			return "0"
		}
		return "number"
	case bool:
		if v {
			return "true"
		}
	}
	return "false"
}

// TestWalk keeps the comparison honest: what it does not see, nothing sees.
func TestWalk(t *testing.T) {
	values := []string{`null`, `0`, `1`, `""`, `"a"`, `false`, `true`, `{}`, `[]`, `[1]`}
	shapes := []string{"null", "0", "number", `""`, "text", "false", "true", "{}", "[]", "list"}
	for i, a := range values {
		for j, b := range values {
			want := shapes[i] + " " + shapes[j] + " at .list[].x"
			if i == j {
				want = ""
			}
			if got := walked(t, `{"list":[{"x":`+a+`}]}`, `{"list":[{"x":`+b+`}]}`); got != want {
				t.Errorf("%s and %s: %q, want %q", a, b, got, want)
			}
		}
	}
	for _, test := range []struct{ kubernetes, crosswalk, want string }{
		{`{"x":0}`, `{}`, "0 absent at .x"},
		{`{"x":{}}`, `{}`, "{} absent at .x"},
		{`{"x":{"a.b/c":1}}`, `{}`, "number absent at .x['a.b/c']"},
		{`{}`, `{"x":{"y":{"z":null}}}`, "absent null at .x.y.z"},
		{`{"x":{"y":1}}`, `{"x":[1]}`, "object list at .x"},
		{`{"x":[1,2]}`, `{"x":[1]}`, "list list at .x"},
		{`{"x":[1,2]}`, `{"x":[2,1]}`, "number number at .x[], number number at .x[]"},
		{`{"whole":{"y":[1,2]}}`, `{"whole":{"y":[2,1]}}`, "object object at .whole"},
		{`{"whole":{"y":[1,2]}}`, `{"whole":{"y":[1,2]}}`, ""},
		{`{"x":9007199254740993}`, `{"x":9007199254740992}`, "number number at .x"},
	} {
		if got := walked(t, test.kubernetes, test.crosswalk); got != test.want {
			t.Errorf("%s and %s: %q, want %q", test.kubernetes, test.crosswalk, got, test.want)
		}
	}
}

func walked(t *testing.T, kubernetes, crosswalk string) string {
	t.Helper()
	var all []string
	whole := func(place string) bool { return place == ".whole" }
	walk("", parse(t, []byte(kubernetes)), parse(t, []byte(crosswalk)), whole, func(place, k, x string) {
		all = append(all, k+" "+x+" at "+place)
	})
	return strings.Join(all, ", ")
}
