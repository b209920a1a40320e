package admit

import (
	"fmt"
	"strings"

	"github.com/crosswalk-dev/crosswalk/internal/report"
)

// Failed returns the number of failed cases.
func Failed(outcomes []*Outcome) int {
	failed := 0
	for _, o := range outcomes {
		if !o.Passed() {
			failed++
		}
	}
	return failed
}

// CasesText reports on cases for people: a line for each case, and the differences of failed
// ones.
func CasesText(outcomes []*Outcome) string {
	var b strings.Builder
	for _, o := range outcomes {
		mark := "ok  "
		if !o.Passed() {
			mark = "FAIL"
		}
		fmt.Fprintf(&b, "%s  %s\n", mark, o.title())
		if o.Passed() {
			continue
		}
		for _, d := range o.Differences {
			fmt.Fprintf(&b, "      %s\n", strings.ReplaceAll(d.String(), "\n", "\n      "))
		}
		fmt.Fprintf(&b, "        %s\n", o.asked())
	}
	switch failed := Failed(outcomes); {
	case failed > 0:
		fmt.Fprintf(&b, "%d of %s failed (- expected, + actual)\n", failed, counted(len(outcomes)))
	default:
		fmt.Fprintf(&b, "%s passed\n", counted(len(outcomes)))
	}
	return b.String()
}

func (o *Outcome) title() string {
	return fmt.Sprintf("%s:%d: %s", o.Case.Source.File, o.Case.Source.Line, o.Case.Name)
}

// asked lists the policies that were evaluated, because an unexpected verdict often means that
// one was not.
func (o *Outcome) asked() string {
	if o.Result == nil {
		return noneAsked
	}
	return o.Result.asked()
}

func counted(n int) string {
	if n == 1 {
		return "1 case"
	}
	return fmt.Sprintf("%d cases", n)
}

// casesJSON is a report on cases for programs. Fields are only ever added.
type casesJSON struct {
	Cases  int        `json:"cases"`
	Failed int        `json:"failed"`
	Each   []caseJSON `json:"results"`
}

type caseJSON struct {
	File        string       `json:"file"`
	Line        int          `json:"line"`
	Name        string       `json:"name"`
	Passed      bool         `json:"passed"`
	Differences []Difference `json:"differences,omitempty"`
	Verdict     *VerdictJSON `json:"verdict,omitempty"`
}

// CasesJSON reports on cases for programs.
func CasesJSON(outcomes []*Outcome) ([]byte, error) {
	all := casesJSON{Cases: len(outcomes), Failed: Failed(outcomes), Each: []caseJSON{}}
	for _, o := range outcomes {
		one := caseJSON{File: o.Case.Source.File, Line: o.Case.Source.Line, Name: o.Case.Name, Passed: o.Passed(), Differences: o.Differences}
		if o.Result != nil {
			one.Verdict = o.Result.JSON()
		}
		all.Each = append(all.Each, one)
	}
	return report.JSON(all)
}

// ObjectsJSON reports on objects for programs.
func ObjectsJSON(results []*Result) ([]byte, error) {
	all := struct {
		Objects int            `json:"objects"`
		Denied  int            `json:"denied"`
		Each    []*VerdictJSON `json:"results"`
	}{Objects: len(results), Each: []*VerdictJSON{}}
	for _, r := range results {
		if !r.Allowed() {
			all.Denied++
		}
		all.Each = append(all.Each, r.JSON())
	}
	return report.JSON(all)
}
