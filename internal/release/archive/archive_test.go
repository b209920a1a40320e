package archive

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"testing"
	"testing/fstest"
	"time"
)

var (
	commit = time.Date(2026, 11, 26, 20, 0, 4, 0, time.UTC)
	files  = []File{
		{"licenses/example.com/b/LICENSE", 0o644, []byte("of b")},
		{"crosswalk", 0o755, bytes.Repeat([]byte("program "), 1000)},
		{"licenses/example.com/a/LICENSE", 0o644, []byte("of a")},
	}
	// listed is what files are packed as: folders come before what they hold.
	listed = []string{
		"crosswalk -rwxr-xr-x 8000",
		"licenses/ drwxr-xr-x 0",
		"licenses/example.com/ drwxr-xr-x 0",
		"licenses/example.com/a/ drwxr-xr-x 0",
		"licenses/example.com/a/LICENSE -rw-r--r-- 4",
		"licenses/example.com/b/ drwxr-xr-x 0",
		"licenses/example.com/b/LICENSE -rw-r--r-- 4",
	}
)

func pack(t *testing.T, with func(io.Writer, []File, time.Time) error, files []File) []byte {
	t.Helper()
	var packed bytes.Buffer
	if err := with(&packed, files, commit); err != nil {
		t.Fatal(err)
	}
	return packed.Bytes()
}

func describe(name string, info fs.FileInfo) string {
	if !info.ModTime().Equal(commit) {
		return fmt.Sprintf("%s has the time %v", name, info.ModTime())
	}
	return fmt.Sprintf("%s %v %d", name, info.Mode(), info.Size())
}

func TestTarGzip(t *testing.T) {
	plain, err := gzip.NewReader(bytes.NewReader(pack(t, TarGzip, files)))
	if err != nil {
		t.Fatal(err)
	}
	content, err := io.ReadAll(plain)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(content, pack(t, Tar, files)) {
		t.Error("what is compressed is not what Tar packs")
	}
	var got []string
	for reader := tar.NewReader(bytes.NewReader(content)); ; {
		header, err := reader.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, describe(header.Name, header.FileInfo()))
		if header.Name == files[0].Path {
			if content, err := io.ReadAll(reader); err != nil || string(content) != "of b" {
				t.Errorf("%s holds %q, %v", header.Name, content, err)
			}
		}
	}
	if !slices.Equal(got, listed) {
		t.Errorf("got %q, want %q", got, listed)
	}
}

func TestZip(t *testing.T) {
	packed := pack(t, Zip, files)
	reader, err := zip.NewReader(bytes.NewReader(packed), int64(len(packed)))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range reader.File {
		got = append(got, describe(f.Name, f.FileInfo()))
	}
	if !slices.Equal(got, listed) {
		t.Errorf("got %q, want %q", got, listed)
	}
	if content, err := fs.ReadFile(reader, files[0].Path); err != nil || string(content) != "of b" {
		t.Errorf("%s holds %q, %v", files[0].Path, content, err)
	}
	if err := fstest.TestFS(reader, "crosswalk", "licenses/example.com/a/LICENSE"); err != nil {
		t.Error(err)
	}
}

func TestSameBytesInAnyOrder(t *testing.T) {
	other := slices.Clone(files)
	slices.Reverse(other)
	for name, with := range map[string]func(io.Writer, []File, time.Time) error{"Tar": Tar, "TarGzip": TarGzip, "Zip": Zip} {
		if !bytes.Equal(pack(t, with, files), pack(t, with, other)) {
			t.Errorf("%s packs the same files in another order as other bytes", name)
		}
	}
}
