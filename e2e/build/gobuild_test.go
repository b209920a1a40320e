package main

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestWatchTellsErrorsFromProgress(t *testing.T) {
	const said = `go: downloading k8s.io/api v0.36.3
internal/goarch
k8s.io/api/core/v1
# example.com/broken
./broken.go:3:1: syntax error: non-declaration statement outside function body
`
	p := newProgress(new(strings.Builder), []module{{programs: []program{{"broken", "."}}}}, time.Now())
	other := watch(strings.NewReader(said), p, nil)
	const want = "# example.com/broken\n./broken.go:3:1: syntax error: non-declaration statement outside function body\n"
	if string(other) != want {
		t.Errorf("kept %q, want %q", other, want)
	}
	if p.downloaded != 1 || len(p.done) != 2 {
		t.Errorf("%d downloaded, %v compiled", p.downloaded, p.done)
	}
}

func TestChoose(t *testing.T) {
	all, err := choose(nil)
	if err != nil || len(all) != len(modules()) {
		t.Errorf("no names: %d modules, %v", len(all), err)
	}
	one, err := choose([]string{"crosswalk"})
	if err != nil || fmt.Sprint(one) != "[crosswalk]" {
		t.Errorf("one name: %v, %v", one, err)
	}
	some, err := choose([]string{"demo", "oracle", "controlplane"})
	if err != nil || fmt.Sprint(some) != "[controlplane, oracle demo]" {
		t.Errorf("some names: %v, %v", some, err)
	}
	_, err = choose([]string{"crosswlak"})
	const want = `unknown program "crosswlak"; there are controlplane, kubectl, etcdctl, oracle, certmanager, crosswalk, demo`
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestVersionFlags(t *testing.T) {
	flags := versionFlags("v1.36.3")
	for _, want := range []string{".gitVersion=v1.36.3", ".gitMajor=1 ", ".gitMinor=36 "} {
		if strings.Count(flags, want) != 2 {
			t.Errorf("%q is not set for both halves: %s", want, flags)
		}
	}
}
