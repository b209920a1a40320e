// Package page runs the commands that a page shows, on a control plane, and
// compares what they say.
package page

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

// block is a block of shell commands and the block of what they say.
var block = regexp.MustCompile("(?s)```sh\n(.*?)```\n```text\n(.*?)```\n")

// age is what no page can know: a column of seconds or minutes.
var age = regexp.MustCompile(` \d+(s|m|m\d+s)( +|\n)`)

// young makes every age one second, and keeps the columns after it where they are.
func young(said string) string {
	return age.ReplaceAllStringFunc(said, func(column string) string {
		if strings.HasSuffix(column, "\n") {
			return " 1s\n"
		}
		return " 1s" + strings.Repeat(" ", len(column)-len(" 1s"))
	})
}

// Env is the environment of a reader who has the control plane's kubectl, etcdctl
// and kubeconfig.
func Env(t *testing.T, plane *harness.ControlPlane) []string {
	t.Helper()
	bin := t.TempDir()
	if err := plane.LinkClients(bin); err != nil {
		t.Fatal(err)
	}
	return append(plane.Env(), "PATH="+bin+":"+os.Getenv("PATH"))
}

// Run runs every block of sh on a page as a reader does, from the repository's
// root, in a shell and in the environment env, and compares it with the block of
// text that follows. The page is named from the repository's root.
func Run(t *testing.T, programs harness.Programs, env []string, name string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(programs.Root, name))
	if err != nil {
		t.Fatal(err)
	}
	blocks := block.FindAllSubmatch(text, -1)
	if shell := bytes.Count(text, []byte("```sh\n")); len(blocks) != shell || shell == 0 {
		t.Fatalf("%s: %d blocks of commands, of which %d are followed by what they say", name, shell, len(blocks))
	}
	for _, b := range blocks {
		script, want := string(b[1]), string(b[2])
		cmd := exec.CommandContext(t.Context(), "sh", "-euc", strings.NewReplacer("bin/crosswalk", programs.Crosswalk, "bin/controlplane", programs.ControlPlane).Replace(script))
		cmd.Dir, cmd.Env = programs.Root, env
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %s%v: %s", name, script, err, out)
		}
		got := young(string(out))
		if !strings.HasSuffix(got, "\n") {
			got += "\n" // jsonpath prints no newline
		}
		if got != want {
			t.Errorf("%s: %ssaid\n%s\nwant\n%s", name, script, got, want)
		}
	}
}
