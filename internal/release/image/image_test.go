package image

import (
	"archive/tar"
	"errors"
	"io"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/registry"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/tarball"

	"github.com/crosswalk-dev/crosswalk/internal/release/bom"
	"github.com/crosswalk-dev/crosswalk/internal/release/program"
)

// sample is an image of a program that is three bytes long.
func sample(t *testing.T, arch string) (program.Program, v1.Image) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "crosswalk")
	if err := os.WriteFile(path, []byte("ELF"), 0o600); err != nil {
		t.Fatal(err)
	}
	p := program.Program{
		Platform: program.Platform{OS: "linux", Arch: arch}, Path: path, Version: "v1.2.3",
		Info: &debug.BuildInfo{Settings: []debug.BuildSetting{
			{Key: "vcs.revision", Value: "abc"}, {Key: "vcs.time", Value: "2026-11-26T17:45:16Z"},
		}},
	}
	img, err := New(p, []bom.Module{
		{Path: "example.com/b", Texts: []bom.Text{{Name: "LICENSE", Content: []byte("b")}}},
		{Path: "example.com/a", Texts: []bom.Text{{Name: "forked/LICENSE", Content: []byte("a")}, {Name: "NOTICE", Content: []byte("n")}}},
	}, []byte("{}"))
	if err != nil {
		t.Fatal(err)
	}
	return p, img
}

func TestImageHoldsTheProgramAndItsPapers(t *testing.T) {
	_, img := sample(t, "amd64")
	unpacked := mutate.Extract(img)
	defer unpacked.Close()
	var files []string
	reader := tar.NewReader(unpacked)
	for {
		header, err := reader.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if header.Uid != 0 || header.Gid != 0 || header.Uname != "" || !header.ModTime.Equal(time.Date(2026, 11, 26, 17, 45, 16, 0, time.UTC)) {
			t.Errorf("%s is of user %d and %v", header.Name, header.Uid, header.ModTime)
		}
		if header.Typeflag == tar.TypeReg {
			content, err := io.ReadAll(reader)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, header.FileInfo().Mode().String()+" "+header.Name+" "+string(content))
		}
	}
	slices.Sort(files)
	want := []string{
		"-rw-r--r-- usr/share/doc/crosswalk/licenses/example.com/a/NOTICE n",
		"-rw-r--r-- usr/share/doc/crosswalk/licenses/example.com/a/forked/LICENSE a",
		"-rw-r--r-- usr/share/doc/crosswalk/licenses/example.com/b/LICENSE b",
		"-rw-r--r-- usr/share/doc/crosswalk/sbom.spdx.json {}",
		"-rwxr-xr-x usr/local/bin/crosswalk ELF",
	}
	if !slices.Equal(files, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(files, "\n"), strings.Join(want, "\n"))
	}
}

func TestImageRunsAsNobody(t *testing.T) {
	_, img := sample(t, "arm64")
	config, err := img.ConfigFile()
	if err != nil {
		t.Fatal(err)
	}
	if config.OS != "linux" || config.Architecture != "arm64" {
		t.Errorf("it is for %s/%s", config.OS, config.Architecture)
	}
	if config.Config.User != "65532:65532" || !slices.Equal(config.Config.Entrypoint, []string{"/usr/local/bin/crosswalk"}) {
		t.Errorf("it runs %v as %s", config.Config.Entrypoint, config.Config.User)
	}
	for label, want := range map[string]string{
		"version": "v1.2.3", "revision": "abc", "created": "2026-11-26T17:45:16Z", "licenses": "Apache-2.0",
		"source": "https://github.com/crosswalk-dev/crosswalk",
	} {
		if got := config.Config.Labels["org.opencontainers.image."+label]; got != want {
			t.Errorf("label %s is %q, not %q", label, got, want)
		}
	}
}

func TestTheSameProgramIsTheSameImage(t *testing.T) {
	digests := map[v1.Hash]bool{}
	for range 5 {
		p, img := sample(t, "amd64")
		digest, err := Index([]program.Program{p}, []v1.Image{img}).Digest()
		if err != nil {
			t.Fatal(err)
		}
		digests[digest] = true
	}
	if len(digests) != 1 {
		t.Errorf("five builds have %d digests", len(digests))
	}
}

func TestLayoutArchiveAndRegistryHoldTheSameImage(t *testing.T) {
	amd, amdImage := sample(t, "amd64")
	arm, armImage := sample(t, "arm64")
	index := Index([]program.Program{amd, arm}, []v1.Image{amdImage, armImage})
	want, err := index.Digest()
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(registry.New())
	defer server.Close()
	reference, err := name.NewTag(strings.TrimPrefix(server.URL, "http://") + "/crosswalk:v1.2.3")
	if err != nil {
		t.Fatal(err)
	}

	dir := filepath.Join(t.TempDir(), "oci")
	for range 2 { // the second takes the place of the first
		if err := WriteLayout(dir, index, reference); err != nil {
			t.Fatal(err)
		}
	}
	written, err := layout.ImageIndexFromPath(dir)
	if err != nil {
		t.Fatal(err)
	}
	manifest, err := written.IndexManifest()
	if err != nil {
		t.Fatal(err)
	}
	if len(manifest.Manifests) != 1 || manifest.Manifests[0].Digest != want || manifest.Manifests[0].Annotations["org.opencontainers.image.ref.name"] != "v1.2.3" {
		t.Errorf("the layout holds %+v, want %s", manifest.Manifests, want)
	}

	archive := filepath.Join(t.TempDir(), "crosswalk.tar")
	if err := WriteArchive(archive, armImage, reference); err != nil {
		t.Fatal(err)
	}
	loaded, err := tarball.ImageFromPath(archive, &reference)
	if err != nil {
		t.Fatal(err)
	}
	got, err := loaded.ConfigName()
	if err != nil {
		t.Fatal(err)
	}
	if config, err := armImage.ConfigName(); err != nil || got != config {
		t.Errorf("the archive holds %s, want %s, %v", got, config, err)
	}

	if err := Push(t.Context(), index, reference); err != nil {
		t.Fatal(err)
	}
	pulled, err := remote.Image(reference, remote.WithPlatform(v1.Platform{OS: "linux", Architecture: "arm64"}))
	if err != nil {
		t.Fatal(err)
	}
	if digest, err := armImage.Digest(); err != nil {
		t.Fatal(err)
	} else if got, err := pulled.Digest(); err != nil || got != digest {
		t.Errorf("a node of arm64 pulls %s, want %s, %v", got, digest, err)
	}
}
