package lazy

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/ext"
	"google.golang.org/protobuf/types/known/structpb"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/crosswalk-dev/crosswalk/internal/cputime"
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

const sample = `{
	"name": "a\u00e9\n😀", "zero": 0, "minus": -0, "int": 9223372036854775807, "big": 9223372036854775808,
	"float": 1.50, "exp": 1e3, "yes": true, "no": false, "nil": null, "empty": {}, "none": [],
	"l\u0061bels": {"x": "1", "y": "2"},
	"items": [{"a": 1}, {"a": 2, "b": [1, 2.5, "x", null]}, [], "s"],
	"numbers": [3, 1, 2]
}`

// What expressions see is what they see of the decoded object.
func TestExpressionsSeeTheDecodedObject(t *testing.T) {
	env, err := cel.NewEnv(cel.Variable("object", cel.DynType), cel.Variable("other", cel.DynType), ext.Strings(), ext.Lists(), ext.Sets(),
		cel.OptionalTypes(), ext.TwoVarComprehensions(), cel.CrossTypeNumericComparisons(true))
	if err != nil {
		t.Fatal(err)
	}
	var decoded any
	if err := utiljson.Unmarshal([]byte(sample), &decoded); err != nil {
		t.Fatal(err)
	}
	for _, expression := range []string{
		"object.name", "object.zero", "object.minus", "object.int", "object.big", "object.float", "object.exp", "object.yes", "object.no", "object.nil",
		"object.nil == null", "object.empty", "object.none", "size(object)", "size(object.items)", "size(object.labels)", "size(object.empty)",
		"object.labels.x", "object['labels']['y']", "object.missing", "object.labels.missing", "object.name.x", "object.nil.x", "object.items.x",
		"has(object.labels)", "has(object.missing)", "has(object.labels.x)", "has(object.labels.z)", "has(object.nil)", "has(object.nil.x)", "has(object.name.x)",
		"object.items[0].a", "object.items[1].b[1]", "object.items[9]", "object.items[-1]", "object.items['0']", "object.items[1.0]", "object.labels[1]",
		"1 in object.numbers", "4 in object.numbers", "1.0 in object.numbers", "'x' in object.labels", "'z' in object.labels", "1 in object.labels",
		"object == other", "other == object", "object.items == other.items", "object.items == [1]", "object.labels == {'x': '1', 'y': '2'}",
		"{'x': '1', 'y': '2'} == object.labels", "object.labels == {'x': '1', 'y': '3'}", "object.labels == {'x': '1', 'z': '2'}", "[3, 1, 2] == object.numbers",
		"object.labels == object.items", "object.items == object.labels", "object.none == []", "object.empty == {}", "object.nil == object.name", "object.yes == true",
		"object.numbers + [4]", "[4] + object.numbers", "object.numbers + object.numbers", "object.numbers + 1",
		"object.numbers.map(n, n * 2)", "object.numbers.exists(n, n == 2)", "object.numbers.filter(n, n > 1)", "object.labels.all(k, k == 'x' || k == 'y')",
		"object.labels.map(k, object.labels[k]).size()", "object.labels.transformList(k, v, k + v).size()", "object.items.transformList(i, v, i)",
		"object.numbers.sort()", "object.numbers.slice(0, 2)", "[object.numbers].flatten()", "object.numbers.reverse()",
		"sets.contains(object.numbers, [1, 2])", "['a', 'b'].join(object.labels.x)", "object.items[0]", "type(object) == map", "type(object.items) == list",
		"type(object.zero)", "type(object.big)", "type(object.nil)", "type(object.name)", "object.?missing.orValue('none')", "object.?labels.?x.orValue('none')",
		"optional.ofNonZeroValue(object.none).hasValue()", "optional.ofNonZeroValue(object.empty).hasValue()", "optional.ofNonZeroValue(object.items).hasValue()",
		"'%s'.format([object.numbers])", "'%s'.format([object.items[0]])", "object.zero + object.int", "object.int + 1", "dyn(object).name.size()",
		"object < 1", "string(object.items)", "object.big > object.int", "object.labels.exists_one(k, k == 'x')",
	} {
		ast, issues := env.Compile(expression)
		if issues.Err() != nil {
			t.Fatalf("%s: %v", expression, issues.Err())
		}
		program, err := env.Program(ast, cel.EvalOptions(cel.OptOptimize, cel.OptTrackCost))
		if err != nil {
			t.Fatal(err)
		}
		document := NewDocument([]byte(sample))
		run := func(object any) (string, *uint64) {
			value, details, err := program.Eval(map[string]any{"object": object, "other": decoded})
			if err != nil {
				return "error: " + err.Error(), details.ActualCost()
			}
			return fmt.Sprintf("%s %#v", value.Type(), plainly(t, value)), details.ActualCost()
		}
		want, wantCost := run(decoded)
		got, cost := run(document.Root())
		if got != want {
			t.Errorf("%s: %s, want %s", expression, got, want)
		}
		if *cost != *wantCost {
			t.Errorf("%s costs %d, want %d", expression, *cost, *wantCost)
		}
		if document.Err() != nil {
			t.Errorf("%s: %v", expression, document.Err())
		}
	}
}

// plainly gives a value in a form that can be compared.
func plainly(t *testing.T, v ref.Val) any {
	t.Helper()
	converted, err := v.ConvertToNative(reflect.TypeFor[*structpb.Value]())
	if err != nil {
		return types.Format(v)
	}
	return converted.(*structpb.Value).AsInterface()
}

// Numbers keep their kind, and what is built of values is what the decoder gives.
func TestNative(t *testing.T) {
	var want any
	if err := utiljson.Unmarshal([]byte(sample), &want); err != nil {
		t.Fatal(err)
	}
	document := NewDocument([]byte(sample))
	if got := Native(document.Root()); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %#v\nwant %#v", got, want)
	}
	if got := document.Root().Value(); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %#v\nwant %#v", got, want)
	}
}

// What no expression reaches is not even looked at.
func TestReadsOnlyWhatIsReached(t *testing.T) {
	document := NewDocument([]byte(`{"far": {"bad": [1, nonsense]}, "near": 1}`))
	root := document.Root().(*object)
	if value, found := root.Find(types.String("near")); !found || value != types.Int(1) {
		t.Errorf("near is %v", value)
	}
	if document.Err() != nil {
		t.Errorf("somebody looked: %v", document.Err())
	}
	far := root.Get(types.String("far")).(*object)
	far.Get(types.String("bad")).(*list).Size()
	if document.Err() == nil {
		t.Error("nobody looked")
	}
}

func TestRefuses(t *testing.T) {
	for text, want := range map[string]string{
		`{`:                "a value has no end",
		`{} x`:             "byte 3: unexpected 'x'; expected the end of the JSON",
		`{"a":1,}`:         "byte 7: unexpected '}'; expected a member name",
		`{"a" 1}`:          "byte 5: unexpected '1'; expected a colon",
		`[1,]`:             "byte 3: unexpected ']'; expected a value",
		`{"a":1e999}`:      `the number "1e999" is too large`,
		`{"a":1,"a":2}`:    `byte 7: the member "a" occurs twice in one object`,
		"{\"a\":\"\xff\"}": "byte 6: invalid UTF-8 in a string",
		strings.Repeat("[", jsontext.MaxDepth+1) + strings.Repeat("]", jsontext.MaxDepth+1): "it nests deeper than 10000",
	} {
		document := NewDocument([]byte(text))
		Native(document.Root())
		if err := document.Err(); err == nil || err.Error() != "the object is not valid JSON: "+want {
			t.Errorf("%.40s: %v, want %s", text, err, want)
		}
	}
	for _, text := range []string{"", " ", "null"} {
		if document := NewDocument([]byte(text)); document.Root() != types.NullValue || document.Err() != nil {
			t.Errorf("%q is %v, %v", text, document.Root(), document.Err())
		}
	}
}

func TestManyMembers(t *testing.T) {
	var b strings.Builder
	for i := range 100 {
		fmt.Fprintf(&b, `"k%d\u0021":%d,`, i, i)
	}
	root := NewDocument([]byte("{" + strings.TrimSuffix(b.String(), ",") + "}")).Root().(*object)
	for i := range 100 {
		if value := root.Get(types.String(fmt.Sprintf("k%d!", i))); value != types.Int(i) {
			t.Errorf("k%d! is %v", i, value)
		}
	}
	if root.Contains(types.String("k100!")) != types.False {
		t.Error("there is no k100!")
	}
}

// A document that has been given back knows nothing of what it was.
func TestFree(t *testing.T) {
	var want any
	if err := utiljson.Unmarshal([]byte(sample), &want); err != nil {
		t.Fatal(err)
	}
	for range 100 {
		bad := NewDocument([]byte(`{"a":[1,}`))
		Native(bad.Root())
		if bad.Err() == nil {
			t.Fatal("no mistake found")
		}
		bad.Free()
		document := NewDocument([]byte(sample))
		if got := Native(document.Root()); document.Err() != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%v: %#v", document.Err(), got)
		}
		document.Free()
	}
}

// A JSON text is read as the decoder of the API server reads it, or refused.
func FuzzNative(f *testing.F) {
	for _, seed := range []string{sample, `{"a":[{"b":"\ud83d\ude00"}]}`, `[1,-0.0,1e5]`, `{"a":`, `{"":{"":""}}`, `"x"`, `-`, `{]}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		document := NewDocument(text)
		defer document.Free()
		got := Native(document.Root())
		var scanner jsontext.Scanner
		scanner.Reset(text)
		if _, err := scanner.Document(); err != nil {
			if document.Err() == nil && len(strings.TrimSpace(string(text))) > 0 {
				t.Fatalf("took what is not I-JSON: %v", err)
			}
			return
		}
		var want any
		if err := utiljson.Unmarshal(text, &want); err != nil {
			if document.Err() == nil {
				t.Fatalf("took what the API server refuses: %v", err)
			}
			return
		}
		if err := document.Err(); err != nil {
			t.Fatalf("refused: %v", err)
		}
		if !reflect.DeepEqual(got, want) {
			a, _ := json.Marshal(got)
			b, _ := json.Marshal(want)
			t.Fatalf("got %s, want %s", a, b)
		}
		other := types.DefaultTypeAdapter.NativeToValue(want)
		if types.Equal(other, document.Root()) != types.True || types.Equal(document.Root(), other) != types.True {
			t.Fatal("not equal to what it is")
		}
	})
}

// Two long and deep values that differ at the end are compared once, and not once at
// every depth, which would take a hundred times as long.
func TestDeepValuesAreComparedOnce(t *testing.T) {
	deep := func(end string) *Document {
		const depth = 4500
		return NewDocument([]byte(strings.Repeat(`{"a":[`, depth) + `"` + strings.Repeat("x", 3<<20) + end + `"` + strings.Repeat("]}", depth)))
	}
	first, second, third := deep("1"), deep("2"), deep("1")
	took := cputime.Of(func() {
		for range 20 {
			if types.Equal(first.Root(), second.Root()) == types.True || types.Equal(first.Root(), third.Root()) != types.True {
				t.Fatal("not compared at all")
			}
		}
	})
	if took > 5*time.Second {
		t.Errorf("took %v", took)
	}
}
