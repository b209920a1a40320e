package trial

import (
	"bytes"
	"context"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/verify"
	"github.com/crosswalk-dev/crosswalk/internal/config"
)

func load(t *testing.T, paths ...string) *config.Config {
	t.Helper()
	loaded, err := config.Load(paths)
	if err != nil {
		t.Fatal(err)
	}
	return loaded
}

func crontab(t *testing.T, o Options) *Trial {
	t.Helper()
	if o.Compile == nil {
		o.Compile = verify.Compile
	}
	trial, err := New(load(t, "../../examples/crontab"), o)
	if err != nil {
		t.Fatal(err)
	}
	return trial
}

func sample(version, name, spec string) Sample {
	return Sample{
		JSON:   []byte(`{"apiVersion":"stable.example.com/` + version + `","kind":"CronTab","metadata":{"name":"` + name + `"},"spec":` + spec + `}`),
		Source: config.Source{File: "objects.yaml", Document: 1, Line: 7},
	}
}

// The same seed gives the same report, and another seed another one.
func TestRun(t *testing.T) {
	t.Parallel()
	run := func(seed uint64) *Report {
		trial := crontab(t, Options{Seed: seed, Cases: 10})
		if _, err := trial.Add([]Sample{sample("v1", "a", `{"host":"h"}`)}); err != nil {
			t.Fatal(err)
		}
		trial.Run(t.Context())
		return trial.Report("again")
	}
	r := run(1)
	one := r.Crosswalks[0]
	if !r.Holds || r.Interrupted || one.Samples != 1 || one.Name != "crontabs.stable.example.com" || r.Cases < 80 {
		t.Errorf("got %s", r.Text())
	}
	for _, law := range one.Laws {
		if generated := law.Cases - law.Samples; law.Law != verify.Coherent && (generated != 10 || law.Samples == 0) {
			t.Errorf("%s: %d cases, %d of samples", law.Law, law.Cases, law.Samples)
		}
	}
	if row := one.Rows[0]; len(one.Rows) != 1 || row.Values == 0 || row.Line != 14 {
		t.Errorf("got rows %+v", one.Rows)
	}
	if !reflect.DeepEqual(r, run(1)) || reflect.DeepEqual(r, run(2)) {
		t.Error("it is not the seed that makes the report")
	}
}

// wrong is the engine with a mistake.
type wrong struct{ verify.Converter }

func (w wrong) Convert(dst, object []byte, to string) ([]byte, error) {
	out, err := w.Converter.Convert(nil, object, to)
	return append(dst, bytes.ReplaceAll(out, []byte(`"port":"`), []byte(`"port":"0`))...), err
}

func compileWrong(crd *apiextensionsv1.CustomResourceDefinition, table *v1alpha1.Crosswalk) (verify.Converter, error) {
	c, err := verify.Compile(crd, table)
	return wrong{c}, err
}

func TestRunFinds(t *testing.T) {
	t.Parallel()
	trial := crontab(t, Options{Seed: 1, Compile: compileWrong})
	if _, err := trial.Add([]Sample{sample("v1beta1", "a", `{"cronSpec":"* * * * *","image":"i","hostPort":"h:1"}`)}); err != nil {
		t.Fatal(err)
	}
	trial.Run(t.Context())
	r := trial.Report("again")
	c := r.Crosswalks[0].Laws[0].Counterexample
	if r.Holds || c == nil {
		t.Fatal(r.Text())
	}
	if len(c.Rows) != 1 || c.Rows[0].String() != "../../examples/crontab/crosswalk.yaml:14: v1beta1 row 1 (.spec.hostPort <-> .spec.host, .spec.port)" ||
		c.Sample != "objects.yaml:7: CronTab a" || len(c.Object) > 150 || !json.Valid(c.Object) {
		t.Errorf("got %+v", c)
	}
	text := r.Text()
	for _, part := range []string{"  FAIL  L1  ", "made from objects.yaml:7: CronTab a", " laws do not hold.\n"} {
		if !strings.Contains(text, part) {
			t.Errorf("%q is missing in\n%s", part, text)
		}
	}
}

func TestRunEnds(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	tick := make(chan time.Time, 1)
	tick <- time.Time{}
	var progress []string
	trial := crontab(t, Options{Seed: 1, Cases: 1000000, Tick: tick, Say: func(text string) {
		progress = append(progress, text)
		cancel()
	}})
	trial.Run(ctx)
	if r := trial.Report(""); !r.Interrupted || r.Cases == 0 || !r.Holds {
		t.Errorf("got %s", r.Text())
	}
	if len(progress) != 1 || !strings.HasPrefix(progress[0], "crontabs.stable.example.com: ") || !strings.HasSuffix(progress[0], " cases") {
		t.Errorf("progress %q", progress)
	}
}

func TestAdd(t *testing.T) {
	t.Parallel()
	other := Sample{JSON: []byte(`{"apiVersion":"apps/v1","kind":"Deployment"}`), Source: config.Source{File: "objects.yaml", Document: 2, Line: 9}}
	for _, test := range []struct {
		samples []Sample
		others  []string
		want    string
	}{
		{nil, nil, ""},
		{[]Sample{sample("v1", "a", "{}"), other, other}, []string{"Deployment (apps/v1)"}, ""},
		{[]Sample{other}, []string{"Deployment (apps/v1)"}, "no sample has a table: their kinds are Deployment (apps/v1); there are tables for CronTab (stable.example.com)"},
		{[]Sample{sample("v7", "a", "{}"), sample("v1", "b", "{}")}, nil,
			"objects.yaml: document 1, line 7: CronTab a: crontabs.stable.example.com has no version v7; it has v1beta1, v1"},
	} {
		others, err := crontab(t, Options{}).Add(test.samples)
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != test.want || !slices.Equal(others, test.others) {
			t.Errorf("got %v, %q\nwant %q", others, got, test.want)
		}
	}
}

// A sample that cannot be judged is named, and the others are judged.
func TestSampleLeftOut(t *testing.T) {
	t.Parallel()
	trial := crontab(t, Options{Seed: 1})
	odd := sample("v1", "odd", `{}`)
	odd.JSON = bytes.Replace(odd.JSON, []byte(`"name":"odd"`), []byte(`"name":"odd","labels":{"a":1}`), 1)
	if _, err := trial.Add([]Sample{odd, sample("v1", "a", "{}")}); err != nil {
		t.Fatal(err)
	}
	trial.Run(t.Context())
	r := trial.Report("")
	notes := r.Crosswalks[0].Notes
	if len(notes) != 1 || !strings.HasPrefix(notes[0], "objects.yaml:7: CronTab odd was left out: ") || r.Cases == 0 {
		t.Errorf("got %s", r.Text())
	}
}

// A CRD with one version has nothing to convert, and says so.
func TestOneVersion(t *testing.T) {
	t.Parallel()
	loaded := load(t, "../../examples/crontab")
	table := loaded.Tables[0]
	table.CRD, table.Crosswalk = table.CRD.DeepCopy(), table.Crosswalk.DeepCopy()
	table.CRD.Spec.Versions, table.Crosswalk.Spec.Versions = table.CRD.Spec.Versions[1:], nil
	trial, err := New(&config.Config{Tables: []config.Table{table}}, Options{Seed: 1, Cases: 10, Compile: verify.Compile})
	if err != nil {
		t.Fatal(err)
	}
	trial.Run(t.Context())
	if text := trial.Report("").Text(); !strings.Contains(text, "warning: it has only one version, so nothing is ever converted\n") {
		t.Error(text)
	}
}

// What is no structural schema cannot be judged; the error says where the table is.
func TestNotStructural(t *testing.T) {
	t.Parallel()
	loaded := load(t, "../../examples/crontab")
	table := loaded.Tables[0]
	table.CRD = table.CRD.DeepCopy()
	table.CRD.Spec.Versions[0].Schema = nil
	_, err := New(&config.Config{Tables: []config.Table{table}}, Options{Compile: verify.Compile})
	want := "../../examples/crontab/crosswalk.yaml: document 1, line 5: crosswalk crontabs.stable.example.com: version v1beta1 of crontabs.stable.example.com has no schema"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// Values of real objects that a row cannot map are named: no law is broken, but the
// other version does not show them.
func TestUnmapped(t *testing.T) {
	t.Parallel()
	trial := crontab(t, Options{Seed: 1})
	all := []Sample{sample("v1beta1", "a", `{"hostPort":"h:1"}`), sample("v1beta1", "b", `{"hostPort":"h"}`), sample("v1", "c", `{"host":"h"}`)}
	if _, err := trial.Add(all); err != nil {
		t.Fatal(err)
	}
	trial.Run(t.Context())
	one := trial.Report("").Crosswalks[0]
	want := `../../examples/crontab/crosswalk.yaml:14: v1beta1 row 1 (.spec.hostPort <-> .spec.host, .spec.port): 2 values of real objects could not be mapped, ` +
		`the first is .spec.hostPort of objects.yaml:7: CronTab b: v1 can't represent it, because the row takes text of the form "{host}:{port}"`
	if row := one.Rows[0]; strings.Join(one.Notes, "\n") != want || row.Mapped != 2 || row.Unmapped != 2 {
		t.Errorf("got %+v\n%s\nwant\n%s", row, strings.Join(one.Notes, "\n"), want)
	}
}

// A row that maps nothing of what was made for it is named, too.
func TestMapsNothing(t *testing.T) {
	t.Parallel()
	m := &mapped{failed: map[rowName]int{{"v1beta1", "row 1"}: 7, {"v1beta1", "row 2"}: 7, {"v1beta1", "row 3"}: 7},
		done: map[rowName]int{{"v1beta1", "row 2"}: 1, {"v1beta1", "row 3, entries a row 1"}: 1, {"v1beta1", "row 10"}: 1}}
	row := RowReport{Version: "v1beta1", Row: "row 1", Spoke: ".a", Hub: ".b", File: "a.yaml", Line: 3}
	other, around := row, row
	other.Row, around.Row = "row 2", "row 3"
	want := "a.yaml:3: v1beta1 row 1 (.a <-> .b): none of its 7 values could be mapped"
	if got := strings.Join(m.notes([]RowReport{row, other, around}), "\n"); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// What the compiler warns of comes first, with its line.
func TestCompilersWarnings(t *testing.T) {
	t.Parallel()
	loaded := load(t, "../../examples/crontab")
	table := loaded.Tables[0]
	table.CRD = table.CRD.DeepCopy()
	spec := table.CRD.Spec.Versions[1].Schema.OpenAPIV3Schema.Properties["spec"]
	image := spec.Properties["image"]
	image.Enum = []apiextensionsv1.JSON{{Raw: []byte(`"one"`)}}
	spec.Properties["image"] = image
	trial, err := New(&config.Config{Tables: []config.Table{table}}, Options{Compile: verify.Compile})
	if err != nil {
		t.Fatal(err)
	}
	notes := trial.Report("").Crosswalks[0].Notes
	want := `../../examples/crontab/crosswalk.yaml:12: v1beta1: v1beta1 allows any value in .spec.image, but v1 only allows "one" in .spec.image: other values are passed unchanged, but an object with such a value can't be written in v1; ` +
		"map the values, and keep other values: {spoke: .spec.image, hub: .spec.image, values: {one: one}, closed: true}"
	if len(notes) != 1 || notes[0] != want {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(notes, "\n"), want)
	}
}
