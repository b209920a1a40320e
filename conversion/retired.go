package conversion

import (
	"fmt"
	"slices"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
)

// checkRetired reports versions that can't be retired. Only a cluster knows which versions are
// stored: the CRD in a file has no status.
func (c *compiler) checkRetired() {
	for _, v := range c.table.Spec.Versions {
		switch {
		case v.Retired == "":
		case v.Name == c.table.Spec.Hub:
			c.problem(v.Name, "remove retired, or choose another hub", "the hub can't be retired: every other version is mapped to it")
		case len(v.Rows) > 0 || len(v.Tables) > 0:
			c.problem(v.Name, "remove either", "the version is retired, and has rows")
		case inUse(c.crd, v.Name):
			c.problem(v.Name, "remove retired and write its rows, or set served: false and storage: false in the CRD first",
				"the version can't be retired: the CRD serves or stores it")
		case slices.Contains(c.crd.Status.StoredVersions, v.Name):
			c.problem(v.Name, "run crosswalk migrate "+c.crd.Name+", which rewrites them, or remove retired and write its rows",
				"objects may still be stored in the retired version, and could not be read: status.storedVersions of the CRD has it")
		}
	}
}

// hintRetired adds a hint to a version with mistakes that may not be needed any more.
func (c *compiler) hintRetired(version string) {
	if !c.unneeded(version) {
		return
	}
	c.problem(version, fmt.Sprintf("if no objects are, retire it: {name: %s, retired: REASON}", version),
		"the CRD neither serves nor stores this version, and it needs rows only because objects may still be stored in it")
}

// hintUnnamed reports how to retire a version that the table does not even name and that may
// not be needed any more. Reports about its fields would only hide this mistake.
func (c *compiler) hintUnnamed(version string, lacks int) {
	places := "1 place"
	if lacks > 1 {
		places = fmt.Sprintf("%d places", lacks)
	}
	c.problem(version, fmt.Sprintf("if no objects are, retire it: {name: %s, retired: REASON}; otherwise write its rows: {name: %s, rows: [...]}", version, version),
		"the CRD neither serves nor stores this version, and the table does not name it, but %s in it would need rows, because objects may still be stored in it", places)
}

// unneeded reports whether the CRD neither serves nor stores a version.
func (c *compiler) unneeded(version string) bool {
	return !inUse(c.crd, version) && !slices.Contains(c.crd.Status.StoredVersions, version)
}

// retired returns the versions that a table has retired, with the reasons.
func retired(table *v1alpha1.Crosswalk) map[string]string {
	all := map[string]string{}
	for _, v := range table.Spec.Versions {
		if v.Retired != "" {
			all[v.Name] = v.Retired
		}
	}
	return all
}
