package main

import (
	"io"
	"log"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/registry"
	"github.com/google/go-containerregistry/pkg/v1/remote"

	"github.com/crosswalk-dev/crosswalk/internal/release/deploy"
)

// makes runs make with args, and returns what it prints.
func makes(t *testing.T, args ...string) (string, error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "make", append([]string{"--no-print-directory", "-C", root}, args...)...)
	// The make that runs the tests tells others of its flags and variables.
	for _, variable := range os.Environ() {
		if name, _, _ := strings.Cut(variable, "="); name != "MAKEFLAGS" && name != "MAKEOVERRIDES" && name != "MFLAGS" && name != "GOFLAGS" {
			cmd.Env = append(cmd.Env, variable)
		}
	}
	output, err := cmd.CombinedOutput()
	return string(output), err
}

var (
	uses  = regexp.MustCompile(`(?m)^ *(?:- )?uses: (.*)$`)
	fixed = regexp.MustCompile(`^([a-z-]+/[a-z-]+@[0-9a-f]{40} # v[0-9.]+|\./\.github/workflows/[a-z]+\.yaml)$`)
	step  = regexp.MustCompile(`(?m)^ *(?:- run: )?make (.*)$`)
)

// TestWorkflows expects steps that are make's, and actions that nobody can replace. The
// rest is actionlint's, which is part of make lint.
func TestWorkflows(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(root, ".github", "workflows", "*"))
	if err != nil {
		t.Fatal(err)
	}
	ran := map[string]bool{}
	for _, file := range files {
		workflow := read(t, file)
		for _, action := range uses.FindAllStringSubmatch(workflow, -1) {
			if !fixed.MatchString(action[1]) {
				t.Errorf("%s uses %s, which is not fixed by a commit and named by its version", filepath.Base(file), action[1])
			}
		}
		for _, found := range step.FindAllStringSubmatch(workflow, -1) {
			args := strings.Fields(strings.ReplaceAll(found[1], `"$VERSION"`, "v98.7.6"))
			if output, err := makes(t, append([]string{"--dry-run"}, args...)...); err != nil {
				t.Errorf("%s: make %v: %v\n%s", filepath.Base(file), args, err, output)
			}
			for _, arg := range args {
				ran[arg] = true
			}
		}
	}
	for _, target := range []string{"lint", "test", "vulnerabilities", "version", "release", "push", "push-chart", "sign"} {
		if !ran[target] {
			t.Errorf("no workflow runs make %s", target)
		}
	}
}

// TestPublishing sends a chart to a registry, and signs it, the image and the files.
func TestPublishing(t *testing.T) {
	server := httptest.NewServer(registry.New(registry.Logger(log.New(io.Discard, "", 0))))
	t.Cleanup(server.Close)
	host := strings.TrimPrefix(server.URL, "http://")
	at := "oci://" + host + "/charts"
	of, err := deploy.Read(root, "v98.7.6")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	f := folder{dir: dir, output: io.Discard, shown: filepath.Base}
	if err := (releaseOptions{charts: at}).addChart(&f, of, time.Unix(0, 0)); err != nil {
		t.Fatal(err)
	}
	args := []string{"VERSION=v98.7.6", "FILES=" + dir, "DIGESTS=" + dir, "CHARTS=" + at, "HELM_FLAGS=--plain-http", "COSIGN=echo", "COSIGN_FLAGS=--key cosign.key"}
	const nothing = "nothing has been sent that could be signed: make push and make push-chart send it\n"
	if output, err := makes(t, append(args, "sign")...); err == nil || !strings.HasPrefix(output, nothing) {
		t.Errorf("without digests: %v\n%s", err, output)
	}
	if output, err := makes(t, append(args, "push-chart")...); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	reference, err := name.ParseReference(host + "/charts/crosswalk:98.7.6")
	if err != nil {
		t.Fatal(err)
	}
	sent, err := remote.Image(reference)
	if err != nil {
		t.Fatal(err)
	}
	digest, err := sent.Digest()
	if err != nil {
		t.Fatal(err)
	}
	if got := read(t, filepath.Join(dir, "chart-digest")); got != digest.String()+"\n" {
		t.Errorf("chart-digest holds %q, and the chart is %s", got, digest)
	}
	layers, err := sent.Layers()
	if err != nil {
		t.Fatal(err)
	}
	content, err := layers[0].Compressed()
	if err != nil {
		t.Fatal(err)
	}
	defer content.Close()
	if got, err := io.ReadAll(content); err != nil || string(got) != read(t, filepath.Join(dir, "crosswalk-98.7.6.tgz")) {
		t.Errorf("what has been sent is not the package, %v", err)
	}
	if output, err := makes(t, append(args, "push-chart", "VERSION=v0.0.9")...); err == nil || !strings.Contains(output, "crosswalk-0.0.9.tgz") {
		t.Errorf("without a package: %v\n%s", err, output)
	}

	const image = "sha256:0123"
	write(t, filepath.Join(dir, "digest"), []byte(image+"\n"))
	output, err := makes(t, append(args, "sign")...)
	if err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	for _, want := range []string{
		"\nsign --yes --key cosign.key ghcr.io/crosswalk-dev/crosswalk@" + image + "\n",
		"\nsign --yes --key cosign.key " + host + "/charts/crosswalk@" + digest.String() + "\n",
		"\nsign-blob --yes --key cosign.key --bundle " + dir + "/checksums.txt.sigstore.json " + dir + "/checksums.txt\n",
	} {
		if !strings.Contains(output, want) {
			t.Errorf("cosign is not told %q:\n%s", want, output)
		}
	}
}
