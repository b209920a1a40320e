package image

import (
	"context"
	"os"
	"path/filepath"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
)

// WriteLayout writes index as an OCI layout into the folder dir, in place of what is
// there. Tools that read it, as skopeo and containerd, find the image by its reference.
func WriteLayout(dir string, index v1.ImageIndex, reference name.Tag) error {
	// A layout is added to: what an earlier one holds would stay.
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return err
	}
	written, err := layout.Write(dir, empty.Index)
	if err != nil {
		return err
	}
	return written.AppendIndex(index, layout.WithAnnotations(map[string]string{
		"org.opencontainers.image.ref.name": reference.TagStr(),
		"io.containerd.image.name":          reference.Name(),
	}))
}

// WriteArchive writes img as docker load, kind load image-archive and ctr images import
// read it.
func WriteArchive(path string, img v1.Image, reference name.Tag) error {
	return tarball.WriteToFile(path, reference, img)
}

// Push sends index to the registry that reference names, with the credentials that
// docker login and its like have kept.
func Push(ctx context.Context, index v1.ImageIndex, reference name.Tag) error {
	return remote.WriteIndex(reference, index, remote.WithContext(ctx), remote.WithAuthFromKeychain(authn.DefaultKeychain))
}
