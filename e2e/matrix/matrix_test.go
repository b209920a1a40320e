package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
)

var root = filepath.Join("..", "..")

// passes are the events of go test where everything passes.
func passes() []string {
	var events []string
	for _, p := range parts() {
		for _, folder := range p.packages {
			events = append(events, fmt.Sprintf(`{"Action":"pass","Package":"example.com/e2e/%s","Elapsed":7.2}`, folder))
		}
	}
	return events
}

func judge(t *testing.T, events []string) (v verdict, log, progress string) {
	t.Helper()
	var printed, said strings.Builder
	v, err := read(strings.NewReader(strings.Join(events, "\n")), &printed, &said)
	if err != nil {
		t.Fatal(err)
	}
	return v, printed.String(), said.String()
}

func TestAllPass(t *testing.T) {
	v, log, progress := judge(t, append([]string{
		`{"Action":"output","Package":"example.com/e2e/migrate","Test":"TestA","Output":"    a_test.go:46: ` + harness.LeftOut + `the reason\n"}`,
		`{"Action":"output","Package":"example.com/e2e/migrate","Test":"TestB","Output":"    b_test.go:46: ` + harness.LeftOut + `the reason\n"}`,
		`{"Action":"skip","Package":"example.com/e2e/migrate","Test":"TestA"}`,
	}, passes()...))
	if !v.passed() || len(v.leftOut) != 1 || v.leftOut[0] != "the reason" {
		t.Errorf("got %+v", v)
	}
	if !strings.Contains(log, "a_test.go:46") || !strings.Contains(progress, "  conversion     passes in 7 s\n") {
		t.Errorf("the log is %q, the progress %q", log, progress)
	}
}

// What has not passed has failed, whatever ended it.
func TestFailures(t *testing.T) {
	for name, test := range map[string]struct {
		instead []string // of the package migrate's event
		want    []string
	}{
		"tests": {[]string{
			`{"Action":"fail","Package":"example.com/e2e/migrate","Test":"TestA"}`,
			`{"Action":"fail","Package":"example.com/e2e/migrate","Test":"TestA/one"}`,
			`{"Action":"fail","Package":"example.com/e2e/migrate","Test":"TestAB"}`,
			`{"Action":"fail","Package":"example.com/e2e/migrate"}`,
		}, []string{"TestA/one", "TestAB"}},
		"a panic": {[]string{`{"Action":"fail","Package":"example.com/e2e/migrate"}`}, []string{"./migrate"}},
		"of two packages": {[]string{
			`{"Action":"fail","Package":"example.com/e2e/migrate"}`,
			`{"Action":"fail","Package":"example.com/e2e/controllers","Test":"TestC"}`,
			`{"Action":"fail","Package":"example.com/e2e/controllers"}`,
		}, []string{"./migrate", "TestC"}},
		"not run":     {nil, []string{"./migrate"}},
		"another one": {[]string{`{"Action":"pass","Package":"example.com/e2e/migrates"}`}, []string{"./migrate"}},
	} {
		t.Run(name, func(t *testing.T) {
			events := slices.DeleteFunc(passes(), func(event string) bool {
				return strings.Contains(event, "/migrate\"") || strings.Contains(strings.Join(test.instead, ""), "/controllers\"") && strings.Contains(event, "/controllers\"")
			})
			v, _, _ := judge(t, append(events, test.instead...))
			if v.passed() || len(v.failed) != 1 || !slices.Equal(v.failed["migration"], test.want) {
				t.Errorf("got %+v, want migration %q", v, test.want)
			}
		})
	}
}

func TestWriteRow(t *testing.T) {
	file := filepath.Join(t.TempDir(), "page.md")
	all := []release{{minor: "1.37", kubernetes: "1.37.2", etcd: "3.7.0"}, {minor: "1.36", kubernetes: "1.36.3", etcd: "3.6.8"}, {minor: "1.35", kubernetes: "1.35.4", etcd: "3.6.5"}}
	const other = "| 1.36.1 | as it was |\n"
	if err := os.WriteFile(file, []byte("before\n"+header()+other+"| 1.33.9 | no longer built |\n\nafter\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	when := time.Date(2026, 1, 2, 23, 0, 0, 0, time.UTC)
	for i, v := range map[int]verdict{
		0: {unbuilt: "a.go:1:2: undefined: b|c"},
		2: {failed: map[string][]string{"migration": {"TestA", "TestB/one"}}, leftOut: []string{"one", "two"}},
	} {
		if err := writeRow(file, all, all[i], v, when); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want := "before\n" + header() +
		"| 1.37.2 | 3.7.0 | not tested | not tested | not tested | not tested | not tested | not tested | **is not built**: `a.go:1:2: undefined: b\\|c` | 2026-01-02 |\n" +
		other +
		"| 1.35.4 | 3.6.5 | passes | passes | passes | passes | **fails**: `TestA`, `TestB/one` | passes | one; two | 2026-01-02 |\n" +
		"\nafter\n"
	if string(got) != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if err := writeRow("table.go", all, all[0], verdict{}, when); err == nil || !strings.HasPrefix(err.Error(), "table.go: it has no table that begins with\n| Kubernetes |") {
		t.Errorf("of a file without a table: %v", err)
	}
}

// Of a build that fails the table says what the compiler says first.
func TestReason(t *testing.T) {
	for said, want := range map[string]string{
		"compiled 7 of 8\nbuild: go build: exit status 1\n# example.com/a\n./a.go:3:1: undefined: b\n./a.go:4:1: undefined: c\n": "./a.go:3:1: undefined: b",
		"build: Go is not installed\nexit status 1\n": "exit status 1",
	} {
		if got := reason(said); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestTableIsOfWhatIsBuilt has the releases that the table lists be those that there are
// files of versions for, each tested and passed, or listed with the reason why it cannot be
// built; and the oldest that the chart can be installed on be the oldest that is tested.
func TestTableIsOfWhatIsBuilt(t *testing.T) {
	all, err := releases(root)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(root, page))
	if err != nil {
		t.Fatal(err)
	}
	of, _, _, err := rows(string(text))
	if err != nil {
		t.Fatal(err)
	}
	if len(of) != len(all) {
		t.Errorf("%s lists %d releases, there are %d", page, len(of), len(all))
	}
	var oldest string
	for _, r := range all {
		row := of[r.minor]
		if strings.Count(row, "| passes ") == len(parts()) {
			oldest = r.minor
		} else if !strings.Contains(row, unbuilt) {
			t.Errorf("%s has %q for Kubernetes %s: mend what fails, and run make matrix RELEASE=%s", page, row, r.kubernetes, r.minor)
		}
		if !strings.HasPrefix(row, fmt.Sprintf("| %s | %s |", r.kubernetes, r.etcd)) {
			t.Errorf("%s has %q for Kubernetes %s with etcd %s: run make matrix RELEASE=%s", page, row, r.kubernetes, r.etcd, r.minor)
		}
	}
	chart, err := os.ReadFile(filepath.Join(root, "deploy", "chart", "Chart.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if want := fmt.Sprintf("kubeVersion: %q\n", ">="+oldest+".0-0"); !strings.Contains(string(chart), want) {
		t.Errorf("the oldest release that is tested is %s: Chart.yaml should have %s", oldest, want)
	}
	if !regexp.MustCompile(`(?m)^Crosswalk runs on Kubernetes ` + regexp.QuoteMeta(oldest) + ` and later`).Match(text) {
		t.Errorf("%s does not begin with the oldest release, %s", page, oldest)
	}
}

// Every part is of packages that there are.
func TestPackages(t *testing.T) {
	for _, p := range parts() {
		for _, folder := range p.packages {
			if tests, err := filepath.Glob(filepath.Join("..", folder, "*_test.go")); err != nil || len(tests) == 0 {
				t.Errorf("%s: there are no tests in %s", p.name, folder)
			}
		}
	}
	_, err := read(strings.NewReader("no JSON"), io.Discard, io.Discard)
	if err == nil || !strings.Contains(err.Error(), "no JSON") {
		t.Errorf("of what is no JSON: %v", err)
	}
}
