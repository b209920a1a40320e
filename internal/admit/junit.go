package admit

import "github.com/crosswalk-dev/crosswalk/internal/report"

// CasesJUnit reports on cases for a CI: a suite for each file. A write that cannot be evaluated
// is an error, and one with another verdict a failure.
func CasesJUnit(outcomes []*Outcome) ([]byte, error) {
	all := report.JUnit{Name: "crosswalk admit"}
	for _, o := range outcomes {
		file := o.Case.Source.File
		c := &report.Case{Name: o.Case.Name, ClassName: file, File: file, Line: o.Case.Source.Line}
		if !o.Passed() {
			o.fail(c)
		}
		suite := all.Suite(file)
		suite.Cases = append(suite.Cases, c)
	}
	return all.Text()
}

func (o *Outcome) fail(c *report.Case) {
	var lines []string
	for _, d := range o.Differences {
		lines = append(lines, d.String())
	}
	lines = append(lines, o.asked())
	failure := &report.Failure{Message: o.Differences[0].sentence(), Text: report.Lines(lines...)}
	if o.Result == nil {
		failure.Type, failure.Message = "error", o.Differences[0].Got
		c.Error = failure
		return
	}
	failure.Type = "verdict"
	c.Failure = failure
}
