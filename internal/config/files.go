package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// files lists the files behind the paths, in the order given, each once.
func (l *loader) files(paths []string) []string {
	var files []string
	for _, path := range paths {
		found, err := list(path)
		if err != nil {
			l.errors = append(l.errors, &Error{File: path, Err: err})
		}
		for _, file := range found {
			if !slices.Contains(files, file) {
				files = append(files, file)
			}
		}
	}
	return files
}

func list(path string) ([]string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, reason(err)
	}
	if !info.IsDir() {
		return []string{path}, nil
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, reason(err)
	}
	var files []string
	for _, entry := range entries {
		file := filepath.Join(path, entry.Name())
		if !manifestFile(file) {
			continue
		}
		// Stat, because the files of a mounted ConfigMap are links.
		if info, err := os.Stat(file); err != nil {
			return files, fmt.Errorf("%s: %w", entry.Name(), reason(err))
		} else if !info.IsDir() {
			files = append(files, file)
		}
	}
	if len(files) == 0 {
		return nil, errors.New("the folder holds no .yaml, .yml or .json file; folders inside it are not searched")
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

// reason leaves out the operation and the path, which the message names anyway.
func reason(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}
