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

// WriteLayout replaces the folder dir by an OCI layout with index. Tools that read it, such as
// skopeo and containerd, find the image by its reference.
func WriteLayout(dir string, index v1.ImageIndex, reference name.Tag) error {
	// Writing a layout adds to the folder, so the content of an earlier one would stay.
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

// WriteArchive writes img in the format that docker load, kind load image-archive and ctr
// images import read.
func WriteArchive(path string, img v1.Image, reference name.Tag) error {
	return tarball.WriteToFile(path, reference, img)
}

// Push sends index to the registry in reference, with the credentials that docker login and
// similar tools have stored.
func Push(ctx context.Context, index v1.ImageIndex, reference name.Tag) error {
	return remote.WriteIndex(reference, index, remote.WithContext(ctx), remote.WithAuthFromKeychain(authn.DefaultKeychain))
}
