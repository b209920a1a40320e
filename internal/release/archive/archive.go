// Package archive packs files so that the same files always give the same bytes.
package archive

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
)

// File is a file to be packed.
type File struct {
	Path    string // with slashes, such as docs/README.md
	Mode    int64  // such as 0o644
	Content []byte
}

// Tar packs files and their folders as a tar archive. All have the time at.
func Tar(w io.Writer, files []File, at time.Time) error {
	packed := tar.NewWriter(w)
	for _, f := range withFolders(files) {
		header := &tar.Header{
			Name: f.Path, Mode: f.Mode, Size: int64(len(f.Content)), ModTime: at,
			Typeflag: tar.TypeReg, Format: tar.FormatPAX,
		}
		if f.isFolder() {
			header.Typeflag = tar.TypeDir
		}
		if err := packed.WriteHeader(header); err != nil {
			return fmt.Errorf("%s: %w", f.Path, err)
		}
		if _, err := packed.Write(f.Content); err != nil {
			return fmt.Errorf("%s: %w", f.Path, err)
		}
	}
	return packed.Close()
}

// TarGzip packs files like Tar, and compresses the archive.
func TarGzip(w io.Writer, files []File, at time.Time) error {
	compressed := gzip.NewWriter(w)
	if err := Tar(compressed, files, at); err != nil {
		return err
	}
	return compressed.Close()
}

// Zip packs files and their folders as a zip archive. All have the time at.
func Zip(w io.Writer, files []File, at time.Time) error {
	packed := zip.NewWriter(w)
	for _, f := range withFolders(files) {
		header := &zip.FileHeader{Name: f.Path, Method: zip.Deflate, Modified: at}
		if f.isFolder() {
			header.Method = zip.Store // CreateHeader accepts no other for a folder
		}
		header.SetMode(fs.FileMode(f.Mode))
		content, err := packed.CreateHeader(header)
		if err != nil {
			return fmt.Errorf("%s: %w", f.Path, err)
		}
		if _, err := content.Write(f.Content); err != nil {
			return fmt.Errorf("%s: %w", f.Path, err)
		}
	}
	return packed.Close()
}

// withFolders adds the folders of files, each once and before its content.
func withFolders(files []File) []File {
	all := slices.Clone(files)
	folders := map[string]bool{}
	for _, f := range files {
		for dir := path.Dir(f.Path); dir != "." && !folders[dir]; dir = path.Dir(dir) {
			folders[dir] = true
			all = append(all, File{Path: dir + "/", Mode: 0o755})
		}
	}
	slices.SortFunc(all, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	return all
}

func (f File) isFolder() bool { return strings.HasSuffix(f.Path, "/") }
