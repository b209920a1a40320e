package program

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"testing"
	"time"
)

func TestWhatGoKnowsOfTheCommit(t *testing.T) {
	built := func(settings ...string) Program {
		info := &debug.BuildInfo{GoVersion: "go1.26.8 X:nodwarf5"}
		for i := 0; i < len(settings); i += 2 {
			info.Settings = append(info.Settings, debug.BuildSetting{Key: settings[i], Value: settings[i+1]})
		}
		return Program{Info: info}
	}
	tests := []struct {
		program Program
		commit  string
		time    time.Time
	}{
		{built(), "", time.Unix(0, 0)},
		{built("vcs.revision", "abc", "vcs.modified", "false", "vcs.time", "2026-11-26T17:45:16Z"), "abc", time.Date(2026, 11, 26, 17, 45, 16, 0, time.UTC)},
		{built("vcs.revision", "abc", "vcs.modified", "true", "vcs.time", "2026-11-26T17:45:16Z"), "abc-dirty", time.Date(2026, 11, 26, 17, 45, 16, 0, time.UTC)},
	}
	for _, test := range tests {
		p := test.program
		if p.Commit() != test.commit || !p.Time().Equal(test.time) {
			t.Errorf("got commit %q of %v, want %q of %v", p.Commit(), p.Time(), test.commit, test.time)
		}
		if p.GoVersion() != "1.26.8" {
			t.Errorf("Go is %q", p.GoVersion())
		}
	}
}

// TestFlagsOfTheUser expects that what users have go build do does not reach the program.
func TestFlagsOfTheUser(t *testing.T) {
	kept := filepath.Join(t.TempDir(), "env")
	if err := os.WriteFile(kept, []byte("GOFLAGS=-tags=mine\nGOAMD64=v3\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOENV", kept)
	t.Setenv("GOFLAGS", "")
	cmd := exec.CommandContext(t.Context(), "go", "env", "GOFLAGS", "GOAMD64", "GOOS")
	cmd.Env = Platform{OS: "windows", Arch: "amd64"}.Env()
	output, err := cmd.CombinedOutput()
	if want := "-buildvcs=auto\nv1\nwindows\n"; err != nil || string(output) != want {
		t.Errorf("got %q, %v, want %q", output, err, want)
	}
}
