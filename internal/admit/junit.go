package admit

import (
	"encoding/xml"
	"strings"
)

// The elements of a JUnit report, as Jenkins, GitLab and GitHub's actions read them
// (https://github.com/testmoapp/junitxml). There are no times: none is measured.
type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Name      string        `xml:"name,attr"`
	ClassName string        `xml:"classname,attr"`
	File      string        `xml:"file,attr"`
	Line      int           `xml:"line,attr"`
	Failure   *junitFailure `xml:"failure"`
	Error     *junitFailure `xml:"error"`
}

type junitFailure struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",cdata"`
}

// CasesJUnit reports on cases for a CI: a suite for each file. A write that cannot be
// played is an error, and one that has another verdict a failure.
func CasesJUnit(outcomes []*Outcome) ([]byte, error) {
	report := junitSuites{Name: "crosswalk admit"}
	for _, o := range outcomes {
		file := o.Case.Source.File
		if n := len(report.Suites); n == 0 || report.Suites[n-1].Name != file {
			report.Suites = append(report.Suites, junitSuite{Name: file})
		}
		suite := &report.Suites[len(report.Suites)-1]
		c := junitCase{Name: o.Case.Name, ClassName: file, File: file, Line: o.Case.Source.Line}
		suite.Tests++
		if !o.Passed() {
			c.fail(o, suite)
		}
		suite.Cases = append(suite.Cases, c)
	}
	for _, suite := range report.Suites {
		report.Tests += suite.Tests
		report.Failures += suite.Failures
		report.Errors += suite.Errors
	}
	text, err := xml.MarshalIndent(report, "", "  ")
	return append([]byte(xml.Header), append(text, '\n')...), err
}

func (c *junitCase) fail(o *Outcome, suite *junitSuite) {
	var lines []string
	for _, d := range o.Differences {
		lines = append(lines, d.String())
	}
	lines = append(lines, o.asked())
	failure := &junitFailure{Message: o.Differences[0].sentence(), Text: "\n" + strings.Join(lines, "\n") + "\n"}
	if o.Result == nil {
		failure.Type, failure.Message = "error", o.Differences[0].Got
		c.Error = failure
		suite.Errors++
		return
	}
	failure.Type = "verdict"
	c.Failure = failure
	suite.Failures++
}
