package command

import (
	"bytes"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// result is what one run of the program left.
type result struct {
	code           int
	stdout, stderr string
}

func crosswalk(t *testing.T, stdin string, args ...string) result {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code := Options{}.run(t.Context(), args, strings.NewReader(stdin), &stdout, &stderr)
	return result{code, stdout.String(), stderr.String()}
}

func (r result) expect(t *testing.T, want result) {
	t.Helper()
	if r.code != want.code {
		t.Errorf("exit code %d, want %d", r.code, want.code)
	}
	if r.stdout != want.stdout {
		t.Errorf("standard output: got\n%s\nwant\n%s", r.stdout, want.stdout)
	}
	if r.stderr != want.stderr {
		t.Errorf("standard error: got\n%s\nwant\n%s", r.stderr, want.stderr)
	}
}

func TestUsage(t *testing.T) {
	const example = "../../../examples/crontab"
	tests := []struct {
		args string
		want string
	}{
		{"covnert", "crosswalk: there is no command \"covnert\"; did you mean convert?\nSee 'crosswalk --help'.\n"},
		{"fly", "crosswalk: there is no command \"fly\"\nSee 'crosswalk --help'.\n"},
		{"help covnert", "crosswalk: there is no command \"covnert\"; did you mean convert?\nSee 'crosswalk help --help'.\n"},
		{"--nope", "crosswalk: unknown flag: --nope\nSee 'crosswalk --help'.\n"},
		{"version now", "crosswalk: unexpected argument \"now\": version has no arguments\nSee 'crosswalk version --help'.\n"},
		{"convert", "crosswalk: --config is missing: name the files or folders with the CRDs and tables\nSee 'crosswalk convert --help'.\n"},
		{"convert --config " + example, "crosswalk: --to is missing: name the version to convert to\nSee 'crosswalk convert --help'.\n"},
		{"convert --config " + example + " --to v1 a.yaml", "crosswalk: unexpected argument \"a.yaml\": files are given with -f\nSee 'crosswalk convert --help'.\n"},
		{"convert --config " + example + " --to v7", "crosswalk: --to v7: no table has the version v7; there are v1, v1beta1\nSee 'crosswalk convert --help'.\n"},
		{"convert --config " + example + " --to x.dev/v1", "crosswalk: --to x.dev/v1: the group x.dev has no table; there are tables for stable.example.com\nSee 'crosswalk convert --help'.\n"},
		{"convert --config " + example + " --to /", "crosswalk: --to /: write it as VERSION or GROUP/VERSION, for example \"v1\" or \"stable.example.com/v1\"\nSee 'crosswalk convert --help'.\n"},
		{"convert --config " + example + " --to v1 -o xml", "crosswalk: --output xml: use yaml or json\nSee 'crosswalk convert --help'.\n"},
		{"convert --config= --to v1", "crosswalk: --config is empty: name the files or folders with the CRDs and tables\nSee 'crosswalk convert --help'.\n"},
		{"convert --config " + example + " --to v1 --filename=", "crosswalk: --filename is empty: name a file or folder, or - for standard input\nSee 'crosswalk convert --help'.\n"},
		{"convert --config nowhere --to v1", "crosswalk: nowhere: no such file or directory\nSee 'crosswalk convert --help'.\n"},
	}
	for _, test := range tests {
		t.Run(test.args, func(t *testing.T) {
			crosswalk(t, "", strings.Fields(test.args)...).expect(t, result{code: exitUsage, stderr: test.want})
		})
	}
}

// The help and README.md list the same commands.
func TestHelp(t *testing.T) {
	got := crosswalk(t, "")
	if got.code != exitOK || !strings.Contains(got.stdout, "Available Commands:") {
		t.Errorf("got %+v", got)
	}
	readme, err := os.ReadFile("../../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	var named []string
	for _, row := range regexp.MustCompile("(?m)^\\| `crosswalk ([a-z]+)` \\|").FindAllSubmatch(readme, -1) {
		named = append(named, string(row[1]))
	}
	var commands []string
	for _, line := range regexp.MustCompile(`(?m)^  ([a-z]+) +[A-Z]`).FindAllStringSubmatch(got.stdout, -1) {
		if name := line[1]; name != "completion" && name != "help" { // cobra's
			commands = append(commands, name)
		}
	}
	slices.Sort(named)
	if !slices.Equal(commands, named) {
		t.Errorf("the help lists %q, and the table in README.md %q", commands, named)
	}
}
