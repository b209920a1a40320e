// Package image makes the container image of crosswalk: the program, the licences of its
// modules and its bill of materials, and nothing else. There is no base image, no shell and no
// package to update.
package image

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path"
	"strings"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"

	"github.com/crosswalk-dev/crosswalk/internal/release/archive"
	"github.com/crosswalk-dev/crosswalk/internal/release/bom"
	"github.com/crosswalk-dev/crosswalk/internal/release/links"
	"github.com/crosswalk-dev/crosswalk/internal/release/program"
)

// Where things are in an image.
const (
	Entrypoint = "/usr/local/bin/crosswalk"
	Licenses   = "/usr/share/doc/crosswalk/licenses"
	SBOM       = "/usr/share/doc/crosswalk/sbom.spdx.json"
)

// user has no name, and no group of the host. deploy uses the same.
const user = "65532:65532"

// labels are the annotations of the OCI image specification, of the images and of the
// index: https://github.com/opencontainers/image-spec/blob/v1.1.1/annotations.md.
func labels(p program.Program) map[string]string {
	of := map[string]string{
		"title":         "crosswalk",
		"description":   "Converts and admits Kubernetes custom resources from one table per CRD",
		"url":           links.Home,
		"source":        links.Home,
		"documentation": links.Home + "/blob/main/deploy/README.md",
		"vendor":        "Crosswalk",
		"licenses":      "Apache-2.0",
		"version":       p.Version,
		"created":       p.Time().Format(time.RFC3339),
	}
	if commit := p.Commit(); commit != "" {
		of["revision"] = commit
	}
	named := map[string]string{}
	for name, value := range of {
		named["org.opencontainers.image."+name] = value
	}
	return named
}

// New makes the image of p, which must be for Linux.
func New(p program.Program, modules []bom.Module, sbom []byte) (v1.Image, error) {
	binary, err := os.ReadFile(p.Path)
	if err != nil {
		return nil, err
	}
	// The layer that changes least comes first, so that a new version shares it with the old
	// one.
	texts := bom.Files(modules, inLayer(Licenses))
	img := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON)
	for _, content := range []struct {
		what  string
		files []archive.File
	}{
		{"licences", texts},
		{"crosswalk and its bill of materials", []archive.File{{Path: inLayer(Entrypoint), Mode: 0o755, Content: binary}, {Path: inLayer(SBOM), Mode: 0o644, Content: sbom}}},
	} {
		layer, err := layerOf(content.files, p.Time())
		if err != nil {
			return nil, err
		}
		img, err = mutate.Append(img, mutate.Addendum{
			Layer:   layer,
			History: v1.History{Created: v1.Time{Time: p.Time()}, CreatedBy: content.what},
		})
		if err != nil {
			return nil, err
		}
	}
	config, err := img.ConfigFile()
	if err != nil {
		return nil, err
	}
	config = config.DeepCopy()
	config.OS, config.Architecture, config.Created = p.OS, p.Arch, v1.Time{Time: p.Time()}
	config.Config = v1.Config{
		Entrypoint: []string{Entrypoint},
		Env:        []string{"PATH=" + path.Dir(Entrypoint)},
		User:       user,
		WorkingDir: "/",
		Labels:     labels(p),
	}
	if img, err = mutate.ConfigFile(img, config); err != nil {
		return nil, err
	}
	return mutate.Annotations(img, labels(p)).(v1.Image), nil
}

// Index combines images for several platforms into one. The programs of the images differ only
// in their platforms.
func Index(programs []program.Program, images []v1.Image) v1.ImageIndex {
	index := mutate.IndexMediaType(empty.Index, types.OCIImageIndex)
	for i, img := range images {
		index = mutate.AppendManifests(index, mutate.IndexAddendum{
			Add:        img,
			Descriptor: v1.Descriptor{Platform: &v1.Platform{OS: programs[i].OS, Architecture: programs[i].Arch}},
		})
	}
	return mutate.Annotations(index, labels(programs[0])).(v1.ImageIndex)
}

// inLayer returns the name of path in a layer, which has no root.
func inLayer(path string) string { return strings.TrimPrefix(path, "/") }

// layerOf packs files in a reproducible order.
func layerOf(files []archive.File, at time.Time) (v1.Layer, error) {
	var packed bytes.Buffer
	if err := archive.Tar(&packed, files, at); err != nil {
		return nil, err
	}
	return tarball.LayerFromOpener(
		func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(packed.Bytes())), nil },
		tarball.WithMediaType(types.OCILayer), tarball.WithCompressionLevel(gzip.DefaultCompression))
}
