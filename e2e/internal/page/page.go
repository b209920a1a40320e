// Package page runs the commands that a page shows, on a control plane, and
// compares what they print with what the page shows.
package page

import (
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

// ended is a line that kubectl logs, now and then, when it ends a watch of its own in the
// middle of an event (client-go's reflector).
var ended = regexp.MustCompile(`(?m)^I\d{4} .* reflector\.go:\d+\] "Warning: watch ended with error".*context canceled.*\n`)

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

// Folder makes a folder that looks like the repository, with the programs where make
// puts them. A page writes its files there.
func Folder(t *testing.T, programs harness.Programs) string {
	t.Helper()
	entries, err := os.ReadDir(programs.Root)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	links := map[string]string{"bin/crosswalk": programs.Crosswalk, "bin/controlplane": programs.ControlPlane}
	for _, entry := range entries {
		if name := entry.Name(); name != "bin" && !strings.HasPrefix(name, ".") {
			links[name] = filepath.Join(programs.Root, name)
		}
	}
	if err := os.Mkdir(filepath.Join(folder, "bin"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, target := range links {
		if err := os.Symlink(target, filepath.Join(folder, name)); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// Block is a block of sh of a page, and the block of text with what it prints.
type Block struct{ page, script, want string }

// Read reads the blocks of sh of a page, which is named from the repository's root.
func Read(t *testing.T, programs harness.Programs, name string) []Block {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(programs.Root, name))
	if err != nil {
		t.Fatal(err)
	}
	blocks := Blocks(t, name, string(text))
	if len(blocks) == 0 {
		t.Fatalf("%s has no block of sh", name)
	}
	return blocks
}

// Blocks finds the blocks of sh in the text of a page, or of a part of one.
func Blocks(t *testing.T, name, text string) []Block {
	t.Helper()
	var blocks []Block
	for _, b := range block.FindAllStringSubmatch(text, -1) {
		blocks = append(blocks, Block{page: name, script: b[1], want: b[2]})
	}
	if shell := strings.Count(text, "```sh\n"); len(blocks) != shell {
		t.Fatalf("%s: %d blocks of commands, of which %d are followed by what they print", name, shell, len(blocks))
	}
	return blocks
}

// Run runs every block of sh on a page.
func Run(t *testing.T, programs harness.Programs, env []string, name string) {
	t.Helper()
	folder := Folder(t, programs)
	for _, b := range Read(t, programs, name) {
		b.Run(t, folder, env)
	}
}

// Run runs a block in a folder that Folder made and in the environment env, and compares
// what it prints with the page. Commands may fail where the page shows all that they print.
func (b Block) Run(t *testing.T, folder string, env []string) {
	t.Helper()
	got, err := Shell(t, folder, env, b.script)
	if err != nil && got != b.want {
		t.Fatalf("%s: %s%v: %s", b.page, b.script, err, got)
	}
	if !Says(got, b.want) {
		t.Errorf("%s: %sprinted\n%s\nwant\n%s", b.page, b.script, got, b.want)
	}
}

// Shell runs a script as a reader does, in a folder that Folder made and in the environment
// env, and returns what it prints, as a page shows it.
func Shell(t *testing.T, folder string, env []string, script string) (string, error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "sh", "-euc", script)
	cmd.Dir, cmd.Env = folder, env
	out, err := cmd.CombinedOutput()
	printed := young(ended.ReplaceAllString(string(out), ""))
	if !strings.HasSuffix(printed, "\n") {
		printed += "\n" // jsonpath prints no newline
	}
	return printed, err
}

// MustShell is Shell for a script that must succeed.
func MustShell(t *testing.T, folder string, env []string, script string) string {
	t.Helper()
	printed, err := Shell(t, folder, env, script)
	if err != nil {
		t.Fatalf("%s\n%v: %s", script, err, printed)
	}
	return printed
}

// Shown returns what a page shows of the output of a command, in a block that starts with it.
func Shown(t *testing.T, programs harness.Programs, name, command string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(programs.Root, name))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(text), "```console\n$ "+command+"\n")
	output, _, closed := strings.Cut(rest, "```\n")
	if !found || !closed || output == "" {
		t.Fatalf("%s does not show what %s prints", name, command)
	}
	return output
}

// Says compares lines with those that a page shows. A line "…" stands for lines that the
// page leaves out, and "…" in a line for a part of it.
func Says(got, want string) bool {
	pattern := regexp.MustCompile(`(?m)^…\n`).ReplaceAllString(regexp.QuoteMeta(want), `(?:.*\n)*`)
	pattern = strings.ReplaceAll(pattern, "…", `.*`)
	return regexp.MustCompile(`\A` + pattern + `\z`).MatchString(got)
}
