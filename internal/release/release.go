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

// otherPlatforms are those that users run crosswalk on, beside the image's.
var otherPlatforms = []program.Platform{
	{OS: "darwin", Arch: "amd64"}, {OS: "darwin", Arch: "arm64"},
	{OS: "windows", Arch: "amd64"}, {OS: "windows", Arch: "arm64"},
}

// releaseOptions is what the command all is told.
type releaseOptions struct {
	imageOptions
	charts string             // the registry for the chart, as oci://registry.example.com/charts
	others []program.Platform // beside the image's
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
	cmd.Flags().StringVar(&o.charts, "charts", "", "the registry for the chart, as oci://registry.example.com/charts")
	cmd.Flags().StringVar(&o.files, "files", "../../bin/release", "the folder for the files; it may not hold any")
	return cmd
}

func (o releaseOptions) run(ctx context.Context, out io.Writer) error {
	if found, err := os.ReadDir(o.files); err == nil && len(found) > 0 {
		return fmt.Errorf("--files: %s is not empty, and what is in it would be part of the release", o.shown(o.files))
	}
	reference, err := o.check()
	if err != nil {
		return err
	}
	if !strings.HasPrefix(o.charts, "oci://") {
		return fmt.Errorf("--charts=%q is not a registry as oci://registry.example.com/charts", o.charts)
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
		return fmt.Errorf("--name: %s is not what deploy installs: give it to deploy/base/kustomization.yaml and to deploy/chart/values.yaml", o.name)
	}
	programs, err := o.compile(ctx, slices.Concat(imagePlatforms, o.others), out)
	if err != nil {
		return err
	}
	img, err := o.build(reference, programs[:len(imagePlatforms)], out)
	if err != nil {
		return err
	}
	f := folder{dir: o.files, said: out, shown: o.shown}
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

// addProgram adds p with the licences of what it is made of, and its bill of materials.
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

// compare says what has to change before this is the release of to.
func compare(at, to string, notes notes, commit string) []string {
	var trial []string
	switch {
	case !version.IsRelease(to):
		trial = append(trial, "a version that ends in -dev is what comes before a release")
	case at != to:
		trial = append(trial, "the repository is at "+at+": make version VERSION="+to+" has it name "+to)
	case notes.unreleased:
		trial = append(trial, "CHANGELOG.md has no section of "+to+": make version VERSION="+to+" makes one of what is unreleased")
	}
	if strings.HasSuffix(commit, "-dirty") {
		trial = append(trial, "files have changed since the commit")
	}
	return trial
}

// folder is a folder that is being filled with the files of a release.
type folder struct {
	dir   string
	said  io.Writer
	shown func(path string) string
	sums  []string // of the files, as sha256sum prints them
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
	fmt.Fprintln(f.said, f.shown(path))
	return nil
}

// addSums adds the checksums of all files before it, for sha256sum --check.
func (f *folder) addSums() error {
	return f.add("checksums.txt", []byte(strings.Join(f.sums, "")))
}
