package harness

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// newFilesRole is a role that needs no control plane.
func newFilesRole(t *testing.T, more ...string) *Role {
	t.Helper()
	programs, err := FindPrograms()
	if err != nil {
		t.Fatal(err)
	}
	port, err := FreePort()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	args := append([]string{"serve", "--config", filepath.Join(programs.Root, "examples", "crontab"),
		"--certs-dir", filepath.Join(dir, "certs"), "--drain-delay", "0s"}, more...)
	r, err := newServe("serve", programs.Crosswalk, dir, port, args)
	if err != nil {
		t.Fatal(err)
	}
	r.kept = true
	return r
}

func TestRoleIsKept(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	r := newFilesRole(t)
	if err := r.Start(ctx); err != nil {
		t.Fatal(err)
	}
	if err := r.Launch(); err == nil {
		t.Error("started twice")
	}
	p, _ := r.current()
	p.kill() // by nobody of ours
	for again := p; again == p; again, _ = r.current() {
		if !sleep(ctx, askEvery) {
			t.Fatal("not started again")
		}
	}
	if err := r.WaitReady(ctx); err != nil {
		t.Fatal(err)
	}
	if err := r.Restart(ctx); err != nil {
		t.Fatal(err)
	}
	r.Kill()
	if r.Running() {
		t.Error("it runs after it was killed")
	}
	if err := r.Stop(); err != nil {
		t.Error(err)
	}
}

// TestRoleCannotRun gives up what ends again and again.
func TestRoleCannotRun(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	r := newFilesRole(t, "--no-such-flag")
	defer r.Kill()
	err := r.Start(ctx)
	if err == nil || !strings.Contains(err.Error(), "ended before it was ready: exit status 2; see "+r.Log()) {
		t.Errorf("got %v", err)
	}
	if !strings.Contains(end(r.Log()), "unknown flag: --no-such-flag") {
		t.Errorf("its log does not say why: %s", end(r.Log()))
	}
}
