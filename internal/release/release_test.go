package main

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"debug/buildinfo"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	spdxjson "github.com/spdx/tools-golang/json"

	"github.com/crosswalk-dev/crosswalk/internal/release/program"
)

const charts = "oci://registry.example.com/charts"

// TestRelease compiles for each operating system and each architecture. What is left out
// takes minutes the first time, and is made of the same files.
func TestRelease(t *testing.T) {
	others := []program.Platform{{OS: "darwin", Arch: "arm64"}, {OS: "windows", Arch: "amd64"}}
	for _, platform := range others {
		if !slices.Contains(otherPlatforms, platform) {
			t.Errorf("%s is not released", platform)
		}
	}
	const name = "ghcr.io/crosswalk-dev/crosswalk"
	o := releaseOptions{imageOptions{root: root, version: "v98.7.6", name: name, out: t.TempDir()}, charts, others, t.TempDir()}
	var output bytes.Buffer
	if err := o.run(t.Context(), &output); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"checksums.txt", "crosswalk-98.7.6.tgz", "crosswalk-aggregated.yaml", "crosswalk-cert-manager.yaml", "crosswalk-crds.yaml", "crosswalk-injection.yaml", "crosswalk-monitoring.yaml",
		"crosswalk-v98.7.6-darwin-arm64.spdx.json", "crosswalk-v98.7.6-darwin-arm64.tar.gz",
		"crosswalk-v98.7.6-linux-amd64.spdx.json", "crosswalk-v98.7.6-linux-amd64.tar.gz",
		"crosswalk-v98.7.6-linux-arm64.spdx.json", "crosswalk-v98.7.6-linux-arm64.tar.gz",
		"crosswalk-v98.7.6-windows-amd64.spdx.json", "crosswalk-v98.7.6-windows-amd64.zip",
		"crosswalk.yaml", "release-notes.md",
	}
	if got := names(t, o.files); !slices.Equal(got, want) {
		t.Errorf("the files are %q, want %q", got, want)
	}
	expectListed(t, names(t, o.files), others)
	expectSums(t, o.files)
	for _, platform := range slices.Concat(imagePlatforms, others) {
		t.Run(platform.Slug(), func(t *testing.T) {
			expectArchive(t, filepath.Join(o.files, "crosswalk-v98.7.6-"+platform.Slug()), platform)
		})
	}
	digest := strings.TrimSpace(read(t, filepath.Join(o.out, "digest")))
	notes := read(t, filepath.Join(o.files, "release-notes.md"))
	for _, want := range []string{"\nThe image is `" + name + ":v98.7.6@" + digest + "`.\n", "/releases/download/v98.7.6/crosswalk.yaml\n", "--version 98.7.6 "} {
		if !strings.Contains(notes, want) {
			t.Errorf("the notes do not have %q:\n%s", want, notes)
		}
	}
	if want := "this is a trial: the repository is at v"; !strings.Contains(output.String(), name+":v98.7.6@"+digest+"\n"+want) {
		t.Errorf("the end is not the image and %q:\n%s", want, output.String())
	}
	t.Run("image", func(t *testing.T) { expectImage(t, o.imageOptions, digest) })
}

func TestTrials(t *testing.T) {
	const commit = "b45bb28"
	tests := []struct {
		at, to string
		notes  notes
		commit string
		want   []string
	}{
		{"v1.2.3", "v1.2.3", notes{}, commit, nil},
		{"v1.2.3-dev", "v1.2.3", notes{unreleased: true}, commit, []string{"the repository is at v1.2.3-dev: run make version VERSION=v1.2.3"}},
		{"v1.2.3", "v1.2.3", notes{unreleased: true}, commit, []string{"CHANGELOG.md has no section of v1.2.3: run make version VERSION=v1.2.3 to make one of the unreleased changes"}},
		{"v1.2.4-dev", "v1.2.4-dev", notes{unreleased: true}, commit, []string{"a version that ends in -dev is not a release"}},
		{"v1.2.3", "v1.2.3", notes{}, commit + "-dirty", []string{"files have changed since the commit"}},
	}
	for _, test := range tests {
		if got := compare(test.at, test.to, test.notes, test.commit); !slices.Equal(got, test.want) {
			t.Errorf("%+v: got %q", test, got)
		}
	}
}

func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}

// expectListed expects that the page about releases lists each of files, and no others.
func expectListed(t *testing.T, files []string, platforms []program.Platform) {
	t.Helper()
	want := map[string]bool{"checksums.txt.sigstore.json": true} // which make sign writes
	for _, file := range files {
		file = strings.NewReplacer("v98.7.6", "VERSION", "98.7.6", "NUMBER").Replace(file)
		for _, platform := range slices.Concat(imagePlatforms, platforms) {
			file = strings.ReplaceAll(file, platform.Slug(), "PLATFORM")
		}
		want[file] = true
	}
	_, page, _ := strings.Cut(read(t, filepath.Join(root, "docs", "releases.md")), "| file | purpose |")
	page, _, _ = strings.Cut(page, "\n\n")
	listed := map[string]bool{}
	for _, row := range regexp.MustCompile(`(?m)^\| ([^|]+) \|`).FindAllStringSubmatch(page, -1) {
		for _, file := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(row[1], -1) {
			listed[file[1]] = true
		}
	}
	if !maps.Equal(listed, want) {
		t.Errorf("docs/releases.md lists %v, want %v", listed, want)
	}
}

// expectSums expects the checksum of each file but their own.
func expectSums(t *testing.T, dir string) {
	t.Helper()
	var want []string
	for _, name := range names(t, dir) {
		if name != "checksums.txt" {
			want = append(want, fmt.Sprintf("%x  %s\n", sha256.Sum256([]byte(read(t, filepath.Join(dir, name)))), name))
		}
	}
	got := slices.Collect(strings.Lines(read(t, filepath.Join(dir, "checksums.txt"))))
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("the checksums are %q, want %q", got, want)
	}
}

// expectArchive expects crosswalk for platform in the archive path, and that the bill of
// materials beside it is that program's.
func expectArchive(t *testing.T, path string, platform program.Platform) {
	t.Helper()
	var files fs.FS
	program := "crosswalk"
	if platform.OS == "windows" {
		reader, err := zip.OpenReader(path + ".zip")
		if err != nil {
			t.Fatal(err)
		}
		defer reader.Close()
		files, program = reader, "crosswalk.exe"
	} else {
		files = untar(t, path+".tar.gz")
	}
	info, err := fs.Stat(files, program)
	if err != nil || info.Mode().Perm() != 0o755 {
		t.Fatalf("%v, %v", info, err)
	}
	binary, err := fs.ReadFile(files, program)
	if err != nil {
		t.Fatal(err)
	}
	built, err := buildinfo.Read(bytes.NewReader(binary))
	if err != nil {
		t.Fatal(err)
	}
	settings := map[string]string{}
	for _, setting := range built.Settings {
		settings[setting.Key] = setting.Value
	}
	if settings["GOOS"] != platform.OS || settings["GOARCH"] != platform.Arch || settings["CGO_ENABLED"] != "0" {
		t.Errorf("it is for %s/%s, with cgo %s", settings["GOOS"], settings["GOARCH"], settings["CGO_ENABLED"])
	}
	document, err := spdxjson.Read(strings.NewReader(read(t, path+".spdx.json")))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := document.Packages[0].PackageChecksums[0].Value, fmt.Sprintf("%x", sha256.Sum256(binary)); got != want {
		t.Errorf("the bill of materials is that of %s, and the program is %s", got, want)
	}
	if license, err := fs.ReadFile(files, "LICENSE"); err != nil || string(license) != read(t, filepath.Join(root, "LICENSE")) {
		t.Errorf("LICENSE is %q, %v", license, err)
	}
	for _, pkg := range document.Packages {
		if found, err := fs.Glob(files, "licenses/"+pkg.PackageName+"/[LC][IO]*"); err != nil || len(found) == 0 {
			t.Errorf("the licence of %s is missing, %v", pkg.PackageName, err)
		}
	}
	if platform.OS == runtime.GOOS && platform.Arch == runtime.GOARCH {
		unpacked := filepath.Join(t.TempDir(), program)
		write(t, unpacked, binary)
		output, err := exec.CommandContext(t.Context(), unpacked, "version").CombinedOutput()
		if err != nil || !strings.Contains(string(output), "v98.7.6\n") {
			t.Errorf("crosswalk version says %v\n%s", err, output)
		}
	}
}

// untar unpacks with the program that most users have.
func untar(t *testing.T, path string) fs.FS {
	t.Helper()
	dir := t.TempDir()
	if output, err := exec.CommandContext(t.Context(), "tar", "-xzf", path, "-C", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	return os.DirFS(dir)
}

func TestReleaseRefuses(t *testing.T) {
	full := t.TempDir()
	write(t, filepath.Join(full, "crosswalk-0.0.9.tgz"), nil)
	const name = "ghcr.io/crosswalk-dev/crosswalk"
	tests := map[string]releaseOptions{
		"--files: " + full + " is not empty, and its files would be part of the release": {imageOptions{root: root, version: "v1.2.3", name: name}, charts, nil, full},
		`--version: "1.2.3" is not a version such as v1.2.3 or v1.2.3-rc.1`:              {imageOptions{root: root, version: "1.2.3", name: name}, charts, nil, t.TempDir()},
		"--name: deploy does not install registry.example.com/crosswalk: " +
			"set it in deploy/base/kustomization.yaml and in deploy/chart/values.yaml": {imageOptions{root: root, version: "v1.2.3", name: "registry.example.com/crosswalk"}, charts, nil, t.TempDir()},
		`--charts="registry.example.com/charts" is not a registry such as oci://registry.example.com/charts`: {imageOptions{root: root, version: "v1.2.3", name: name}, "registry.example.com/charts", nil, t.TempDir()},
	}
	for want, o := range tests {
		o.out = t.TempDir()
		if err := o.run(t.Context(), io.Discard); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
