package manifest

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Files lists the files of a path: a file itself, or the files of a folder that end in .yaml,
// .yml and .json, by name. It skips folders inside the folder.
func Files(path string) ([]string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, plainReason(err)
	}
	if !info.IsDir() {
		return []string{filepath.Clean(path)}, nil
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, plainReason(err)
	}
	var files []string
	for _, entry := range entries {
		file := filepath.Join(path, entry.Name())
		if !manifestFile(file) {
			continue
		}
		// Stat, because the files of a mounted ConfigMap are links.
		if info, err := os.Stat(file); err != nil {
			return files, fmt.Errorf("%s: %w", entry.Name(), plainReason(err))
		} else if !info.IsDir() {
			files = append(files, file)
		}
	}
	if len(files) == 0 {
		return nil, errors.New("the folder has no .yaml, .yml or .json file; folders inside it are not searched")
	}
	return files, nil
}

func manifestFile(name string) bool {
	switch filepath.Ext(name) {
	case ".yaml", ".yml", ".json":
		return true
	}
	return false
}

// plainReason returns the error without the operation and the path, which the caller names.
func plainReason(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// ReadFile is os.ReadFile with an error that does not repeat the path.
func ReadFile(path string) ([]byte, error) {
	data, err := os.ReadFile(path)
	return data, plainReason(err)
}
