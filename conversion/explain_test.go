package conversion_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion"
)

// explained is an explanation in short, a line each.
func explained(t testing.TB, c *conversion.Converter, object, to string) string {
	t.Helper()
	e, err := c.Explain(t.Context(), []byte(object), to)
	if err != nil {
		t.Fatal(err)
	}
	if want := convert(t, c, object, to); string(e.Object) != want {
		t.Errorf("the object is %s, and Convert gives %s", e.Object, want)
	}
	var lines []string
	for _, s := range e.Steps {
		if len(e.Steps) > 1 {
			lines = append(lines, fmt.Sprintf("%s to %s by %s", s.From, s.To, s.Rows))
		}
		for _, o := range s.Origins {
			line := fmt.Sprintf("%s %s %s %s %s", o.Path, o.Value, o.By, o.Row, strings.Join(o.From, ","))
			if o.Sensitive {
				line += " sensitive"
			}
			lines = append(lines, line)
		}
		for _, u := range s.Uncomputed {
			lines = append(lines, fmt.Sprintf("uncomputed %s by %s: %s", u.Path, u.Row, u.Needs))
		}
		for _, k := range s.Kept {
			line := fmt.Sprintf("kept %s %s: %s %s %s", k.Path, k.Value, k.Why, k.Row, k.Needs)
			if k.Back != nil {
				line += " back " + string(k.Back)
			}
			if k.LeftOut {
				line += " left out"
			}
			lines = append(lines, line)
		}
		for _, d := range s.Dropped {
			lines = append(lines, fmt.Sprintf("dropped %s by %s: %s", d.Path, d.Row, d.Reason))
		}
		for _, u := range s.Unused {
			lines = append(lines, fmt.Sprintf("unused %s: %s", u.Path, u.Reason))
		}
	}
	for i, line := range lines {
		lines[i] = strings.Join(strings.Fields(line), " ")
	}
	return strings.Join(lines, "\n")
}

// Every place has its origin, and what the target does not show its reason.
func TestExplain(t *testing.T) {
	c := compiled(t,
		spec(`hp: {type: string}, mode: {type: string}, same: {type: object, properties: {x: {type: string}}}, only: {type: string}, gone: {type: string}, token: {type: string}, old: {type: integer, default: 5},
		  deep: {type: object, properties: {a: {type: string}, b: {type: object, properties: {c: {type: string}}}}}, num: {type: integer},
		  jobs: {type: array, items: {type: object, properties: {name: {type: string}, cmd: {type: string}, tty: {type: boolean}}}}`),
		spec(`host: {type: string}, port: {type: string}, policy: {type: string}, same: {type: object, properties: {x: {type: string}}}, mine: {type: string}, fixed: {type: string}, level: {type: integer, default: 3},
		  auth: {type: object, properties: {token: {type: string}}}, num: {type: string},
		  flat: {type: object, properties: {a: {type: string}, b: {type: object, properties: {c: {type: string}}}}},
		  tasks: {type: array, items: {type: object, properties: {name: {type: string}, command: {type: object, properties: {line: {type: string}}}, quiet: {type: boolean}}}}`),
		`[{spoke: .spec.hp, hub: {h: .spec.host, p: .spec.port}, template: "{h}:{p}"},
		  {spoke: .spec.mode, hub: .spec.policy, values: {Allow: Parallel, Deny: Single, Forbid: Single}, inverse: {Single: Deny}, default: {spoke: Allow}},
		  {spoke: .spec.gone, drop: nobody reads it}, {hub: .spec.fixed, constant: x}, {spoke: .spec.token, hub: .spec.auth.token, sensitive: true},
		  {spoke: .spec.deep, hub: .spec.flat}, {spoke: .spec.num, hub: .spec.num, scalar: {spoke: integer, hub: string}},
		  {spoke: .spec.jobs, hub: .spec.tasks, each: {key: name, unique: true, rows: [{spoke: .cmd, hub: .command.line}]}}]`)
	for name, test := range map[string]struct{ object, to, want string }{
		"rows": {
			thing("v1beta1", `"metadata":{"name":"a"},"spec":{"hp":"a:1","mode":"Allow","same":{"x":"1"},"num":7}`), "v1",
			`.kind same
.metadata.name same
.spec.same same
.spec.fixed "x" constant row 4
.spec.host "a" row row 1 .spec.hp
.spec.level 3 default
.spec.num "7" row row 7 .spec.num
.spec.policy "Parallel" row row 2 .spec.mode
.spec.port "1" row row 1 .spec.hp
kept .spec.mode "Allow": another value on the way back row 2`,
		},
		"absence": {
			thing("v1beta1", `"spec":{}`), "v1",
			`.kind same
.spec.fixed "x" constant row 4
.spec.level 3 default
.spec.policy "Parallel" absence row 2 .spec.mode`,
		},
		"kept": {
			thing("v1beta1", `"spec":{"hp":"a","mode":"Forbid","only":"o","old":5,"gone":"g","jobs":[{"name":"n","tty":true}]}`), "v1",
			`.kind same
.spec.fixed "x" constant row 4
.spec.level 3 default
.spec.policy "Single" row row 2 .spec.mode
.spec.tasks[0].name "n" row row 8 .spec.jobs[0].name
kept .spec.hp "a": cannot be mapped row 1 text of the form "{h}:{p}"
kept .spec.mode "Forbid": another value on the way back row 2 back "Deny"
kept .spec.only "o": no such field
kept .spec.jobs[0].tty true: no such field
dropped .spec.gone by row 3: nobody reads it`,
		},
		"nested, moved and sensitive": {
			thing("v1beta1", `"spec":{"token":"secret","deep":{"a":"1","b":{"c":"2"}},"jobs":[{"name":"n","cmd":"x"},{"name":"m","cmd":"y"}]}`), "v1",
			`.kind same
.spec.auth.token row row 5 .spec.token sensitive
.spec.fixed "x" constant row 4
.spec.flat {"a":"1","b":{"c":"2"}} row row 6 .spec.deep
.spec.level 3 default
.spec.policy "Parallel" absence row 2 .spec.mode
.spec.tasks[0].command.line "x" row row 8, each row 1 .spec.jobs[0].cmd
.spec.tasks[0].name "n" row row 8 .spec.jobs[0].name
.spec.tasks[1].command.line "y" row row 8, each row 1 .spec.jobs[1].cmd
.spec.tasks[1].name "m" row row 8 .spec.jobs[1].name`,
		},
		"the hub keeps": {
			thing("v1", `"spec":{"mine":"m","fixed":"y","level":4,"host":"h","tasks":[{"name":"n","quiet":true}],"num":"07"}`), "v1beta1",
			`.kind same
.spec.jobs[0].name "n" row row 8 .spec.tasks[0].name
.spec.num 7 row row 7 .spec.num
.spec.old 5 default
kept .spec.mine "m": no such field
kept .spec.fixed "y": no such field row 4
kept .spec.level 4: no such field
kept .spec.host "h": cannot be mapped row 1 a value for every part of "{h}:{p}", without the text between the parts
kept .spec.tasks[0].quiet true: no such field
kept .spec.num "07": another value on the way back row 7 back "7"
kept .spec.policy : absence row 2 back "Parallel"`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			if got := explained(t, c, test.object, test.to); got != test.want {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}

// What rows could not compute, though there is something that they read. Where that is
// the row's own, it is kept and tells why; where nothing is there, nothing is missed.
func TestExplainUncomputed(t *testing.T) {
	job := func(more string) string {
		return "jobs: {type: array, items: {type: object, properties: {name: {type: string}, cmd: {type: string}" + more + "}}}"
	}
	c := compiled(t, spec("a: {type: string}, b: {type: string}, r: {type: string}, "+job("")), spec("a: {type: string}, b: {type: string}, both: {type: string}, low: {type: integer}, "+job(", line: {type: string}")),
		`[{hub: .spec.both, cel: {toHub: self.spec.a + self.spec.b}}, {spoke: .spec.r, hub: .spec.low, cel: {toHub: "int(self.spec.r.split('-')[0])", toSpoke: "string(self.spec.low) + '-'"}},
		  {spoke: .spec.jobs, hub: .spec.jobs, each: {key: name, unique: true, rows: [{hub: .line, cel: {toHub: self.name + self.cmd}}]}}]`)
	for _, test := range []struct{ body, want string }{
		{`"spec":{"a":"x","b":"y"}`, ".kind same\n.spec.a same\n.spec.b same\n.spec.both \"xy\" row row 1 .spec.a,.spec.b"},
		{`"spec":{"r":"x"}`, ".kind same\n.spec same\nkept .spec.r \"x\": cannot be mapped row 2 a value that the expression can convert; error: type conversion error from 'string' to 'int'"},
		{`"spec":{"a":"x","jobs":[{"name":"n","cmd":"c"},{"name":"m"}]}`, `.kind same
.spec.a same
.spec.jobs[0].cmd "c" row row 3 .spec.jobs[0].cmd
.spec.jobs[0].line "nc" row row 3, each row 1 .spec.jobs[0].name,.spec.jobs[0].cmd
.spec.jobs[0].name "n" row row 3 .spec.jobs[0].name
.spec.jobs[1].name "m" row row 3 .spec.jobs[1].name
uncomputed .spec.both by row 1: a value that the expression can convert; error: no such key: b
uncomputed .spec.jobs[1].line by row 3, each row 1: a value that the expression can convert; error: no such key: cmd`},
	} {
		if got := explained(t, c, thing("v1beta1", test.body), "v1"); got != test.want {
			t.Errorf("%s: got\n%s\nwant\n%s", test.body, got, test.want)
		}
	}
}

// What comes from a stash, and what does not and why.
func TestExplainRestored(t *testing.T) {
	c := compiled(t,
		spec(`hp: {type: string}, only: {type: string}, env: {type: object, additionalProperties: {type: string}}, jobs: {type: array, items: {type: object, properties: {name: {type: string}, tty: {type: boolean}}}}`),
		spec(`host: {type: string}, port: {type: string}, env: {type: array, items: {type: object, properties: {name: {type: string}, value: {type: string}}}}, jobs: {type: array, items: {type: object, properties: {name: {type: string}}}}`),
		`[{spoke: .spec.hp, hub: {h: .spec.host, p: .spec.port}, template: "{h}:{p}"}, {spoke: .spec.env, hub: .spec.env, keyed: {key: name, value: value}},
		  {spoke: .spec.jobs, hub: .spec.jobs, each: {key: name, unique: true, rows: []}}]`)
	there := convert(t, c, thing("v1beta1", `"metadata":{},"spec":{"hp":"a","only":"o","jobs":[{"name":"n","tty":true},{"name":"m","tty":false}]}`), "v1")
	for _, test := range []struct{ old, now, want string }{
		{"", "", `.kind same
.spec.jobs[0].name "n" row row 3 .spec.jobs[0].name
.spec.jobs[0].tty true stash
.spec.jobs[1].name "m" row row 3 .spec.jobs[1].name
.spec.jobs[1].tty false stash
.spec.hp "a" stash
.spec.only "o" stash`},
		{`"spec":{"jobs":[{"name":"n"},`, `"spec":{"host":"b","port":"2","jobs":[`, `.kind same
.spec.hp "b:2" row row 1 .spec.host,.spec.port
.spec.jobs[0].name "m" row row 3 .spec.jobs[0].name
.spec.jobs[0].tty false stash
.spec.only "o" stash
unused .spec.hp: .spec.host or .spec.port was edited, and the edit takes precedence
unused .spec.jobs[{"name":"n"}].tty: the element or field that contains it does not exist`},
		{`"spec":{"jobs":[{"name":"n"},{"name":"m"}]}`, `"spec":{"env":[{"name":"B","value":"1"},{"name":"A","value":"2"}]}`, `.kind same
.spec.env.B "1" row row 2, keyed value row 1 .spec.env[0].value
.spec.env.A "2" row row 2, keyed value row 1 .spec.env[1].value
.spec.hp "a" stash
.spec.only "o" stash
kept .spec.env : order row 2
unused .spec.jobs[{"name":"m"}].tty: the element or field that contains it does not exist
unused .spec.jobs[{"name":"n"}].tty: the element or field that contains it does not exist`},
	} {
		if !strings.Contains(there, test.old) {
			t.Fatalf("%s is not in %s", test.old, there)
		}
		if got := explained(t, c, strings.Replace(there, test.old, test.now, 1), "v1beta1"); got != test.want {
			t.Errorf("got\n%s\nwant\n%s", got, test.want)
		}
	}
}

// Of a text that was written anew, what only it can say is there.
func TestExplainRecalled(t *testing.T) {
	c := compiled(t, spec("a: {type: string}"), spec("b: {type: object, properties: {x: {type: integer}}}"), `[{spoke: .spec.a, hub: .spec.b, text: yaml}]`)
	there := convert(t, c, thing("v1beta1", `"spec":{"a":"x: 1\nown: 2\n"}`), "v1")
	got := explained(t, c, strings.Replace(there, `"x":1`, `"x":5`, 1), "v1beta1")
	if want := `.kind same
.spec.a "own: 2\nx: 5\n" row row 1 .spec.b
unused .spec.a: .spec.b was edited, and the edit takes precedence; details that only the text can represent stay in it`; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// From spoke to spoke there are two steps, and to its own version none.
func TestExplainSteps(t *testing.T) {
	crosswalk := table(t, `[{spoke: .spec.b, hub: .spec.c}]`)
	crosswalk.Spec.Versions = append(crosswalk.Spec.Versions, v1alpha1.VersionTable{Name: "v1alpha1", Rows: table(t, `[{spoke: .spec.a, hub: .spec.c}]`).Spec.Versions[0].Rows})
	c, err := conversion.Compile(versions(t, map[string]string{"v1alpha1": spec(`a: {type: string}`), "v1beta1": spec(`b: {type: string}`), "v1": spec(`c: {type: string}`)}), crosswalk)
	if err != nil {
		t.Fatal(err)
	}
	object := thing("v1alpha1", `"spec":{"a":"x"}`)
	want := `v1alpha1 to v1 by v1alpha1
.kind same
.spec.c "x" row row 1 .spec.a
v1 to v1beta1 by v1beta1
.kind same
.spec.b "x" row row 1 .spec.c`
	if got := explained(t, c, object, "v1beta1"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := explained(t, c, object, "v1alpha1"); got != "" {
		t.Errorf("got %s", got)
	}
	for _, object := range []string{`{}`, `{"apiVersion":"example.com/v1","kind":"Thing","spec":{"a":1,"a":2}}`, `{"apiVersion":"example.com/v1","kind":"Thing",`} {
		e, err := c.Explain(t.Context(), []byte(object), "v1beta1")
		_, want := c.Convert(nil, []byte(object), "v1beta1")
		if err == nil || e != nil || err.Error() != want.Error() {
			t.Errorf("%s: got %v, want %v", object, err, want)
		}
	}
}

// What is too large for annotations is lost, and the explanation says so.
func TestExplainLeftOut(t *testing.T) {
	c := compiled(t, spec(`only: {type: string}`), spec(`x: {type: string}`), `[]`)
	got := explained(t, c, thing("v1beta1", `"spec":{"only":"`+strings.Repeat("x", 200<<10)+`"}`), "v1")
	if !strings.HasSuffix(got, "no such field left out") {
		t.Errorf("got %s", got[max(0, len(got)-200):])
	}
}

// Every place is named from the root, so a long name is told for each place under it.
// What would be too much to tell is refused, soon, and nothing of it stays.
func TestExplainTooMuch(t *testing.T) {
	c := compiled(t,
		spec(`all: {type: object, additionalProperties: {type: object, properties: {l: {type: array, items: {type: object, properties: {a: {type: string}}}}}}}`),
		spec(`all: {type: object, additionalProperties: {type: object, properties: {l: {type: array, items: {type: object, properties: {b: {type: string}}}}}}}`),
		`[{spoke: .spec.all, hub: .spec.all, each: {rows: [{spoke: .l, hub: .l, each: {rows: [{spoke: .a, hub: .b}]}}]}}]`)
	object := thing("v1beta1", `"spec":{"all":{"`+strings.Repeat("k", 10_000)+`":{"l":[`+strings.TrimSuffix(strings.Repeat(`{"a":"x"},`, 10_000), ",")+`]}}}`)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := c.Explain(t.Context(), []byte(object), "v1")
	runtime.ReadMemStats(&after)
	if err == nil || !strings.HasSuffix(err.Error(), "the explanation takes more than 8 MiB; explain a smaller object") {
		t.Errorf("got %v", err)
	}
	if took := (after.TotalAlloc - before.TotalAlloc) >> 20; took > 50 {
		t.Errorf("it took %d MiB", took)
	}
	convert(t, c, object, "v1")
}

// Nobody waits for an explanation any more.
func TestExplainGone(t *testing.T) {
	c := compiled(t, spec(`a: {type: string}`), spec(`a: {type: string}`), `[]`)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.Explain(ctx, []byte(thing("v1beta1", `"spec":{"a":"x"}`)), "v1"); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// What an earlier table has kept is placed, or it stays in its annotation: what it was of equal elements, this
// one's hub knows nothing of.
func TestExplainEarlier(t *testing.T) {
	list := func(keys, fields string) string {
		return spec("list: {type: array, " + keys + "items: {type: object, required: [a], properties: {" + fields + "}}}")
	}
	const keyed = "x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [a], "
	for _, test := range []struct{ keys, want string }{
		{keyed, `.kind same
.metadata.annotations['stash.crosswalk.dev/v1alpha1'] same
.spec.list[0].a same
.spec.list[0].own 2 stash
.spec.list[1].a same
.spec.list[1].own 4 stash`},
		{"", `.kind same
.metadata.annotations['stash.crosswalk.dev/v1alpha1'] same
.spec.list[0].a same
.spec.list[1].a same
unused .spec.list[…].own: an earlier table has kept it, and this table has no place for it; it stays in the annotation
unused .spec.list[…].own: an earlier table has kept it, and this table has no place for it; it stays in the annotation`},
	} {
		crd := versions(t, map[string]string{
			"v1alpha1": list(test.keys, "a: {type: string}, hubs: {type: integer}"),
			"v1beta1":  list(test.keys, "a: {type: string}, hubs: {type: integer}, own: {type: integer}"),
			"v1":       list(test.keys, "a: {type: string}"),
		})
		object := thing("v1beta1", `"spec":{"list":[{"a":"x","hubs":1,"own":2},{"a":"y","hubs":3,"own":4}]}`)
		stored := convert(t, withHub(t, crd, "v1alpha1"), object, "v1")
		if got := explained(t, withHub(t, crd, "v1beta1"), stored, "v1beta1"); got != test.want {
			t.Errorf("got\n%s\nwant\n%s", got, test.want)
		}
	}
}
