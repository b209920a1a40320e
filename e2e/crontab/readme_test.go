package crontab

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
)

// readmeBlock is a block of shell commands and the block of what they say.
var readmeBlock = regexp.MustCompile("(?s)```sh\n(.*?)```\n```text\n(.*?)```\n")

// TestReadme runs the commands of the example's README on the example as it is,
// and compares what they say.
func TestReadme(t *testing.T) {
	programs, err := harness.FindPrograms()
	if err != nil {
		t.Fatal(err)
	}
	example := filepath.Join(programs.Root, "examples", "crontab")
	table, err := harness.ReadTable(example)
	if err != nil {
		t.Fatal(err)
	}
	scene := start(t, programs, table)
	bin := t.TempDir()
	if err := scene.ControlPlane.LinkKubectl(bin); err != nil {
		t.Fatal(err)
	}
	env := append(scene.ControlPlane.Env(), "PATH="+bin+":"+os.Getenv("PATH"))

	readme, err := os.ReadFile(filepath.Join(example, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	blocks := readmeBlock.FindAllSubmatch(readme, -1)
	if shell := bytes.Count(readme, []byte("```sh\n")); len(blocks) != shell || shell == 0 {
		t.Fatalf("%d blocks of commands, of which %d are followed by what they say", shell, len(blocks))
	}
	age := regexp.MustCompile(` \d+s\n`)
	for _, block := range blocks {
		script, want := string(block[1]), string(block[2])
		cmd := exec.CommandContext(t.Context(), "sh", "-euc", strings.ReplaceAll(script, "bin/crosswalk", programs.Crosswalk))
		cmd.Dir, cmd.Env = programs.Root, env
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s%v: %s", script, err, out)
		}
		got := age.ReplaceAllString(string(out), " 1s\n")
		if !strings.HasSuffix(got, "\n") {
			got += "\n" // jsonpath prints no newline
		}
		if got != want {
			t.Errorf("%ssaid\n%s\nwant\n%s", script, got, want)
		}
	}
}
