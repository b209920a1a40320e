package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/crosswalk-dev/crosswalk/internal/release/changelog"
	"github.com/crosswalk-dev/crosswalk/internal/release/links"
)

// notes are the release notes.
type notes struct {
	version    string
	changes    string // from the changelog
	unreleased bool   // the changelog has no section of the version
}

// readNotes reads the changes of version from the changelog of the repository in root. If it
// has no such section, readNotes reads the unreleased changes, which may be none.
func readNotes(root, version string) (notes, error) {
	content, err := os.ReadFile(filepath.Join(root, "CHANGELOG.md"))
	if err != nil {
		return notes{}, err
	}
	n := notes{version: version, changes: changelog.Section(string(content), version)}
	if n.changes == "" {
		n.unreleased = true
		n.changes = changelog.Section(string(content), changelog.Unreleased)
	}
	if n.changes == "" {
		n.changes = "Nothing has changed for users."
	}
	n.changes = changelog.Unwrap(links.Absolute(n.changes, "", version))
	return n, nil
}

// page is the template of release notes. Release pages show a line break as such, and not as a
// space.
var page = template.Must(template.New("").Parse(`{{.Changes}}

### Installing

` + "```console" + `
$ helm install crosswalk {{.Chart}} --version {{.Number}} --namespace crosswalk-system --create-namespace
` + "```" + `

Or without Helm:

` + "```console" + `
$ kubectl apply -f {{.Home}}/releases/download/{{.Version}}/crosswalk.yaml
` + "```" + `

[Releases]({{.Home}}/blob/{{.Version}}/docs/releases.md) says what each file is for, and how to verify it.

The image is ` + "`{{.Image}}`" + `.
`))

// markdown returns the notes for a release with the image img and its chart in the registry
// charts.
func (n notes) markdown(img builtImage, charts string) ([]byte, error) {
	var written bytes.Buffer
	err := page.Execute(&written, map[string]string{
		"Changes": n.changes, "Version": n.version, "Number": strings.TrimPrefix(n.version, "v"),
		"Home": links.Home, "Chart": charts + "/crosswalk", "Image": img.name(),
	})
	return written.Bytes(), err
}
