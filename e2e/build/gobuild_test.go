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
	all, err := choose(modules(""), nil)
	if err != nil || len(all) != len(modules("")) {
		t.Errorf("no names: %d modules, %v", len(all), err)
	}
	one, err := choose(modules(""), []string{"crosswalk"})
	if err != nil || fmt.Sprint(one) != "[crosswalk]" {
		t.Errorf("one name: %v, %v", one, err)
	}
	some, err := choose(modules(""), []string{"demo", "oracle", "controlplane"})
	if err != nil || fmt.Sprint(some) != "[controlplane, oracle demo]" {
		t.Errorf("some names: %v, %v", some, err)
	}
	_, err = choose(modules(""), []string{"crosswlak"})
	const want = `unknown program "crosswlak"; there are controlplane, kubectl, etcdctl, oracle, certmanager, helm, prometheus, argocd, crosswalk, demo`
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestVersionOfCrosswalk(t *testing.T) {
	flagsOf := func(version string) string {
		for _, m := range modules(version) {
			if m.String() == "crosswalk" {
				return m.ldflags
			}
		}
		t.Fatal("crosswalk is not built")
		return ""
	}
	if got := flagsOf(""); got != "" {
		t.Errorf("without a version the flags are %q, in place of GOFLAGS'", got)
	}
	if got, want := flagsOf("v1.2.3"), "-w -X main.release=v1.2.3"; got != want {
		t.Errorf("got %q, want %q", got, want)
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
