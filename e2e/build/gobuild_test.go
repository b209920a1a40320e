package main

import (
	"fmt"
	"os"
	"path/filepath"
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
	every := inRepository(t, "")
	all, err := choose(every, nil)
	if err != nil || len(all) != len(every) {
		t.Errorf("no names: %d modules, %v", len(all), err)
	}
	one, err := choose(every, []string{"crosswalk"})
	if err != nil || fmt.Sprint(one) != "[crosswalk]" {
		t.Errorf("one name: %v, %v", one, err)
	}
	some, err := choose(every, []string{"demo", "oracle", "controlplane"})
	if err != nil || fmt.Sprint(some) != "[controlplane, oracle demo]" {
		t.Errorf("some names: %v, %v", some, err)
	}
	_, err = choose(every, []string{"crosswlak"})
	const want = `unknown program "crosswlak"; there are controlplane, kubectl, etcdctl, oracle, certmanager, helm, prometheus, argocd, crosswalk, demo`
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// inRepository is what there is to build here.
func inRepository(t *testing.T, version string) []module {
	t.Helper()
	all, err := modules(filepath.Join("..", ".."), version)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestVersionOfCrosswalk(t *testing.T) {
	flagsOf := func(version string) string {
		for _, m := range inRepository(t, version) {
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

// TestOfKubernetes builds another release than go.mod names: with its versions, with what
// is written for it alone, and saying that it is that release.
func TestOfKubernetes(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "e2e", "controlplane")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"kubernetes-1.35.mod": "require (\n\tk8s.io/api v0.35.4\n\tk8s.io/kubernetes v1.35.4\n)\n",
		"kubernetes-1.34.mod": "require k8s.io/kubernetesque v1.34.4\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	all, err := ofKubernetes(root, "1.35")
	if err != nil || fmt.Sprint(all) != "[controlplane, kubectl, etcdctl]" {
		t.Fatalf("got %v, %v", all, err)
	}
	if got := all[0].ldflags; !strings.Contains(got, ".gitVersion=v1.35.4 ") {
		t.Errorf("the flags do not name the release: %s", got)
	}
	got := strings.Join(all[0].command(t.Context(), root, "build", []string{"-v"}).Args, " ")
	if want := "go build -modfile=kubernetes-1.35.mod -tags=kubernetes1.35 -v . ./kubectl ./etcdctl"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	const want = "e2e/controlplane/kubernetes-1.34.mod does not name k8s.io/kubernetes"
	if _, err := ofKubernetes(root, "1.34"); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	const missing = "there is no e2e/controlplane/kubernetes-1.33.mod; there are 1.34, 1.35"
	if _, err := ofKubernetes(root, "1.33"); err == nil || err.Error() != missing {
		t.Errorf("got %v, want %s", err, missing)
	}
}
