package trial

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/crosswalk-dev/crosswalk/conversion/verify"
	"github.com/crosswalk-dev/crosswalk/internal/report"
)

// Report is the result of a trial. Programs read it, so fields are only ever added.
type Report struct {
	Seed uint64 `json:"seed"`
	// Cases is the number of all cases that were tried.
	Cases int `json:"cases"`
	// Holds reports that no case broke its law.
	Holds bool `json:"holds"`
	// Interrupted reports that not everything was tried.
	Interrupted bool           `json:"interrupted,omitempty"`
	Crosswalks  []*TableReport `json:"crosswalks"`
	// Again is the command that finds the same.
	Again string `json:"command"`
}

// TableReport is the result for one table.
type TableReport struct {
	Name     string   `json:"name"`
	File     string   `json:"file"`
	Line     int      `json:"line"`
	Hub      string   `json:"hub"`
	Versions []string `json:"versions"`
	// Samples is the number of real objects.
	Samples int          `json:"samples"`
	Laws    []*LawReport `json:"laws"`
	Rows    []RowReport  `json:"rows"`
	// Classes maps the classes of input to how often each occurred.
	Classes map[string]int `json:"classes"`
	Notes   []string       `json:"notes,omitempty"`
}

// LawReport is the result for one law.
type LawReport struct {
	Law         verify.Law `json:"law"`
	Description string     `json:"description"`
	// Cases is how many cases were tried, and Samples how many of them were made from real
	// objects.
	Cases          int             `json:"cases"`
	Samples        int             `json:"ofSamples"`
	Counterexample *Counterexample `json:"counterexample,omitempty"`
}

// RowReport is a row and its place in the file.
type RowReport struct {
	Version string `json:"version"`
	Row     string `json:"row"`
	Spoke   string `json:"spoke,omitempty"`
	Hub     string `json:"hub,omitempty"`
	File    string `json:"file"`
	Line    int    `json:"line"`
	// Values is how often one of its places had a value.
	Values int `json:"values,omitempty"`
	// Mapped and Unmapped are the numbers of values that the row has mapped, and could not map.
	Mapped   int `json:"mapped,omitempty"`
	Unmapped int `json:"unmapped,omitempty"`
}

// Counterexample is the smallest case that was found to break a law.
type Counterexample struct {
	Problem string `json:"problem"`
	// Object is in the version From. It was converted to the other versions in turn.
	From    string          `json:"from"`
	Through []string        `json:"through"`
	Object  json.RawMessage `json:"object"`
	// Served reports that the object passed through an API server between the conversions.
	Served bool `json:"apiServer,omitempty"`
	// Edits are the edits of the object in the first version of Through.
	Edits []string `json:"edits,omitempty"`
	// Damage describes how a stash was damaged there.
	Damage string `json:"damage,omitempty"`
	Steps  []Step `json:"steps"`
	// Differences are in the version Version.
	Version     string       `json:"version"`
	Differences []Difference `json:"differences,omitempty"`
	// Rows are to blame. If there are none, no row is involved.
	Rows []RowReport `json:"rows,omitempty"`
	// Sample names the real object of which it was made. Generated is the number of the
	// generated object.
	Sample    string `json:"sample,omitempty"`
	Generated int    `json:"generated,omitempty"`
}

// Step is one conversion.
type Step struct {
	From   string          `json:"from"`
	To     string          `json:"to"`
	Input  json.RawMessage `json:"input"`
	Output json.RawMessage `json:"output,omitempty"`
	Error  string          `json:"error,omitempty"`
}

// Difference is a place with the expected and the actual value. A missing value is absent.
type Difference struct {
	Path string          `json:"path"`
	Want json.RawMessage `json:"want,omitempty"`
	Got  json.RawMessage `json:"got,omitempty"`
}

// Report returns the result. again is the command that finds the same.
func (t *Trial) Report(again string) *Report {
	r := &Report{Seed: t.o.Seed, Holds: true, Interrupted: t.interrupted, Again: again, Crosswalks: []*TableReport{}}
	for _, o := range t.tables {
		one := o.report()
		for _, law := range one.Laws {
			r.Cases += law.Cases
			r.Holds = r.Holds && law.Counterexample == nil
		}
		r.Crosswalks = append(r.Crosswalks, one)
	}
	return r
}

func (o *table) report() *TableReport {
	r := &TableReport{
		Name: o.Crosswalk.Name, File: o.Source.File, Line: o.Source.Line, Hub: o.Crosswalk.Spec.Hub, Versions: o.judge.Subject.Versions(),
		Samples: o.judged, Laws: []*LawReport{}, Rows: []RowReport{}, Classes: o.judge.Seen.Classes(),
	}
	for _, law := range verify.Laws() {
		one := &LawReport{Law: law, Description: law.Description(), Cases: o.judge.Tried[law], Samples: o.judge.Samples[law]}
		if found := o.judge.Found[law]; found != nil {
			one.Counterexample = o.counterexample(found)
		}
		r.Laws = append(r.Laws, one)
	}
	for _, use := range o.judge.Uses.All() {
		row := o.row(use.RowRef)
		name := rowName{use.Version, use.Title}
		row.Values, row.Mapped, row.Unmapped = use.Times, o.mapped.done[name], o.mapped.failed[name]
		r.Rows = append(r.Rows, row)
	}
	r.Notes = slices.Concat(o.warnings(), o.mapped.notes(r.Rows), o.notes)
	return r
}

// warnings returns the warnings of the compiler, with their files and lines.
func (o *table) warnings() []string {
	var all []string
	for _, w := range o.mapped.converter.Warnings() {
		text := strings.TrimPrefix(w.Error(), "crosswalk "+o.Crosswalk.Name+": ")
		all = append(all, fmt.Sprintf("%s:%d: %s", o.Source.File, o.Line(w.Version, w.Row), text))
	}
	return all
}

func (o *table) row(ref verify.RowRef) RowReport {
	return RowReport{
		Version: ref.Version, Row: ref.Title, Spoke: ref.Spoke, Hub: ref.Hub,
		File: o.Source.File, Line: o.Line(ref.Version, ref.Title),
	}
}

func (o *table) counterexample(f *verify.Found) *Counterexample {
	c := &Counterexample{
		Problem: f.Problem, From: f.From, Through: f.Through, Object: f.Object, Served: f.Served,
		Version: f.Version(), Sample: f.Sample, Generated: f.Generated,
	}
	for _, e := range f.Edits {
		c.Edits = append(c.Edits, e.String())
	}
	if f.Damage != nil {
		c.Damage = f.Damage.String()
	}
	for _, s := range f.Steps {
		step := Step{From: s.From, To: s.To, Input: s.In, Output: s.Out}
		if s.Err != nil {
			step.Error = s.Err.Error()
		}
		c.Steps = append(c.Steps, step)
	}
	for _, d := range f.Diff {
		one := Difference{Path: d.Path.String()}
		if d.Left != nil {
			one.Want = d.Left.Append(nil)
		}
		if d.Right != nil {
			one.Got = d.Right.Append(nil)
		}
		c.Differences = append(c.Differences, one)
	}
	for _, ref := range f.Rows() {
		c.Rows = append(c.Rows, o.row(ref))
	}
	return c
}

// String names a row as messages do, with its file and line.
func (r RowReport) String() string {
	ref := verify.RowRef{Version: r.Version, Title: r.Row, Spoke: r.Spoke, Hub: r.Hub}
	return fmt.Sprintf("%s:%d: %v", r.File, r.Line, ref)
}

func cases(n int) string {
	if n == 1 {
		return "1 case"
	}
	return fmt.Sprintf("%d cases", n)
}

// JSON returns the report for programs.
func (r *Report) JSON() ([]byte, error) { return report.JSON(r) }
