package report

import (
	"encoding/xml"
	"strings"
)

// JUnit is a report in the format that Jenkins, GitLab and GitHub's actions read
// (https://github.com/testmoapp/junitxml). It has no times: none is measured.
type JUnit struct {
	XMLName  xml.Name `xml:"testsuites"`
	Name     string   `xml:"name,attr"`
	Tests    int      `xml:"tests,attr"`
	Failures int      `xml:"failures,attr"`
	Errors   int      `xml:"errors,attr"`
	Suites   []Suite  `xml:"testsuite"`
}

// Suite is a part of a report, named for what is tested.
type Suite struct {
	Name     string  `xml:"name,attr"`
	Tests    int     `xml:"tests,attr"`
	Failures int     `xml:"failures,attr"`
	Errors   int     `xml:"errors,attr"`
	Cases    []*Case `xml:"testcase"`
}

// Case is one test. It has passed if it has neither a failure nor an error. An error means that
// the test could not be run.
type Case struct {
	Name      string   `xml:"name,attr"`
	ClassName string   `xml:"classname,attr"`
	File      string   `xml:"file,attr"`
	Line      int      `xml:"line,attr"`
	Failure   *Failure `xml:"failure"`
	Error     *Failure `xml:"error"`
}

// Failure describes what is wrong, in a sentence and in full.
type Failure struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",cdata"`
}

// Suite returns the last suite, or a new one if that has another name.
func (r *JUnit) Suite(name string) *Suite {
	if n := len(r.Suites); n == 0 || r.Suites[n-1].Name != name {
		r.Suites = append(r.Suites, Suite{Name: name})
	}
	return &r.Suites[len(r.Suites)-1]
}

// Text writes the report, with the numbers of cases.
func (r *JUnit) Text() ([]byte, error) {
	r.Tests, r.Failures, r.Errors = 0, 0, 0
	for i := range r.Suites {
		s := &r.Suites[i]
		s.Tests, s.Failures, s.Errors = len(s.Cases), 0, 0
		for _, c := range s.Cases {
			if c.Failure != nil {
				s.Failures++
			}
			if c.Error != nil {
				s.Errors++
			}
		}
		r.Tests, r.Failures, r.Errors = r.Tests+s.Tests, r.Failures+s.Failures, r.Errors+s.Errors
	}
	text, err := xml.MarshalIndent(r, "", "  ")
	return append([]byte(xml.Header), append(text, '\n')...), err
}

// Lines joins the lines of a failure.
func Lines(lines ...string) string { return "\n" + strings.Join(lines, "\n") + "\n" }
