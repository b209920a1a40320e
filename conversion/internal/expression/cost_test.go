package expression

import (
	"slices"
	"strings"
	"testing"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
)

func bounded(s schema.Schema, n int64) *schema.Schema {
	s.Max = &n
	return &s
}

// sized is an object of which some places have bounds and some have none.
func sized() *schema.Schema {
	text := &schema.Schema{Type: "string"}
	short := bounded(schema.Schema{Type: "string"}, 20)
	job := func(name *schema.Schema) *schema.Schema {
		return &schema.Schema{Type: "object", Members: map[string]*schema.Schema{"name": name, "port": {Type: "integer"}}}
	}
	return &schema.Schema{Type: "object", Open: true, Members: map[string]*schema.Schema{
		"metadata": {Type: "object", Open: true, Members: map[string]*schema.Schema{"annotations": {Type: "object", Values: &schema.Schema{Type: "string", Text: true}}, "labels": {Type: "object", Values: &schema.Schema{Type: "string", Text: true, Label: true}}}},
		"spec": {Type: "object", Members: map[string]*schema.Schema{
			"text": text, "short": short, "e": {Type: "string", Enum: [][]byte{[]byte(`"a"`), []byte(`"bcd"`)}}, "n": {Type: "integer"}, "any": schema.Any(),
			"jobs": {Type: "array", Items: job(text)}, "few": bounded(schema.Schema{Type: "array", Items: job(short)}, 10),
			"many":  bounded(schema.Schema{Type: "array", Items: job(short)}, 200000),
			"map":   {Type: "object", Values: text},
			"words": bounded(schema.Schema{Type: "array", Items: short}, 10),
		}},
	}}
}

func costOf(t *testing.T, text string) Cost {
	t.Helper()
	l, err := NewLibrary()
	if err != nil {
		t.Fatal(err)
	}
	s := sized()
	e, err := l.Environment("v1", s, s, NewConstants(map[string][]byte{"p": []byte(`"x"`)}))
	if err != nil {
		t.Fatal(err)
	}
	p, wrong := e.Compile(text, schema.Any())
	if wrong != nil {
		t.Fatalf("%s: %v", text, wrong)
	}
	return p.Cost
}

// An expression is found to cost too much where the schema allows objects for which
// it does, however it reaches what it reads, and not where bounds prevent that.
func TestCost(t *testing.T) {
	for text, want := range map[string]string{
		"self.spec.jobs.map(j, j.name)":                                                              "maxItems .spec.jobs",
		"self.?spec.?jobs.orValue([]).map(j, j.name)":                                                "maxItems .spec.jobs",
		"self.spec.?jobs.optMap(l, l.map(j, j.port))":                                                "maxItems .spec.jobs",
		"self.spec.jobs.filter(j, j.port > 1).map(j, j.name)":                                        "maxItems .spec.jobs",
		"(has(self.spec.jobs) ? self.spec.jobs : []).map(j, j.name)":                                 "maxItems .spec.jobs",
		"self.spec.few.map(j, j.name + self.spec.text)":                                              "", // ten of three million characters, at a tenth each
		"self.spec.few.map(j, self.spec.jobs.exists(k, k.name == j.name))":                           "maxItems .spec.jobs, maxLength .spec.jobs.name",
		"self.spec.many.map(j, j.name)":                                                              "a smaller maxItems .spec.many",
		"self.spec.map.map(name, self.spec.map[name].trim())":                                        "maxLength .spec.map, maxProperties .spec.map",
		"self.spec.text.matches(self.spec.text)":                                                     "maxLength .spec.text",
		"self.spec.words.map(w, w.matches(self.spec.text))":                                          "maxLength .spec.text",
		"self.spec.jobs.map(j, j.name.matches('^[a-z]+$'))":                                          "maxItems .spec.jobs, maxLength .spec.jobs.name",
		"lists.range(self.spec.jobs.size()).map(i, self.spec.jobs[i].name)":                          "maxItems .spec.jobs",
		"lists.range(size(self.spec.jobs) - 1).map(i, self.spec.jobs[i + 1].name)":                   "maxItems .spec.jobs",
		"self.spec.?jobs.optMap(l, lists.range(l.size()).map(i, l[i].name))":                         "maxItems .spec.jobs",
		"lists.range(self.spec.text.split(',').size()).map(i, i + 1)":                                "maxLength .spec.text",
		"lists.range(self.spec.few.size() + 1).map(i, self.spec.words.exists(w, w == string(i)))":    "",
		"lists.range(has(self.spec.n) ? 10 : self.spec.words.size()).map(i, self.spec.words[i])":     "",
		"lists.range(100 * self.spec.few.size()).map(i, lists.range(1000).map(j, i + j))":            "a smaller maxItems .spec.few",
		"lists.range(self.spec.jobs.size() > 5 ? 5 : self.spec.few.size()).map(i, self.spec.few[i])": "",
		"self.spec.jobs.map(j, j.name).sort().map(n, n)":                                             "maxItems .spec.jobs",
		"self.spec.jobs.sortBy(j, j.port).map(j, j.name)":                                            "maxItems .spec.jobs",
		"self.spec.jobs.slice(1, self.spec.jobs.size()).reverse().map(j, j.name)":                    "maxItems .spec.jobs",
		"self.spec.few.distinct() == self.spec.few":                                                  "",
		"sets.contains(self.spec.jobs.map(j, j.port), self.spec.few.map(j, j.port))":                 "maxItems .spec.jobs",
		"self.spec.jobs.distinct().size()":                                                           "maxItems .spec.jobs",
		"self.spec.few.reverse().map(j, j.name)":                                                     "",
		"self.spec.any.map(x, x)":                                                                    "type .spec.any",
		"self.spec.few.map(j, j.name + ':' + string(j.port))":                                        "",
		"self.?spec.?few.orValue([]).map(j, j.name)":                                                 "",
		"self.spec.words.map(w, w.upperAscii())":                                                     "",
		"self.spec.short.matches('^[a-z]+$')":                                                        "",
		"self.spec.text + ':' + self.spec.text":                                                      "",
		"self.spec.text.split(',').map(w, w)":                                                        "maxLength .spec.text",
		"self.spec.short.split(',').map(w, w.trim()).join(';')":                                      "",
		"self.spec.text.split(',').map(w, w.trim()).join(';')":                                       "maxLength .spec.text",
		"parameters.p + self.spec.short":                                                             "",
		"[self.spec.text].map(x, x.matches(x))":                                                      "maxLength .spec.text",
		"self.metadata.name.matches('^' + self.metadata.name + '$')":                                 "",
		"self.metadata.?labels[?'a'].orValue('').split('').map(c, c)":                                "",
		"self.metadata.?annotations[?'a'].orValue('').split('').map(c, c)":                           "", // no CRD can bound it
		"self.spec.e.split('').map(c, c)":                                                            "",
	} {
		c := costOf(t, text)
		var got []string
		for _, b := range c.Bounds {
			bounds := b.Keyword + " " + b.Path.String()
			if b.Stated {
				bounds = "a smaller " + bounds
			}
			got = append(got, bounds)
		}
		slices.Sort(got)
		if !c.Exceeds() {
			got = nil
		}
		if bounds := strings.Join(got, ", "); bounds != want {
			t.Errorf("%s may cost %d: bound %q, want %q", text, c.Max, bounds, want)
		}
	}
}

// No evaluation costs more than the estimate for the largest object says.
func TestCostIsEnough(t *testing.T) {
	l, err := NewLibrary()
	if err != nil {
		t.Fatal(err)
	}
	s := sized()
	e, err := l.Environment("v1", s, s, NewConstants(nil))
	if err != nil {
		t.Fatal(err)
	}
	word := `"` + strings.Repeat("é", 20) + `"`
	list := func(of string) string { return "[" + strings.Repeat(of+",", 9) + of + "]" }
	values := map[string]string{"short": word, "few": list(`{"name":` + word + `,"port":8080}`), "words": list(word), "e": `"bcd"`, "n": "5"}
	for _, text := range []string{
		"self.spec.few.map(j, j.name + ':' + string(j.port))", "self.?spec.?few.orValue([]).map(j, j.name)", "self.spec.words.map(w, w.upperAscii())",
		"self.spec.short.matches('^[a-z]+$') ? 'a' : 'b'", "self.spec.short.split('').map(c, c + c)", "self.spec.words.exists(w, w == self.spec.short)",
		"self.spec.few.filter(j, j.port > 1 && j.name.startsWith('é')).map(j, {'name': j.name})", "self.spec.words.join(self.spec.short)", "self.spec.?n.optMap(n, n + 1)",
		"self.spec.words.all(w, self.spec.words.exists(x, x == w))", "has(self.spec.n) ? self.spec.n : 3", "self.spec.short.replace('é', 'ab') + self.spec.e",
	} {
		p, wrong := e.Compile(text, schema.Any())
		if wrong != nil {
			t.Fatalf("%s: %v", text, wrong)
		}
		in := make([][]byte, len(p.Reads))
		for i, read := range p.Reads {
			if value, ok := values[read.Path[len(read.Path)-1]]; ok {
				in[i] = []byte(value)
			} else {
				in[i] = []byte("{}")
			}
		}
		left := uint64(Budget)
		if _, _, err := p.Evaluate(nil, in, &left); err != nil {
			t.Errorf("%s: %v", text, err)
		}
		if spent := Budget - left; spent > p.Cost.Max || spent == 0 {
			t.Errorf("%s costs %d, and at most %d by the estimate", text, spent, p.Cost.Max)
		}
	}
}

func TestCostTimes(t *testing.T) {
	for most, want := range map[uint64]string{Limit + 1: "2 times", 16 * Limit: "16 times", 1 << 62: "more than 1000 times"} {
		if got := (Cost{Max: most}).Times(); got != want {
			t.Errorf("%d: %s", most, got)
		}
	}
}
