package main

import (
	"archive/tar"
	"bytes"
	"debug/buildinfo"
	"debug/elf"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	spdxjson "github.com/spdx/tools-golang/json"
	"github.com/spdx/tools-golang/spdxlib"

	"github.com/crosswalk-dev/crosswalk/internal/release/image"
	"github.com/crosswalk-dev/crosswalk/internal/release/program"
)

const root = "../.."

// expectImage builds the image, and expects that it has digest and whatever crosswalk needs.
func expectImage(t *testing.T, o imageOptions, digest string) {
	t.Helper()
	var output bytes.Buffer
	if err := o.run(t.Context(), &output); err != nil {
		t.Fatal(err)
	}
	tag := o.name + ":" + o.version
	if want := "\n" + tag + "@" + digest + "\n"; !strings.HasSuffix(output.String(), want) {
		t.Errorf("the end is not %q: %s", want, output.String())
	}
	if got := read(t, filepath.Join(o.out, "digest")); got != digest+"\n" {
		t.Errorf("the file digest holds %q, and the digest is %s", got, digest)
	}
	for _, platform := range imagePlatforms {
		t.Run(platform.Slug(), func(t *testing.T) {
			archive := filepath.Join(o.out, "crosswalk-"+o.version+"-"+platform.Slug()+".tar")
			if !strings.Contains(output.String(), archive+", for docker load\n") {
				t.Errorf("%s is not told of: %s", archive, output.String())
			}
			files := unpack(t, archive, tag)
			binary := files[image.Entrypoint]
			expectStatic(t, binary, platform)
			info, err := buildinfo.Read(bytes.NewReader(binary))
			if err != nil {
				t.Fatal(err)
			}
			expectPapers(t, files, info, o.version)
			if platform.OS == runtime.GOOS && platform.Arch == runtime.GOARCH {
				expectRuns(t, files, o.version)
			}
		})
	}
}

// unpack returns the files of the image in a docker load archive by their paths.
func unpack(t *testing.T, archive, tag string) map[string][]byte {
	t.Helper()
	reference, err := name.NewTag(tag)
	if err != nil {
		t.Fatal(err)
	}
	img, err := tarball.ImageFromPath(archive, &reference)
	if err != nil {
		t.Fatal(err)
	}
	unpacked := mutate.Extract(img)
	defer unpacked.Close()
	files := map[string][]byte{}
	for reader := tar.NewReader(unpacked); ; {
		header, err := reader.Next()
		if errors.Is(err, io.EOF) {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		if header.Typeflag == tar.TypeDir {
			continue
		}
		if files["/"+header.Name], err = io.ReadAll(reader); err != nil {
			t.Fatal(err)
		}
	}
}

// expectStatic expects a program for platform that asks for no library: an image from
// scratch has none.
func expectStatic(t *testing.T, binary []byte, platform program.Platform) {
	t.Helper()
	parsed, err := elf.NewFile(bytes.NewReader(binary))
	if err != nil {
		t.Fatal(err)
	}
	if want := map[string]elf.Machine{"amd64": elf.EM_X86_64, "arm64": elf.EM_AARCH64}[platform.Arch]; parsed.Machine != want {
		t.Errorf("the program is for %v, not %v", parsed.Machine, want)
	}
	for _, part := range parsed.Progs {
		if part.Type == elf.PT_INTERP {
			t.Error("the program is linked dynamically")
		}
	}
}

// expectPapers expects a licence and an entry of the bill of materials for every module
// that the program says it is made of.
func expectPapers(t *testing.T, files map[string][]byte, info *buildinfo.BuildInfo, version string) {
	t.Helper()
	document, err := spdxjson.Read(bytes.NewReader(files[image.SBOM]))
	if err != nil {
		t.Fatal(err)
	}
	if err := spdxlib.ValidateDocument(document); err != nil {
		t.Error(err)
	}
	listed := map[string]string{}
	for _, pkg := range document.Packages {
		listed[pkg.PackageName] = pkg.PackageVersion
		if pkg.PackageLicenseConcluded == "NOASSERTION" {
			t.Errorf("the licence of %s is not known", pkg.PackageName)
		}
	}
	if described, err := spdxlib.GetDescribedPackageIDs(document); err != nil || len(described) != 1 {
		t.Errorf("the document describes %v, %v", described, err)
	}
	want := map[string]string{"github.com/crosswalk-dev/crosswalk": version, "std": "v" + strings.TrimPrefix(runtime.Version(), "go")}
	for _, module := range info.Deps {
		want[module.Path] = module.Version
	}
	if len(listed) != len(want) {
		t.Errorf("%d packages are listed, and there are %d", len(listed), len(want))
	}
	for module, version := range want {
		if listed[module] != version {
			t.Errorf("%s has version %q in the bill of materials, not %s", module, listed[module], version)
		}
		licensed := false
		for path := range files {
			licensed = licensed || strings.HasPrefix(path, image.Licenses+"/"+module+"/LICEN") || strings.HasPrefix(path, image.Licenses+"/"+module+"/COPYING")
		}
		if !licensed {
			t.Errorf("the licence of %s is missing", module)
		}
	}
}

// expectRuns runs the program with the files of the image, as the image's user where the
// test may change the root: with nothing else in it.
func expectRuns(t *testing.T, files map[string][]byte, version string) {
	t.Helper()
	dir := t.TempDir()
	for path, content := range files {
		write(t, filepath.Join(dir, path), content)
	}
	// CEL knows time zones by name.
	write(t, filepath.Join(dir, "policy.yaml"), []byte(`apiVersion: crosswalk.dev/v1alpha1
kind: ValidationPolicy
metadata: {name: zones}
spec:
  matchConstraints:
    resourceRules:
    - {apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}
  validations:
  - expression: timestamp('2026-01-01T12:00:00Z').getHours('America/New_York') == 7
`))
	write(t, filepath.Join(dir, "object.yaml"), []byte("{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}"))
	for want, args := range map[string][]string{
		"crosswalk version " + version + "\n":           {"--version"},
		"CREATE of ConfigMap default/a (v1): allowed\n": {"admit", "--config", "policy.yaml", "-f", "object.yaml"},
	} {
		cmd := exec.CommandContext(t.Context(), filepath.Join(dir, image.Entrypoint), args...)
		cmd.Dir, cmd.Env = dir, []string{}
		if os.Geteuid() == 0 {
			if err := os.Chmod(dir, 0o755); err != nil {
				t.Fatal(err)
			}
			cmd.Path, cmd.Dir = image.Entrypoint, "/"
			cmd.SysProcAttr = &syscall.SysProcAttr{Chroot: dir, Credential: &syscall.Credential{Uid: 65532, Gid: 65532}}
		}
		output, err := cmd.CombinedOutput()
		if err != nil || !strings.HasPrefix(string(output), want) {
			t.Errorf("%v says %q, %v, want %q", args, output, err, want)
		}
	}
}

func write(t *testing.T, path string, content []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, content, 0o755); err != nil {
		t.Fatal(err)
	}
}

// TestCompilingElsewhere compiles two copies of the repository in two places.
func TestCompilingElsewhere(t *testing.T) {
	var programs [][]byte
	for _, place := range []string{"here", "somewhere/else"} {
		copied := filepath.Join(t.TempDir(), place)
		for _, room := range []string{"api", "certs", "cmd", "conversion", "internal", "validation", "webhook"} {
			if err := os.CopyFS(filepath.Join(copied, room), os.DirFS(filepath.Join(root, room))); err != nil {
				t.Fatal(err)
			}
		}
		for _, file := range []string{"go.mod", "go.sum"} {
			content, err := os.ReadFile(filepath.Join(root, file))
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(copied, file), content, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		p, err := program.Compile(t.Context(), copied, "v1.2.3", imagePlatforms[0], t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		content, err := os.ReadFile(p.Path)
		if err != nil {
			t.Fatal(err)
		}
		programs = append(programs, content)
	}
	if !bytes.Equal(programs[0], programs[1]) {
		t.Error("the program depends on where it is compiled")
	}
}

func TestImageRefusesWhatIsNoVersion(t *testing.T) {
	tests := map[imageOptions]string{
		{name: "crosswalk", version: "latest"}:    `--version: "latest" is not a version such as v1.2.3 or v1.2.3-rc.1`,
		{name: "crosswalk", version: "1.2.3"}:     `--version: "1.2.3" is not a version such as v1.2.3 or v1.2.3-rc.1`,
		{name: "Crosswalk!", version: "v1.2.3"}:   `--name="Crosswalk!" with --version=v1.2.3 is not a valid name for an image: `,
		{name: "crosswalk", version: "v1.2.3+b1"}: `--version: "v1.2.3+b1" is not a version such as v1.2.3 or v1.2.3-rc.1`,
	}
	for o, want := range tests {
		o.out = t.TempDir()
		if err := o.run(t.Context(), io.Discard); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
