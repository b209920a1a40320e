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

// imagePlatforms are the platforms of an image.
var imagePlatforms = []program.Platform{{OS: "linux", Arch: "amd64"}, {OS: "linux", Arch: "arm64"}}

// imageOptions holds the flags of the command image.
type imageOptions struct {
	root    string // of the repository
	version string
	name    string // the image's, without a tag
	out     string // the output folder
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
	o.addFlags(cmd)
	cmd.Flags().BoolVar(&o.push, "push", false, "send the image to the registry in its name, with the credentials of docker login")
	return cmd
}

func (o *imageOptions) addFlags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&o.root, "root", "../..", "the repository")
	cmd.Flags().StringVar(&o.version, "version", "", "the version, such as v1.2.3: the image's tag, and what the program prints as its version")
	cmd.Flags().StringVar(&o.name, "name", "", "the image's name, as registry.example.com/crosswalk")
	cmd.Flags().StringVar(&o.out, "image", "../../bin/image", "the folder for the image")
}

// compiled is crosswalk for a platform, and its bill of materials.
type compiled struct {
	program.Program
	modules []bom.Module
	sbom    []byte
}

// fileName returns the name of a file of c, such as crosswalk-v1.2.3-linux-amd64.tar.
func (c compiled) fileName(suffix string) string {
	return "crosswalk-" + c.Version + "-" + c.Slug() + suffix
}

// builtImage is the image for all its platforms.
type builtImage struct {
	index     v1.ImageIndex
	reference name.Tag
	digest    v1.Hash
}

// name names the image by its tag and its digest.
func (i builtImage) name() string { return i.reference.String() + "@" + i.digest.String() }

func (o imageOptions) run(ctx context.Context, out io.Writer) error {
	reference, err := o.check()
	if err != nil {
		return err
	}
	programs, err := o.compile(ctx, imagePlatforms, out)
	if err != nil {
		return err
	}
	built, err := o.build(reference, programs, out)
	if err != nil {
		return err
	}
	if o.push {
		if err := image.Push(ctx, built.index, built.reference); err != nil {
			return fmt.Errorf("push %s: %w", built.reference, err)
		}
		fmt.Fprintln(out, "pushed")
	}
	fmt.Fprintln(out, built.name())
	return nil
}

// check returns the name of the image with its tag. It fails if an option is invalid.
func (o imageOptions) check() (name.Tag, error) {
	if err := version.Check(o.version); err != nil {
		return name.Tag{}, fmt.Errorf("--version: %w", err)
	}
	reference, err := name.NewTag(o.name + ":" + o.version)
	if err != nil {
		return name.Tag{}, fmt.Errorf("--name=%q with --version=%s is not a valid name for an image: %w", o.name, o.version, err)
	}
	return reference, nil
}

// compile compiles crosswalk for each platform, and lists its modules.
func (o imageOptions) compile(ctx context.Context, platforms []program.Platform, out io.Writer) ([]compiled, error) {
	var programs []compiled
	for _, platform := range platforms {
		fmt.Fprintf(out, "%-15s compiling: minutes the first time\n", platform)
		p, err := program.Compile(ctx, o.root, o.version, platform, o.path("programs"))
		if err != nil {
			return nil, err
		}
		modules, err := bom.Modules(ctx, o.root, p)
		if err != nil {
			return nil, err
		}
		sbom, err := bom.SPDX(p, modules)
		if err != nil {
			return nil, err
		}
		programs = append(programs, compiled{p, modules, sbom})
	}
	return programs, nil
}

// build writes the image of programs to its folder.
func (o imageOptions) build(reference name.Tag, programs []compiled, out io.Writer) (builtImage, error) {
	var platforms []program.Program
	var images []v1.Image
	for _, p := range programs {
		if err := os.WriteFile(o.path(p.fileName(".spdx.json")), p.sbom, 0o644); err != nil {
			return builtImage{}, err
		}
		img, err := image.New(p.Program, p.modules, p.sbom)
		if err != nil {
			return builtImage{}, err
		}
		archive := o.path(p.fileName(".tar"))
		if err := image.WriteArchive(archive, img, reference); err != nil {
			return builtImage{}, err
		}
		fmt.Fprintf(out, "%-15s %s, for docker load\n", p.Platform, o.shown(archive))
		platforms, images = append(platforms, p.Program), append(images, img)
	}
	index := image.Index(platforms, images)
	if err := image.WriteLayout(o.path("oci"), index, reference); err != nil {
		return builtImage{}, err
	}
	digest, err := index.Digest()
	if err != nil {
		return builtImage{}, err
	}
	// cosign and similar tools sign the image with this digest.
	if err := os.WriteFile(o.path("digest"), []byte(digest.String()+"\n"), 0o644); err != nil {
		return builtImage{}, err
	}
	fmt.Fprintf(out, "%-15s %s, an OCI layout\n", "both", o.shown(o.path("oci")))
	return builtImage{index, reference, digest}, nil
}

// shown returns path relative to the repository, where users run make.
func (o imageOptions) shown(path string) string {
	if below, err := filepath.Rel(o.root, path); err == nil && filepath.IsLocal(below) {
		return below
	}
	return path
}

// path returns the path of a file in the image's folder.
func (o imageOptions) path(name string) string { return filepath.Join(o.out, name) }
