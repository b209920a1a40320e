package deploy

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/crosswalk-dev/crosswalk/internal/release/archive"
	"github.com/crosswalk-dev/crosswalk/internal/release/version"
)

const (
	root    = "../../.."
	release = "v98.7.6"
)

// run runs kubectl or helm, as make builds it.
func run(t *testing.T, name string, args ...string) string {
	t.Helper()
	program, err := filepath.Abs(filepath.Join(root, "bin", name))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(program); err != nil {
		t.Fatalf("%v: go run ./build %s builds it, in e2e", err, name)
	}
	cmd := exec.CommandContext(t.Context(), program, args...)
	home := t.TempDir()
	cmd.Env = append(os.Environ(), "HELM_CACHE_HOME="+home, "HELM_CONFIG_HOME="+home, "HELM_DATA_HOME="+home)
	output, err := cmd.Output()
	if err != nil {
		failed := &exec.ExitError{}
		errors.As(err, &failed)
		t.Fatalf("%s %v: %v\n%s%s", name, args, err, output, failed.Stderr)
	}
	return string(output)
}

// atRelease is a copy of what names the version in the repository, at another version.
func atRelease(t *testing.T) string {
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "deploy"), os.DirFS(filepath.Join(root, "deploy"))); err != nil {
		t.Fatal(err)
	}
	for _, file := range version.Files() {
		content, err := os.ReadFile(filepath.Join(root, file))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, file)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, file), content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := version.Write(dir, release); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestManifests(t *testing.T) {
	folder, err := Read(root, release)
	if err != nil {
		t.Fatal(err)
	}
	rendered, err := folder.Manifests()
	if err != nil {
		t.Fatal(err)
	}
	copied := atRelease(t)
	for _, manifest := range rendered {
		t.Run(manifest.Path, func(t *testing.T) {
			source := filepath.Join(copied, manifests[manifest.Path])
			if strings.Contains(source, "components") {
				source = t.TempDir()
				write := "components: [" + filepath.ToSlash(relative(t, source, filepath.Join(copied, manifests[manifest.Path]))) + "]\n"
				if err := os.WriteFile(filepath.Join(source, "kustomization.yaml"), []byte(write), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if got, want := string(manifest.Content), run(t, "kubectl", "kustomize", source); got != want {
				t.Errorf("kubectl kustomize prints\n%s\nand not\n%s", want, got)
			}
			if images := regexp.MustCompile(`(?m)image: .*$`).FindAllString(string(manifest.Content), -1); len(images) > 0 &&
				!slices.Equal(slices.Compact(images), []string{"image: ghcr.io/crosswalk-dev/crosswalk:" + release}) {
				t.Errorf("it installs %q", images)
			}
		})
	}
	overlays, err := filepath.Glob(filepath.Join(root, "deploy", "overlays", "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, overlay := range overlays {
		name := "crosswalk-" + filepath.Base(overlay) + ".yaml"
		if !slices.ContainsFunc(rendered, func(f archive.File) bool { return f.Path == name }) {
			t.Errorf("%s is not released as %s", overlay, name)
		}
	}
}

func relative(t *testing.T, from, to string) string {
	t.Helper()
	path, err := filepath.Rel(from, to)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// TestChart compares the package with the one that helm makes.
func TestChart(t *testing.T) {
	folder, err := Read(root, release)
	if err != nil {
		t.Fatal(err)
	}
	name, files := folder.Chart("oci://registry.example.com/charts")
	if want := "crosswalk-98.7.6.tgz"; name != want {
		t.Errorf("the package is %s, want %s", name, want)
	}
	var packed bytes.Buffer
	if err := archive.TarGzip(&packed, files, time.Unix(0, 0)); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	ours := filepath.Join(dir, name)
	if err := os.WriteFile(ours, packed.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	source := filepath.Join(atRelease(t), "deploy", "chart")
	run(t, "helm", "package", source, "--destination", dir+"/helm")

	got, want := unpack(t, ours), unpack(t, filepath.Join(dir, "helm", name))
	for path, content := range want {
		switch path {
		case "crosswalk/Chart.yaml": // which helm writes anew
		case "crosswalk/README.md":
			expectPage(t, got[path])
		default:
			if got[path] != content {
				t.Errorf("%s holds\n%s\nand helm packs\n%s", path, got[path], content)
			}
		}
	}
	for path := range got {
		if _, ok := want[path]; !ok && path != "crosswalk/LICENSE" {
			t.Errorf("helm does not pack %s", path)
		}
	}
	run(t, "helm", "lint", ours, "--strict")
	if chart := run(t, "helm", "show", "chart", ours); !strings.Contains(chart, "\nversion: 98.7.6\n") || !strings.Contains(chart, "\nappVersion: v98.7.6\n") {
		t.Errorf("helm shows\n%s", chart)
	}
	for _, values := range []string{"image.digest=", "certificates.provider=cert-manager", "aggregated.enabled=true,monitoring.dashboard.enabled=true"} {
		args := []string{"template", "crosswalk", "--namespace", "crosswalk-system", "--set", values}
		if got, want := run(t, "helm", append(args, ours)...), run(t, "helm", append(args, source)...); got != want {
			t.Errorf("with %s helm renders\n%s\nand not\n%s", values, got, want)
		}
	}
}

func unpack(t *testing.T, path string) map[string]string {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	plain, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for reader := tar.NewReader(plain); ; {
		header, err := reader.Next()
		if errors.Is(err, io.EOF) {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(reader)
		if err != nil {
			t.Fatal(err)
		}
		if header.Typeflag == tar.TypeReg {
			files[header.Name] = string(content)
		}
	}
}

// expectPage expects a page that leads to what is not in the package.
func expectPage(t *testing.T, page string) {
	t.Helper()
	for _, want := range []string{
		"helm install crosswalk oci://registry.example.com/charts/crosswalk --namespace crosswalk-system",
		"(https://github.com/crosswalk-dev/crosswalk/blob/v98.7.6/docs/alerts.md)",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("README.md has no %q:\n%s", want, page)
		}
	}
	for _, not := range []string{"](..", " deploy/chart"} {
		if strings.Contains(page, not) {
			t.Errorf("README.md has %q:\n%s", not, page)
		}
	}
}
