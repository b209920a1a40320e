package systems

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/exact"
	"sigs.k8s.io/yaml"
)

// example is a folder in examples, and what its objects are in every version:
// testdata/NAME.yaml.
type example struct {
	name  string
	dir   string
	table harness.Table

	// Taken says that Kubernetes has a kind of the same name, so that kubectl needs
	// the group, too.
	Taken   bool      `json:"taken"`
	Objects []object  `json:"objects"`
	Unknown []unknown `json:"unknown"`
	Columns columns   `json:"columns"`
}

// object is one object as every version sees it.
type object struct {
	Name string `json:"name"`
	Born string `json:"born"` // the version that it is written in
	// Written is what is sent, where that is less than what Born then shows.
	Written tree            `json:"written"`
	Views   map[string]tree `json:"views"`
	// Fits marks an object that every version can hold: nothing needs to be kept.
	Fits bool `json:"fits"`
	// Stays is what a manager that moves to another version does not take away: the
	// conversion fills in what absence means there, so to server-side apply the
	// place looks as if it were still wanted.
	Stays    map[string]tree `json:"stays"`
	Edits    []edit          `json:"edits"`
	Statuses []edit          `json:"statuses"`
}

// edit is one change as every version says it: merge patches that all mean the
// same. A version that is not named does not see the change.
type edit struct {
	About string          `json:"about"`
	In    map[string]tree `json:"in"`
	// Reorders marks a change of order, which server-side apply does not make.
	Reorders bool `json:"reorders"`
}

// unknown is a patch with a field that the version does not have.
type unknown struct {
	Through string `json:"through"`
	Patch   tree   `json:"patch"`
	Field   string `json:"field"`
}

// columns are what kubectl shows of the first object with its first status.
type columns struct {
	Header []string            `json:"header"`
	Rows   map[string][]string `json:"rows"`
}

// tree is JSON without loss.
type tree struct{ exact.Value }

func (t *tree) UnmarshalJSON(data []byte) (err error) {
	t.Value, err = exact.Decode(data)
	return err
}

// readExamples reads every folder of examples. One without data is an error: what
// is shown is tested.
func readExamples(t *testing.T, root string) []*example {
	t.Helper()
	crds, err := filepath.Glob(filepath.Join(root, "examples", "*", "crd.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var all []*example
	for _, crd := range crds {
		dir := filepath.Dir(crd)
		e := &example{name: filepath.Base(dir), dir: dir}
		data, err := os.ReadFile(filepath.Join("testdata", e.name+".yaml"))
		if err != nil {
			t.Fatal(err)
		}
		if err := yaml.UnmarshalStrict(data, e); err != nil {
			t.Fatalf("%s: %v", e.name, err)
		}
		if e.table, err = harness.ReadTable(dir); err != nil {
			t.Fatal(err)
		}
		e.table = e.table.WithoutAdmission() // its objects hold what other versions cannot show
		all = append(all, e)
	}
	if len(all) < 3 {
		t.Fatalf("only %d examples", len(all))
	}
	return all
}

// versions names the versions of the example's CRD, in its order.
func (e *example) versions() []string {
	var names []string
	for _, v := range e.table.CRD.Spec.Versions {
		names = append(names, v.Name)
	}
	return names
}

// bornIn returns the first object that is written in a version.
func (e *example) bornIn(t *testing.T, version string) object {
	t.Helper()
	i := slices.IndexFunc(e.Objects, func(o object) bool { return o.Born == version })
	if i < 0 {
		t.Fatalf("%s has no object that is born in %s", e.name, version)
	}
	return e.Objects[i]
}

// after is how every version sees an object after an edit.
func (e edit) after(views map[string]tree) map[string]tree {
	changed := map[string]tree{}
	for version, view := range views {
		changed[version] = view
		if patch, ok := e.In[version]; ok {
			changed[version] = tree{exact.Merge(view.Value, patch.Value)}
		}
	}
	return changed
}

// applies reports whether applying the patches as fragments makes the edit: apply
// takes nothing away that others own, and keeps their order.
func (e edit) applies() bool {
	for _, patch := range e.In {
		if holdsNull(patch.Value) {
			return false
		}
	}
	return !e.Reorders
}

func holdsNull(v exact.Value) bool {
	switch v := v.(type) {
	case nil:
		return true
	case map[string]any:
		for _, member := range v {
			if holdsNull(member) {
				return true
			}
		}
	}
	return false
}

// slug makes a text part of an object's name.
func slug(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, strings.ToLower(text))
}
