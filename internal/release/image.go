package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/spf13/cobra"

	"github.com/crosswalk-dev/crosswalk/internal/release/bom"
	"github.com/crosswalk-dev/crosswalk/internal/release/image"
	"github.com/crosswalk-dev/crosswalk/internal/release/program"
	"github.com/crosswalk-dev/crosswalk/internal/release/version"
)

// imagePlatforms are what an image is made for.
var imagePlatforms = []program.Platform{{OS: "linux", Arch: "amd64"}, {OS: "linux", Arch: "arm64"}}

// imageOptions is what the command image is told.
type imageOptions struct {
	root    string // of the repository
	version string
	name    string // the image's, without a tag
	out     string // the folder for what is made
	push    bool
}

func newImageCommand() *cobra.Command {
	var o imageOptions
	cmd := &cobra.Command{
		Use:   "image",
		Short: "Build the container image for linux/amd64 and linux/arm64",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return o.run(cmd.Context(), cmd.OutOrStdout())
		},
	}
	cmd.Flags().StringVar(&o.root, "root", "../..", "the repository")
	cmd.Flags().StringVar(&o.version, "version", "", "the version, as v1.2.3: the image's tag, and what the program says")
	cmd.Flags().StringVar(&o.name, "name", "", "the image's name, as registry.example.com/crosswalk")
	cmd.Flags().StringVar(&o.out, "out", "../../bin/image", "the folder for what is made")
	cmd.Flags().BoolVar(&o.push, "push", false, "send the image to the registry in its name, with the credentials of docker login")
	return cmd
}

func (o imageOptions) run(ctx context.Context, out io.Writer) error {
	if err := version.Check(o.version); err != nil {
		return fmt.Errorf("--version: %w", err)
	}
	reference, err := name.NewTag(o.name + ":" + o.version)
	if err != nil {
		return fmt.Errorf("--name=%q with --version=%s is no name for an image: %w", o.name, o.version, err)
	}
	if err := os.MkdirAll(o.out, 0o755); err != nil {
		return err
	}
	var programs []program.Program
	var images []v1.Image
	for _, platform := range imagePlatforms {
		fmt.Fprintf(out, "%-15s compiling: minutes the first time\n", platform)
		p, err := program.Compile(ctx, o.root, o.version, platform, filepath.Join(o.out, "programs"))
		if err != nil {
			return err
		}
		img, err := o.imageOf(ctx, p)
		if err != nil {
			return err
		}
		archive := o.path(p, ".tar")
		if err := image.WriteArchive(archive, img, reference); err != nil {
			return err
		}
		fmt.Fprintf(out, "%-15s %s, for docker load\n", platform, o.shown(archive))
		programs, images = append(programs, p), append(images, img)
	}
	index := image.Index(programs, images)
	layout := filepath.Join(o.out, "oci")
	if err := image.WriteLayout(layout, index, reference); err != nil {
		return err
	}
	digest, err := index.Digest()
	if err != nil {
		return err
	}
	// cosign and the like sign what has this digest.
	if err := os.WriteFile(filepath.Join(o.out, "digest"), []byte(digest.String()+"\n"), 0o644); err != nil {
		return err
	}
	fmt.Fprintf(out, "%-15s %s, an OCI layout\n", "both", o.shown(layout))
	if o.push {
		if err := image.Push(ctx, index, reference); err != nil {
			return fmt.Errorf("push %s: %w", reference, err)
		}
		fmt.Fprintln(out, "pushed")
	}
	fmt.Fprintf(out, "%s@%s\n", reference, digest)
	return nil
}

// imageOf makes the image of p, and keeps its bill of materials beside it, too.
func (o imageOptions) imageOf(ctx context.Context, p program.Program) (v1.Image, error) {
	modules, err := bom.Modules(ctx, o.root, p)
	if err != nil {
		return nil, err
	}
	sbom, err := bom.SPDX(p, modules)
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(o.path(p, ".spdx.json"), sbom, 0o644); err != nil {
		return nil, err
	}
	return image.New(p, modules, sbom)
}

// shown is the form of path for users, who run make in the repository's folder.
func (o imageOptions) shown(path string) string {
	if below, err := filepath.Rel(o.root, path); err == nil && filepath.IsLocal(below) {
		return below
	}
	return path
}

// path names a file of the folder for what is made.
func (o imageOptions) path(p program.Program, suffix string) string {
	return filepath.Join(o.out, "crosswalk-"+p.Version+"-"+p.Slug()+suffix)
}
