package version

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

const root = "../../.."

// TestOfTheRepository holds what is built and what is installed together.
func TestOfTheRepository(t *testing.T) {
	version, err := Of(root)
	if err != nil {
		t.Fatal(err)
	}
	if err := Check(version); err != nil {
		t.Error(err)
	}
}

// copied is a folder with copies of the repository's files that name the version.
func copied(t *testing.T) string {
	dir := t.TempDir()
	for _, file := range Files() {
		content, err := os.ReadFile(filepath.Join(root, file))
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, file), content)
	}
	return dir
}

func write(t *testing.T, path string, content []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, content, 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestWrite(t *testing.T) {
	dir := copied(t)
	if err := Write(dir, "v9.8.7-rc.6"); err != nil {
		t.Fatal(err)
	}
	if got, err := Of(dir); got != "v9.8.7-rc.6" || err != nil {
		t.Errorf("got %s, %v", got, err)
	}
	for file, want := range map[string]string{
		"Makefile":                       `(?m)^VERSION \?= v9\.8\.7-rc\.6$`,
		"deploy/base/kustomization.yaml": `(?m)^  newTag: v9\.8\.7-rc\.6 # VERSION in the Makefile$`,
		"docs/quickstart.md":             `(?m)^kind load image-archive bin/image/crosswalk-v9\.8\.7-rc\.6-linux-\$\(go env GOARCH\)\.tar$`,
		// Helm's versions have no v.
		"deploy/chart/Chart.yaml": `(?m)^version: 9\.8\.7-rc\.6 # VERSION in the Makefile\nappVersion: v9\.8\.7-rc\.6 # VERSION in the Makefile$`,
	} {
		content, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil {
			t.Fatal(err)
		}
		if !regexp.MustCompile(want).Match(content) {
			t.Errorf("%s has no line like %s:\n%s", file, want, content)
		}
	}
	version, err := Of(root)
	if err != nil {
		t.Fatal(err)
	}
	if err := Write(dir, version); err != nil {
		t.Fatal(err)
	}
	for _, p := range places {
		got, err := os.ReadFile(filepath.Join(dir, p.file))
		if err != nil {
			t.Fatal(err)
		}
		if want, err := os.ReadFile(filepath.Join(root, p.file)); err != nil || string(got) != string(want) {
			t.Errorf("%s is another file after its version was written, %v:\n%s", p.file, err, got)
		}
	}
}

func TestPlacesThatDiffer(t *testing.T) {
	dir := copied(t)
	if err := Write(dir, "v1.2.3"); err != nil {
		t.Fatal(err)
	}
	makefile := filepath.Join(dir, "Makefile")
	write(t, makefile, []byte("VERSION ?= v1.2.4\n"))
	const differ = "Makefile names version v1.2.4, and deploy/base/kustomization.yaml names v1.2.3: run make version VERSION=v1.2.4 to make them equal"
	if _, err := Of(dir); err == nil || err.Error() != differ {
		t.Errorf("got %v, want %s", err, differ)
	}
	write(t, makefile, []byte("IMAGE ?= crosswalk\n"))
	const missing = `Makefile has 0 lines like (?m)^(VERSION \?= )(\S+)($), not one`
	if _, err := Of(dir); err == nil || err.Error() != missing {
		t.Errorf("got %v, want %s", err, missing)
	}
	if err := Write(dir, "v1.2.3"); err == nil || err.Error() != missing {
		t.Errorf("got %v, want %s", err, missing)
	}
}

// TestNameOfTheImage holds the image that make builds and that deploy installs together.
func TestNameOfTheImage(t *testing.T) {
	find := func(file, line string) string {
		content, err := os.ReadFile(filepath.Join(root, file))
		if err != nil {
			t.Fatal(err)
		}
		found := regexp.MustCompile(line).FindSubmatch(content)
		if found == nil {
			t.Fatalf("%s has no line like %s", file, line)
		}
		return string(found[1])
	}
	if built, installed := find("Makefile", `(?m)^IMAGE \?= (\S+)$`), find("deploy/base/kustomization.yaml", `(?m)^  newName: (\S+)$`); built != installed {
		t.Errorf("make builds %s, and deploy/base installs %s", built, installed)
	}
}

func TestCheck(t *testing.T) {
	for version, valid := range map[string]bool{
		"v1.2.3": true, "v1.2.3-rc.1": true, "v0.1.0-dev": true,
		"1.2.3": false, "v1.2": false, "latest": false, "": false, "v1.2.3+b1": false,
	} {
		if err := Check(version); (err == nil) != valid {
			t.Errorf("%s: %v", version, err)
		}
	}
	for version, released := range map[string]bool{"v1.2.3": true, "v1.2.3-rc.1": true, "v0.1.0-dev": false} {
		if IsRelease(version) != released {
			t.Errorf("%s is released: %v", version, !released)
		}
	}
}
