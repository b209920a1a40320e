package admit

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/equality"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// Difference is something that differs from the expected verdict. Want is empty for something
// unexpected, and Got for something missing.
type Difference struct {
	Want string `json:"want,omitempty"`
	Got  string `json:"got,omitempty"`
}

// String returns a line for each side.
func (d Difference) String() string {
	var lines []string
	if d.Want != "" {
		lines = append(lines, "- "+d.Want)
	}
	if d.Got != "" {
		lines = append(lines, "+ "+d.Got)
	}
	return strings.Join(lines, "\n")
}

// sentence returns the difference in one line.
func (d Difference) sentence() string {
	switch {
	case d.Got == "":
		return "expected " + d.Want
	case d.Want == "":
		return "not expected: " + d.Got
	}
	return "expected " + d.Want + ", got " + d.Got
}

// Compare returns the differences of a result from the expected one.
func (e *Expect) Compare(r *Result) []Difference {
	var all []Difference
	if want := e.Allowed != nil && *e.Allowed; want != r.Allowed() {
		all = append(all, Difference{Want: allowedWord(want), Got: allowedWord(!want)})
	}
	if e.Causes != nil || *e.Allowed {
		all = append(all, e.causes(r)...)
	}
	if e.Warnings != nil {
		all = append(all, e.warnings(r)...)
	}
	for _, key := range slices.Sorted(maps.Keys(e.AuditAnnotations)) {
		want, got := e.AuditAnnotations[key], r.AuditAnnotations[key]
		if want != got {
			d := Difference{Want: fmt.Sprintf("audit annotation %s: %s", key, want)}
			if got != "" {
				d.Got = fmt.Sprintf("audit annotation %s: %s", key, got)
			}
			all = append(all, d)
		}
	}
	if e.Object != nil && r.Allowed() {
		var want any
		if err := utiljson.Unmarshal(e.Object, &want); err != nil {
			return append(all, Difference{Want: "a valid expected object: " + err.Error()})
		}
		var got any
		if r.Object != nil {
			got = r.Object
		}
		all = append(all, part("", want, got)...)
	}
	return all
}

func allowedWord(allowed bool) string {
	if allowed {
		return "allowed"
	}
	return "denied"
}

// causes compares the causes of a denial: each must be expected, and each expected one must be
// there.
func (e *Expect) causes(r *Result) []Difference {
	var want, got []string
	for _, c := range e.Causes {
		text := "cause " + c.Message
		if c.Field != nil {
			text = "cause " + *c.Field + ": " + c.Message
		}
		want = append(want, text)
	}
	for _, c := range r.Causes {
		got = append(got, "cause "+c.Field+": "+c.Message)
	}
	return pair(want, got, func(w, g int) bool {
		want, got := e.Causes[w], r.Causes[g]
		return (want.Field == nil || *want.Field == got.Field) && strings.Contains(got.Message, want.Message)
	})
}

// warnings compares the warnings.
func (e *Expect) warnings(r *Result) []Difference {
	var want, got []string
	for _, text := range e.Warnings {
		want = append(want, "warning "+text)
	}
	for _, text := range r.Warnings {
		got = append(got, "warning "+text)
	}
	return pair(want, got, func(w, g int) bool { return strings.Contains(r.Warnings[g], e.Warnings[w]) })
}

// pair matches expected elements with those found, as many as possible, and returns the rest of
// both sides.
func pair(want, got []string, fits func(want, got int) bool) []Difference {
	of := make([]int, len(got)) // the number of the want that is matched with it, from 1
	var find func(w int, tried []bool) bool
	find = func(w int, tried []bool) bool {
		for g := range got {
			if tried[g] || !fits(w, g) {
				continue
			}
			tried[g] = true
			if of[g] == 0 || find(of[g]-1, tried) {
				of[g] = w + 1
				return true
			}
		}
		return false
	}
	var all []Difference
	for w, text := range want {
		if !find(w, make([]bool, len(got))) {
			all = append(all, Difference{Want: text})
		}
	}
	for g, text := range got {
		if of[g] == 0 {
			all = append(all, Difference{Got: text})
		}
	}
	return all
}

// part returns how a value differs from a partial value. Maps may have more members. A wanted
// null means that nothing may be there.
func part(path string, want, got any) []Difference {
	wanted, ok := want.(map[string]any)
	if !ok {
		if want == nil && got == nil || equality.Semantic.DeepEqual(want, got) {
			return nil
		}
		return []Difference{{Want: describe(path, want), Got: describe(path, got)}}
	}
	has, ok := got.(map[string]any)
	if !ok {
		return []Difference{{Want: describe(path, want), Got: describe(path, got)}}
	}
	var all []Difference
	for _, name := range slices.Sorted(maps.Keys(wanted)) {
		all = append(all, part(path+"."+name, wanted[name], has[name])...)
	}
	return all
}

func describe(path string, value any) string {
	if value == nil {
		return path + " is missing"
	}
	text, err := json.Marshal(value)
	if err != nil {
		return path + ": " + err.Error()
	}
	return fmt.Sprintf("%s: %s", path, text)
}
