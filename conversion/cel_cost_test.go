package conversion_test

import (
	"slices"
	"strings"
	"testing"
)

// An expression that may cost more than it is allowed to, for objects that the schema
// allows, is warned of, with the bounds that mend it: with these, nothing is left to
// warn of.
func TestExpensiveExpressions(t *testing.T) {
	const job = "items: {type: object, properties: {name: {type: string}, host: {type: string}, tags: {type: array, items: {type: string}}}}"
	const jobs = "jobs: {type: array, " + job + "}"
	printed := func(row, title, times, schema, bounds string) string {
		return "v1beta1 " + row + ": cel: " + title + " may cost " + times + " the limit of an evaluation (1000000) for the largest objects that the " + schema +
			" schema allows: for such objects it has no value; limit the size of the fields that it reads, in the " + schema + " schema: " + bounds
	}
	for name, test := range map[string]struct {
		beta, v1, rows string
		want           []string
		mended         [2]string
	}{
		"a list": {spec(jobs), spec("names: {type: array, items: {type: string}}"),
			`[{hub: .spec.names, cel: {toHub: "self.spec.jobs.map(j, has(j.name), j.name)"}}]`,
			[]string{printed("row 1 (.spec.names)", "toHub", "17 times", "v1beta1", "maxItems for .spec.jobs")},
			[2]string{spec("jobs: {type: array, maxItems: 1000, " + job + "}"), spec("names: {type: array, items: {type: string}}")}},
		"both ways, by names": {spec("a: {type: string}, b: {type: string}"), spec("p: {type: string}, q: {type: array, maxItems: 3000, items: {type: string, maxLength: 1000}}"),
			`[{spoke: {a: .spec.a, b: .spec.b}, hub: {p: .spec.p, q: .spec.q}, cel: {toHub: {p: self.spec.b, q: "self.spec.a.matches(self.spec.b) ? [] : [self.spec.b]"}, toSpoke: {a: "self.spec.q.map(q, q.lowerAscii())[0]", b: self.spec.p}}}]`,
			[]string{
				printed("row 1 (.spec.a, .spec.b <-> .spec.p, .spec.q)", "toSpoke a", "2 times", "v1", "a smaller maxItems for .spec.q, a smaller maxLength for what is in .spec.q"),
				printed("row 1 (.spec.a, .spec.b <-> .spec.p, .spec.q)", "toHub q", "more than 1000 times", "v1beta1", "maxLength for .spec.a, maxLength for .spec.b"),
			},
			[2]string{spec("a: {type: string, maxLength: 63}, b: {type: string, maxLength: 63}"), spec("p: {type: string}, q: {type: array, maxItems: 100, items: {type: string, maxLength: 1000}}")}},
		"in elements": {spec(jobs), spec(jobs + ", all: {type: string}"),
			`[{spoke: .spec.jobs, hub: .spec.jobs, each: {rows: [{spoke: .host}, {hub: .host, cel: {toHub: "self.?tags.orValue([]).map(t, t + object.metadata.name)[0]"}}]}}]`,
			[]string{printed("row 1, each row 2 (.host)", "toHub", "more than 1000 times", "v1beta1", "maxItems for .spec.jobs.tags, maxLength for what is in .spec.jobs.tags")},
			[2]string{spec("jobs: {type: array, " + strings.Replace(job, "{type: array, items: {type: string}}", "{type: array, maxItems: 20, items: {type: string, maxLength: 63}}", 1) + "}"), ""}},
		"an annotation, which no CRD can bound": {"", spec("names: {type: array, maxItems: 100, items: {type: string, maxLength: 63}}"),
			`[{spoke: ".metadata.annotations['example.com/names']", hub: .spec.names, crosses: true, cel: {toHub: "self.metadata.annotations['example.com/names'].split(',').map(n, n.trim())", toSpoke: "self.spec.names.join(',')"}}]`, nil, [2]string{}},
		"what has no type": {"status: {type: object, x-kubernetes-preserve-unknown-fields: true}", spec("ready: {type: boolean}"),
			`[{hub: .spec.ready, crosses: true, cel: {toHub: "self.status.conditions.exists(c, c.type == 'Ready' && c.status == 'True')"}}]`,
			[]string{printed("row 1 (.spec.ready)", "toHub", "19 times", "v1beta1", "a type for .status.conditions")},
			[2]string{"status: {type: object, properties: {conditions: {type: array, maxItems: 100, items: {type: object, properties: {type: {type: string, maxLength: 316}, status: {type: string, maxLength: 7}}}}}}", ""}},
		"any text": {spec("a: {type: string}, b: {type: string}"), spec("url: {type: string}"),
			`[{hub: .spec.url, cel: {toHub: "'https://' + self.spec.a + ':' + self.spec.b"}}]`, nil, [2]string{}},
	} {
		t.Run(name, func(t *testing.T) {
			warned := func(beta, v1 string) (all []string) {
				for _, w := range compiled(t, beta, v1, test.rows).Warnings() {
					all = append(all, strings.TrimPrefix(w.Error(), "crosswalk things.example.com: "))
				}
				return all
			}
			if got := warned(test.beta, test.v1); !slices.Equal(got, test.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(test.want, "\n"))
			}
			for side, with := range test.mended {
				if with == "" {
					test.mended[side] = [2]string{test.beta, test.v1}[side]
				}
			}
			if left := warned(test.mended[0], test.mended[1]); len(left) > 0 {
				t.Errorf("with bounds there is still %q", left)
			}
		})
	}
}

// One expression of a named table is warned of once, wherever the table is used.
func TestExpensiveExpressionOfATable(t *testing.T) {
	const filter = "{type: object, properties: {tags: {type: string}, net: {type: object, properties: {tags: {type: string}}}}}"
	of := spec("a: " + filter + ", b: " + filter + ", l: {type: array, items: " + filter + "}")
	c, err := tabled(t, of, of, `tables: {filter: [{spoke: .tags, hub: .tags, cel: {toHub: "self.tags.split(',').map(t, t + self.tags).join(',')", toSpoke: self.tags}}]},
		rows: [{spoke: .spec.a, hub: .spec.a, table: filter}, {spoke: .spec.b.net, hub: .spec.b.net, table: filter}, {spoke: .spec.l, hub: .spec.l, each: {table: filter, rows: [{spoke: .net, hub: .net, table: filter}]}}]`)
	if err != nil {
		t.Fatal(err)
	}
	if warnings := c.Warnings(); len(warnings) != 1 || !strings.Contains(warnings[0].Error(), "may cost") {
		t.Errorf("warnings: %v", warnings)
	}
}
