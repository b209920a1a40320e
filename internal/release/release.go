package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/crosswalk-dev/crosswalk/internal/release/archive"
	"github.com/crosswalk-dev/crosswalk/internal/release/bom"
	"github.com/crosswalk-dev/crosswalk/internal/release/deploy"
	"github.com/crosswalk-dev/crosswalk/internal/release/program"
	"github.com/crosswalk-dev/crosswalk/internal/release/version"
)

// otherPlatforms are the platforms that users run crosswalk on, besides those of the image.
var otherPlatforms = []program.Platform{
	{OS: "darwin", Arch: "amd64"}, {OS: "darwin", Arch: "arm64"},
	{OS: "windows", Arch: "amd64"}, {OS: "windows", Arch: "arm64"},
}

// releaseOptions holds the flags of the command all.
type releaseOptions struct {
	imageOptions
	charts string             // the registry for the chart, such as oci://registry.example.com/charts
	others []program.Platform // besides those of the image
	files  string             // the folder for the files of the release
}

func newReleaseCommand() *cobra.Command {
	o := releaseOptions{others: otherPlatforms}
	cmd := &cobra.Command{
		Use:   "all",
		Short: "Build the image, and the files of a release: programs, manifests, chart, release notes and checksums",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return o.run(cmd.Context(), cmd.OutOrStdout())
		},
	}
	o.addFlags(cmd)
	cmd.Flags().StringVar(&o.charts, "charts", "", "the registry for the chart, such as oci://registry.example.com/charts")
	cmd.Flags().StringVar(&o.files, "files", "../../bin/release", "the folder for the files; it must be empty")
	return cmd
}

func (o releaseOptions) run(ctx context.Context, out io.Writer) error {
	if found, err := os.ReadDir(o.files); err == nil && len(found) > 0 {
		return fmt.Errorf("--files: %s is not empty, and its files would be part of the release", o.shown(o.files))
	}
	reference, err := o.check()
	if err != nil {
		return err
	}
	if !strings.HasPrefix(o.charts, "oci://") {
		return fmt.Errorf("--charts=%q is not a registry such as oci://registry.example.com/charts", o.charts)
	}
	notes, err := readNotes(o.root, o.version)
	if err != nil {
		return err
	}
	at, err := version.Of(o.root)
	if err != nil {
		return err
	}
	of, err := deploy.Read(o.root, o.version)
	if err != nil {
		return err
	}
	manifests, err := of.Manifests()
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(manifests, func(f archive.File) bool {
		return bytes.Contains(f.Content, []byte("image: "+reference.String()+"\n"))
	}) {
		return fmt.Errorf("--name: deploy does not install %s: set it in deploy/base/kustomization.yaml and in deploy/chart/values.yaml", o.name)
	}
	programs, err := o.compile(ctx, slices.Concat(imagePlatforms, o.others), out)
	if err != nil {
		return err
	}
	img, err := o.build(reference, programs[:len(imagePlatforms)], out)
	if err != nil {
		return err
	}
	f := folder{dir: o.files, output: out, shown: o.shown}
	for _, p := range programs {
		if err := o.addProgram(&f, p); err != nil {
			return err
		}
	}
	for _, manifest := range manifests {
		if err := f.add(manifest.Path, manifest.Content); err != nil {
			return err
		}
	}
	if err := o.addChart(&f, of, programs[0].Time()); err != nil {
		return err
	}
	page, err := notes.markdown(img, o.charts)
	if err != nil {
		return err
	}
	if err := f.add("release-notes.md", page); err != nil {
		return err
	}
	if err := f.addSums(); err != nil {
		return err
	}
	fmt.Fprintln(out, img.name())
	for _, reason := range compare(at, o.version, notes, programs[0].Commit()) {
		fmt.Fprintf(out, "this is a trial: %s\n", reason)
	}
	return nil
}

// addProgram adds p with the licences of its modules, and its bill of materials.
func (o releaseOptions) addProgram(f *folder, p compiled) error {
	binary, err := os.ReadFile(p.Path)
	if err != nil {
		return err
	}
	license, err := os.ReadFile(filepath.Join(o.root, "LICENSE"))
	if err != nil {
		return err
	}
	content := append(bom.Files(p.modules, "licenses"),
		archive.File{Path: filepath.Base(p.Path), Mode: 0o755, Content: binary},
		archive.File{Path: "LICENSE", Mode: 0o644, Content: license})
	pack, suffix := archive.TarGzip, ".tar.gz"
	if p.OS == "windows" {
		pack, suffix = archive.Zip, ".zip"
	}
	var packed bytes.Buffer
	if err := pack(&packed, content, p.Time()); err != nil {
		return err
	}
	if err := f.add(p.fileName(suffix), packed.Bytes()); err != nil {
		return err
	}
	return f.add(p.fileName(".spdx.json"), p.sbom)
}

// addChart adds the package of the chart, in which all files have the time at.
func (o releaseOptions) addChart(f *folder, of deploy.Folder, at time.Time) error {
	name, files := of.Chart(o.charts)
	var packed bytes.Buffer
	if err := archive.TarGzip(&packed, files, at); err != nil {
		return err
	}
	return f.add(name, packed.Bytes())
}

// compare lists what must change before this is the release of to.
func compare(at, to string, notes notes, commit string) []string {
	var trial []string
	switch {
	case !version.IsRelease(to):
		trial = append(trial, "a version that ends in -dev is not a release")
	case at != to:
		trial = append(trial, "the repository is at "+at+": run make version VERSION="+to)
	case notes.unreleased:
		trial = append(trial, "CHANGELOG.md has no section of "+to+": run make version VERSION="+to+" to make one of the unreleased changes")
	}
	if strings.HasSuffix(commit, "-dirty") {
		trial = append(trial, "files have changed since the commit")
	}
	return trial
}

// folder collects the files of a release.
type folder struct {
	dir    string
	output io.Writer
	shown  func(path string) string
	sums   []string // of the files, as sha256sum prints them
}

func (f *folder) add(name string, content []byte) error {
	if err := os.MkdirAll(f.dir, 0o755); err != nil {
		return err
	}
	path := filepath.Join(f.dir, name)
	if err := os.WriteFile(path, content, 0o644); err != nil {
		return err
	}
	f.sums = append(f.sums, fmt.Sprintf("%x  %s\n", sha256.Sum256(content), name))
	fmt.Fprintln(f.output, f.shown(path))
	return nil
}

// addSums adds the checksums of all earlier files, for sha256sum --check.
func (f *folder) addSums() error {
	return f.add("checksums.txt", []byte(strings.Join(f.sums, "")))
}
