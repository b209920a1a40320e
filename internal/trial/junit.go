package trial

import (
	"fmt"
	"strings"

	"github.com/crosswalk-dev/crosswalk/internal/report"
)

// JUnit returns the report for a CI: a suite for each table, and a case for each law that was
// tried.
func (r *Report) JUnit() ([]byte, error) {
	all := report.JUnit{Name: "crosswalk verify"}
	for _, one := range r.Crosswalks {
		suite := all.Suite(one.Name)
		for _, law := range one.Laws {
			if law.Cases == 0 {
				continue
			}
			c := &report.Case{Name: fmt.Sprintf("%s: %s", law.Law, law.Description), ClassName: one.Name, File: one.File, Line: one.Line}
			if found := law.Counterexample; found != nil {
				text := strings.TrimSuffix(found.text(law.Law, r.Again), "\n")
				c.Failure = &report.Failure{Message: found.Problem, Type: string(law.Law), Text: report.Lines(text)}
				if len(found.Rows) > 0 {
					c.Line = found.Rows[0].Line
				}
			}
			suite.Cases = append(suite.Cases, c)
		}
		if r.Interrupted && len(suite.Cases) == 0 {
			suite.Cases = append(suite.Cases, &report.Case{Name: "interrupted", ClassName: one.Name, File: one.File, Line: one.Line,
				Error: &report.Failure{Message: "nothing was tried", Type: "interrupted"}})
		}
	}
	return all.Text()
}
