// Package deploy makes the files that install a release without the repository: manifests for
// kubectl and a package for Helm.
package deploy

import (
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"

	"github.com/crosswalk-dev/crosswalk/internal/release/archive"
	"github.com/crosswalk-dev/crosswalk/internal/release/links"
	"github.com/crosswalk-dev/crosswalk/internal/release/version"
)

// Folder is the folder deploy of the repository, which names a version.
type Folder struct {
	version string
	files   []archive.File // their paths begin with deploy/
	license []byte         // of the repository
}

// Read reads the folder deploy of the repository in root. The result names the version to,
// whatever the version of the repository is.
func Read(root, to string) (Folder, error) {
	f := Folder{version: to}
	err := filepath.WalkDir(filepath.Join(root, "deploy"), func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		below, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		below = filepath.ToSlash(below)
		if content, err = version.Set(below, content, to); err != nil {
			return err
		}
		f.files = append(f.files, archive.File{Path: below, Mode: 0o644, Content: content})
		return nil
	})
	if err != nil {
		return Folder{}, err
	}
	f.license, err = os.ReadFile(filepath.Join(root, "LICENSE"))
	return f, err
}

// manifests are the files for kubectl apply, by name.
var manifests = map[string]string{
	"crosswalk.yaml":              "deploy/base",
	"crosswalk-cert-manager.yaml": "deploy/overlays/cert-manager",
	"crosswalk-aggregated.yaml":   "deploy/overlays/aggregated",
	"crosswalk-crds.yaml":         "deploy/chart/files/crds",
	"crosswalk-injection.yaml":    "deploy/components/injection",
	"crosswalk-monitoring.yaml":   "deploy/components/monitoring",
}

// Manifests renders the kustomizations of the folder like kubectl kustomize.
func (f Folder) Manifests() ([]archive.File, error) {
	files := filesys.MakeFsInMemory()
	for _, file := range f.files {
		if err := files.WriteFile("/"+file.Path, file.Content); err != nil {
			return nil, err
		}
	}
	options := krusty.MakeDefaultOptions()
	// Objects that others need come first, such as namespaces and CRDs.
	options.Reorder = krusty.ReorderOptionLegacy
	var rendered []archive.File
	for _, name := range slices.Sorted(maps.Keys(manifests)) {
		objects, err := krusty.MakeKustomizer(options).Run(files, "/"+manifests[name])
		if err != nil {
			return nil, err
		}
		content, err := objects.AsYaml()
		if err != nil {
			return nil, err
		}
		rendered = append(rendered, archive.File{Path: name, Mode: 0o644, Content: content})
	}
	return rendered, nil
}

// Chart returns the name of the chart's package and its content, as helm package would make it.
// The links of its page lead to the repository. The page names the chart as it is in the
// registry charts, such as oci://registry.example.com/charts.
func (f Folder) Chart(charts string) (name string, files []archive.File) {
	for _, file := range f.files {
		below, ok := strings.CutPrefix(file.Path, "deploy/chart/")
		// kustomize's own files are in .helmignore.
		if !ok || path.Base(below) == "kustomization.yaml" {
			continue
		}
		if below == "README.md" {
			page := links.Absolute(string(file.Content), "deploy/chart", f.version)
			file.Content = []byte(strings.ReplaceAll(page, " deploy/chart", " "+charts+"/crosswalk"))
		}
		file.Path = "crosswalk/" + below
		files = append(files, file)
	}
	files = append(files, archive.File{Path: "crosswalk/LICENSE", Mode: 0o644, Content: f.license})
	return "crosswalk-" + strings.TrimPrefix(f.version, "v") + ".tgz", files
}
