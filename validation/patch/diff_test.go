package patch

import (
	"fmt"
	"strings"
	"testing"
)

func TestDiff(t *testing.T) {
	tests := []struct{ name, from, to, want string }{
		{"the same bytes", `{"a":1}`, `{"a":1}`, ``},
		{"other spaces", `{"a":[1,{"b":null}]}`, ` { "a" : [ 1 , { "b" : null } ] } `, ``},
		{"another order", `{"a":1,"b":{"c":2,"d":3}}`, `{"b":{"d":3,"c":2},"a":1}`, ``},
		{"other escapes", `{"a":"<é/>","\u0062":1}`, `{"\u0061":"\u003c\u00e9\/\u003e","b":1}`, ``},
		{"the same number", `[1,0,1.5,1000,0.001,120,0]`, `[1.0,-0.0,15e-1,1e3,10E-4,1.2e+2,0e99999999999999999999]`, ``},
		{"member added", `{"a":1}`, `{"a":1,"b":{"c":[]}}`, `[{"op":"add","path":"/b","value":{"c":[]}}]`},
		{"member removed", `{"a":1,"b":2}`, `{"a":1}`, `[{"op":"remove","path":"/b"}]`},
		{"member replaced", `{"a":1,"b":2}`, `{"a":3,"b":2}`, `[{"op":"replace","path":"/a","value":3}]`},
		{"inside", `{"spec":{"image":"an-image-with-a-long-name","replicas":1}}`, `{"spec":{"image":"an-image-with-a-long-name","replicas":3}}`,
			`[{"op":"replace","path":"/spec/replicas","value":3}]`},
		{"several, in order", `{"z":1,"a":2,"m":3}`, `{"m":4,"b":5,"z":6,"c":7}`,
			`[{"op":"replace","path":"/z","value":6},{"op":"remove","path":"/a"},{"op":"replace","path":"/m","value":4},` +
				`{"op":"add","path":"/b","value":5},{"op":"add","path":"/c","value":7}]`},
		{"another kind", `{"a":{"b":1}}`, `{"a":[1]}`, `[{"op":"replace","path":"/a","value":[1]}]`},
		{"true and false", `{"a":true,"b":false}`, `{"a":false,"b":false}`, `[{"op":"replace","path":"/a","value":false}]`},

		// Null is a value, and no absence.
		{"null for a value", `{"a":1}`, `{"a":null}`, `[{"op":"replace","path":"/a","value":null}]`},
		{"a value for null", `{"a":null}`, `{"a":{}}`, `[{"op":"replace","path":"/a","value":{}}]`},
		{"null added", `{}`, `{"a":null}`, `[{"op":"add","path":"/a","value":null}]`},
		{"null removed", `{"a":null}`, `{}`, `[{"op":"remove","path":"/a"}]`},

		// Empty parents.
		{"into an empty object", `{"metadata":{"annotations":{}}}`, `{"metadata":{"annotations":{"a":"b"}}}`,
			`[{"op":"add","path":"/metadata/annotations/a","value":"b"}]`},
		{"no parent yet", `{"metadata":{"name":"a"}}`, `{"metadata":{"name":"a","annotations":{"a":"b"}}}`,
			`[{"op":"add","path":"/metadata/annotations","value":{"a":"b"}}]`},
		{"an object becomes empty", `{"a":{"b":1}}`, `{"a":{}}`, `[{"op":"remove","path":"/a/b"}]`},
		{"a list becomes empty", `{"a":[1]}`, `{"a":[]}`, `[{"op":"remove","path":"/a/0"}]`},
		{"into an empty list", `{"a":[]}`, `{"a":[null]}`, `[{"op":"add","path":"/a/0","value":null}]`},
		{"everything", `{"a":1}`, `{}`, `[{"op":"remove","path":"/a"}]`},
		{"another root", `{"a":1}`, `[1]`, `[{"op":"replace","path":"","value":[1]}]`},

		// RFC 6901.
		{"slashes and tildes", `{"a/b":{"m~n":1,"":2}}`, `{"a/b":{"m~n":3,"":2}}`, `[{"op":"replace","path":"/a~1b/m~0n","value":3}]`},
		{"escaped slashes and tildes", `{"a\/b\u007e1\u002F":1}`, `{"a\/b\u007e1\u002F":2}`, `[{"op":"replace","path":"/a~1b~01~1","value":2}]`},
		{"a tilde before a number", `{"~1":1,"/0":1}`, `{}`, `[{"op":"remove","path":"/~01"},{"op":"remove","path":"/~10"}]`},
		{"an empty name", `{"":{"":1}}`, `{"":{"":2}}`, `[{"op":"replace","path":"//","value":2}]`},
		{"names that want escapes", `{}`, `{"\"\\\n\u0001é":1}`, `[{"op":"add","path":"/\"\\\n\u0001é","value":1}]`},
		{"names like indexes", `{"0":1,"-":2}`, `{"-":3}`, `[{"op":"remove","path":"/0"},{"op":"replace","path":"/-","value":3}]`},

		// Numbers.
		{"beyond 2^53", `{"a":9007199254740993}`, `{"a":9007199254740992}`, `[{"op":"replace","path":"/a","value":9007199254740992}]`},
		{"the largest int64", `{"a":9223372036854775807}`, `{"a":9223372036854775808}`, `[{"op":"replace","path":"/a","value":9223372036854775808}]`},
		{"beyond float64", `{"a":1e400}`, `{"a":1e401}`, `[{"op":"replace","path":"/a","value":1e401}]`},
		{"an exponent beyond int64", `{"a":1e99999999999999999999}`, `{"a":1E99999999999999999999}`,
			`[{"op":"replace","path":"/a","value":1E99999999999999999999}]`},
		{"signs", `{"a":-1}`, `{"a":1}`, `[{"op":"replace","path":"/a","value":1}]`},

		// Lists.
		{"appended", `{"a":["a long string, and a longer one still",2]}`, `{"a":["a long string, and a longer one still",2,3,4]}`,
			`[{"op":"add","path":"/a/2","value":3},{"op":"add","path":"/a/3","value":4}]`},
		{"appended to next to nothing", `{"a":[1,2]}`, `{"a":[1,2,3,4]}`, `[{"op":"replace","path":"/a","value":[1,2,3,4]}]`},
		{"put first", `{"a":["one","two"]}`, `{"a":["none","one","two"]}`, `[{"op":"add","path":"/a/0","value":"none"}]`},
		{"cut in the middle", `["a long string",1,2,3,"another long string"]`, `["a long string",3,"another long string"]`,
			`[{"op":"remove","path":"/1"},{"op":"remove","path":"/1"}]`},
		{"cut at the end", `["a long string",1,2]`, `["a long string"]`, `[{"op":"remove","path":"/1"},{"op":"remove","path":"/1"}]`},
		{"an element changed inside", `{"jobs":[{"name":"a","cmd":"x"},{"name":"b","cmd":"y"}]}`, `{"jobs":[{"name":"a","cmd":"x"},{"name":"b","cmd":"z"}]}`,
			`[{"op":"replace","path":"/jobs/1/cmd","value":"z"}]`},
		{"two cut, far apart", `["1 long string","2 long string","3 long string","4 long string","5 long string"]`, `["1 long string","3 long string","5 long string"]`,
			`[{"op":"remove","path":"/1"},{"op":"remove","path":"/2"}]`},
		{"one comes and one changes", `[{"name":"the first"},{"name":"the second"},{"name":"the third","x":1}]`,
			`[{"name":"new"},{"name":"the first"},{"name":"the second"},{"name":"the third","x":2}]`,
			`[{"op":"add","path":"/0","value":{"name":"new"}},{"op":"replace","path":"/3/x","value":2}]`},
		{"equal elements written otherwise", `[{"b":"a long string","a":"another"},1]`, `[0,{"a":"anoth\u0065r","b":"a long string"},1]`,
			`[{"op":"add","path":"/0","value":0}]`},
		{"equal elements told apart", `[1,1,1,1]`, `[1,1]`, `[{"op":"remove","path":"/2"},{"op":"remove","path":"/2"}]`},

		// A value is replaced where that is shorter.
		{"all of it changed", `{"spec":{"a":1,"b":2,"c":3,"d":4}}`, `{"spec":{"a":5,"b":6,"c":7,"d":8}}`,
			`[{"op":"replace","path":"/spec","value":{"a":5,"b":6,"c":7,"d":8}}]`},
		{"all of a list changed", `{"a":[1,2,3]}`, `{"a":[4,5,6]}`, `[{"op":"replace","path":"/a","value":[4,5,6]}]`},
		{"never the whole object", `{"a":1,"b":2}`, `{"c":3,"d":4}`,
			`[{"op":"remove","path":"/a"},{"op":"remove","path":"/b"},{"op":"add","path":"/c","value":3},{"op":"add","path":"/d","value":4}]`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := Diff(nil, []byte(test.from), []byte(test.to))
			if err != nil || string(got) != test.want {
				t.Errorf("\n got %s, %v\nwant %s", got, err, test.want)
			}
			mustGive(t, test.from, got, test.to)
		})
	}
}

// TestDiffAppends: what dst holds stays.
func TestDiffAppends(t *testing.T) {
	for _, to := range []string{`{}`, `{"a":1}`} {
		got, err := Diff([]byte("before"), []byte(`{}`), []byte(to))
		if err != nil || !strings.HasPrefix(string(got), "before") || (to == `{}`) != (string(got) == "before") {
			t.Errorf("%s: %s, %v", to, got, err)
		}
	}
}

func TestDiffErrors(t *testing.T) {
	deep := strings.Repeat("[", 10_001) + strings.Repeat("]", 10_001)
	tests := []struct{ from, to, want string }{
		{`{`, `{}`, `the document to be patched: byte 1: the JSON ends too early; expected a member name or }`},
		{`{}`, `{"a":1,"a":1}`, `the document after the patch: byte 7: the member "a" occurs twice in one object`},
		{`{}`, "{\"a\":\"\xff\"}", `the document after the patch: byte 6: invalid UTF-8 in a string`},
		{`{}`, ``, `the document after the patch: byte 0: the JSON ends too early; expected a value`},
		{`{} x`, `{}`, `the document to be patched: byte 3: unexpected 'x'; expected the end of the JSON`},
		{`[1,`, `{}`, `the document to be patched: byte 3: the JSON ends too early; expected a value`},
		{`[1 2]`, `{}`, `the document to be patched: byte 3: unexpected '2'; expected a comma or ]`},
		{`{"a":01}`, `{}`, `the document to be patched: byte 6: unexpected '1'; expected a comma or }`},
		{`{}`, deep, `the document after the patch: byte 10000: nested more than 10000 levels deep`},
	}
	for _, test := range tests {
		got, err := Diff([]byte("x"), []byte(test.from), []byte(test.to))
		if err == nil || err.Error() != test.want || string(got) != "x" {
			t.Errorf("%.40s: %s, %v, want %s", test.to, got, err, test.want)
		}
	}
}

// TestManyMembers: objects whose members were put in another order cost no
// square.
func TestManyMembers(t *testing.T) {
	const n = 50_000
	var from, to strings.Builder
	for i := range n {
		fmt.Fprintf(&from, `,"k%d":%d`, i, i)
		fmt.Fprintf(&to, `,"k%d":%d`, n-1-i, n-1-i)
	}
	got, err := Diff(nil, []byte(`{`+from.String()[1:]+`}`), []byte(`{`+to.String()[1:]+`,"x":1}`))
	if want := `[{"op":"add","path":"/x","value":1}]`; err != nil || string(got) != want {
		t.Errorf("%.200s, %v", got, err)
	}
}

// TestLongPaths: a long name above much that changes is not written once for
// each of it.
func TestLongPaths(t *testing.T) {
	name := strings.Repeat("~", 1<<20)
	inside := func(members []string) string { return `{"a":{"` + name + `":{` + strings.Join(members, ",") + `}}}` }
	var from, to []string
	for i := range 10_000 {
		from = append(from, fmt.Sprintf(`"k%d":0`, i))
		to = append(to, fmt.Sprintf(`"k%d":1`, i))
	}
	got, err := Diff(nil, []byte(inside(from)), []byte(inside(to)))
	if err != nil || len(got) > 3<<20 {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}

// TestDeep: nor does nesting make it slow.
func TestDeep(t *testing.T) {
	nest := func(leaf string) []byte {
		open, end := strings.Repeat(`{"~~~~~~~~~~~~":[`, 4_900), strings.Repeat(`]}`, 4_900)
		return []byte(open + leaf + end)
	}
	long := strings.Repeat("x", 1<<20)
	got, err := Diff(nil, nest(`"`+long+`"`), nest(`"`+long+`y"`))
	if err != nil || len(got) > 2<<20 {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}

// TestLongLists: lists too long to be aligned are compared by position.
func TestLongLists(t *testing.T) {
	var from, to []string
	for i := range 10_000 {
		from = append(from, fmt.Sprint(i))
		to = append(to, fmt.Sprint(i+1))
	}
	a, b := `{"a":[`+strings.Join(from, ",")+`]}`, `{"a":[`+strings.Join(to, ",")+`]}`
	got, err := Diff(nil, []byte(a), []byte(b))
	if err != nil {
		t.Fatal(err)
	}
	mustGive(t, a, got, b)
	if len(got) > len(b)+100 {
		t.Errorf("%d bytes for a list of %d", len(got), len(b))
	}
}
