package systems

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

// age is what no README can know: a column of seconds.
var age = regexp.MustCompile(` \d+s( +|\n)`)

// young makes every age one second, and keeps the columns after it where they are.
func young(said string) string {
	return age.ReplaceAllStringFunc(said, func(column string) string {
		if strings.HasSuffix(column, "\n") {
			return " 1s\n"
		}
		return " 1s" + strings.Repeat(" ", len(column)-len(" 1s"))
	})
}

// testReadmes runs the commands of every example's README and compares what they
// say. They run as a reader runs them: from the repository's root, in a shell.
func testReadmes(t *testing.T, programs harness.Programs, scene *harness.Scene, examples []*example) {
	bin := t.TempDir()
	if err := scene.ControlPlane.LinkKubectl(bin); err != nil {
		t.Fatal(err)
	}
	env := append(scene.ControlPlane.Env(), "PATH="+bin+":"+os.Getenv("PATH"), noSleep)
	for _, e := range examples {
		t.Run(e.name, func(t *testing.T) {
			readme, err := os.ReadFile(filepath.Join(e.dir, "README.md"))
			if err != nil {
				t.Fatal(err)
			}
			blocks := block.FindAllSubmatch(readme, -1)
			if shell := bytes.Count(readme, []byte("```sh\n")); len(blocks) != shell || shell == 0 {
				t.Fatalf("%d blocks of commands, of which %d are followed by what they say", shell, len(blocks))
			}
			for _, b := range blocks {
				script, want := string(b[1]), string(b[2])
				cmd := exec.CommandContext(t.Context(), "sh", "-euc", strings.ReplaceAll(script, "bin/crosswalk", programs.Crosswalk))
				cmd.Dir, cmd.Env = programs.Root, env
				out, err := cmd.CombinedOutput()
				if err != nil {
					t.Fatalf("%s%v: %s", script, err, out)
				}
				got := young(string(out))
				if !strings.HasSuffix(got, "\n") {
					got += "\n" // jsonpath prints no newline
				}
				if got != want {
					t.Errorf("%ssaid\n%s\nwant\n%s", script, got, want)
				}
			}
		})
	}
}
