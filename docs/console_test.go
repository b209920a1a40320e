package docs

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// testConsole runs the commands of every console block, in order and in a
// folder that looks like the repository, and compares what they print. Exit
// codes must be 0: a page that shows another one prints it.
func testConsole(t *testing.T, programs string) {
	folder := workFolder(t, programs)
	for _, page := range pages(t) {
		for _, b := range readBlocks(t, page) {
			if b.language != "console" {
				continue
			}
			t.Run(fmt.Sprintf("%s:%d", b.page, b.line), func(t *testing.T) {
				steps := readSteps(b.text)
				if len(steps) == 0 {
					t.Error("the block holds no command: a line that starts with $")
				}
				for _, step := range steps {
					runStep(t, folder, step)
				}
			})
		}
	}
}

// step is a command and what it prints.
type step struct{ command, want string }

func readSteps(text string) []step {
	if command, want, _ := strings.Cut(text, "\n"); strings.HasPrefix(command, "$ make") {
		return []step{{command: strings.TrimPrefix(command, "$ ") + "\n", want: want}} // what it prints has commands, too
	}
	var steps []step
	end := "" // the line that ends a here document
	continued := false
	for line := range strings.Lines(text) {
		command, starts := strings.CutPrefix(line, "$ ")
		switch {
		case end != "":
			steps[len(steps)-1].command += line
			if strings.TrimSpace(line) == end {
				end = ""
			}
			continue
		case continued:
			command = line
			steps[len(steps)-1].command += line
		case starts:
			steps = append(steps, step{command: command})
		default:
			if len(steps) > 0 {
				steps[len(steps)-1].want += line
			}
			continue
		}
		continued = strings.HasSuffix(command, "\\\n")
		if _, after, here := strings.Cut(command, "<<'"); here {
			end, _, _ = strings.Cut(after, "'")
		}
	}
	return steps
}

func runStep(t *testing.T, folder string, s step) {
	t.Helper()
	making := strings.HasPrefix(s.command, "make")
	if making {
		// Building and running everything from inside a test would never end. What
		// make would run is what a page can get wrong.
		s.command = strings.Replace(s.command, "make", "make -n", 1)
	}
	command := exec.Command("sh", "-c", s.command)
	command.Dir = folder
	// What the make that runs this test was told is not for the page's.
	command.Env = append(os.Environ(), "MAKEFLAGS=", noSleep)
	out, err := command.CombinedOutput()
	if err != nil {
		t.Errorf("$ %s%v\n%s", s.command, err, out)
		return
	}
	if making {
		wantMade(t, s, string(out))
		return
	}
	if got := string(out); strings.TrimRight(got, "\n") != strings.TrimRight(s.want, "\n") {
		t.Errorf("$ %sprints\n%s\nthe page says\n%s", s.command, got, s.want)
	}
}

// wantMade wants every line that a page shows of make in what make would run, in its echo.
// What make run prints is compared by e2e/demo.
func wantMade(t *testing.T, s step, script string) {
	t.Helper()
	if s.command == "make -n run\n" {
		return
	}
	for line := range strings.Lines(s.want) {
		if line != "…\n" && !strings.Contains(script, "echo '"+strings.TrimSuffix(line, "\n")+"'\n") {
			t.Errorf("%s does not print %s", s.command, line)
		}
	}
}

// workFolder links to the repository's files, and to the folder with the programs
// where make build puts them.
func workFolder(t *testing.T, programs string) string {
	t.Helper()
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	links := map[string]string{"bin": programs}
	for _, entry := range entries {
		if name := entry.Name(); name != "bin" && !strings.HasPrefix(name, ".") {
			links[name] = filepath.Join(root, name)
		}
	}
	for name, target := range links {
		if err := os.Symlink(target, filepath.Join(folder, name)); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}
