package main

import (
	"strings"
	"testing"
	"time"
)

// TestProgress tells how far two builds are: at first only what has been, then out of
// how much, and then how long it will take.
func TestProgress(t *testing.T) {
	now := time.Now()
	p := newProgress(new(strings.Builder), []module{{programs: []program{{"controlplane", "."}, {"kubectl", "./kubectl"}}}, {programs: []program{{"demo", "./demo"}}}}, now)
	p.downloaded = 3
	want := func(after time.Duration, line string) {
		t.Helper()
		if got := p.line(now.Add(after)); got != line {
			t.Errorf("got  %s\nwant %s", got, line)
		}
	}
	want(5*time.Second, "downloaded 3 modules in 5 s, for controlplane, kubectl")
	p.compiling("fmt", now.Add(10*time.Second))
	want(15*time.Second, "compiled 1 packages in 15 s, now of controlplane, kubectl")
	p.planned(map[unit]int64{unitOf(0, "k8s.io/api"): 900, unitOf(0, "a.com/main"): 100, unitOf(1, "k8s.io/api"): 200, unitOf(1, "b.com/main"): 100})
	want(15*time.Second, "compiled 1 of 5 packages in 15 s, now of controlplane, kubectl")
	p.compiling("k8s.io/api", now.Add(16*time.Second))
	want(70*time.Second, "compiled 2 of 5 packages in 1 min 10 s, about 27 s left, now of controlplane, kubectl")
	p.compiling("a.com/main", now.Add(71*time.Second))
	want(75*time.Second, "compiled 3 of 5 packages in 1 min 15 s, about 20 s left, linking controlplane, kubectl")
	p.at = 1
	p.compiling("fmt", now.Add(76*time.Second)) // which is the same in both
	want(76*time.Second, "compiled 3 of 5 packages in 1 min 16 s, about 20 s left, now of demo")
}

// TestProgressIsWritten rewrites a line on a terminal, writes lines now and then
// elsewhere, and nothing where it takes no time.
func TestProgressIsWritten(t *testing.T) {
	now := time.Now()
	write := func(terminal bool) string {
		var out strings.Builder
		p := newProgress(&out, []module{{programs: []program{{"demo", "./demo"}}}}, now)
		p.terminal = terminal
		for i := range 81 { // 20 seconds
			p.tick(now.Add(time.Duration(i) * onTerminal))
		}
		p.finish(now.Add(20 * time.Second))
		return out.String()
	}
	if got, want := write(false), "building demo, 3 s\nbuilding demo, 18 s\nbuilt demo in 20 s\n"; got != want {
		t.Errorf("in a file: got %q", got)
	}
	got := write(true)
	if strings.Count(got, "\n") != 1 || !strings.HasPrefix(got, "\r\x1b[Kbuilding demo, 3 s\r\x1b[K") || !strings.HasSuffix(got, "\r\x1b[Kbuilt demo in 20 s\n") {
		t.Errorf("on a terminal: got %q", got)
	}
	var out strings.Builder
	p := newProgress(&out, []module{{programs: []program{{"demo", "./demo"}}}}, now)
	p.terminal = true
	p.tick(now.Add(4 * time.Second))
	p.clear() // as before an error
	if got, want := out.String(), "\r\x1b[Kbuilding demo, 4 s\r\x1b[K"; got != want {
		t.Errorf("before an error: got %q", got)
	}
	out.Reset()
	p = newProgress(&out, nil, now)
	p.tick(now.Add(2 * time.Second))
	p.finish(now.Add(2 * time.Second))
	if out.String() != "" {
		t.Errorf("for two seconds: got %q", out.String())
	}
}

func TestCut(t *testing.T) {
	for line, want := range map[string]string{
		"compiled 1 packages": "compiled 1 packages",
		"compiled 1234 of 2402 packages in 3 min 12 s, about 1 min 02 s left, now of controlplane, kubectl": "compiled 1234 of 2402 packages in 3 min 12 s, about 1 min 02 s left, now of ...",
	} {
		if got := cut(line); got != want || len(got) > width {
			t.Errorf("got %s", got)
		}
	}
}
