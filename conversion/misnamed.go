package conversion

import (
	"fmt"
	"slices"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/internal/edits"
)

// misnamed reports whether a version has no entry while another entry names no version of
// the CRD: its rows are then most likely those. What is wrong without them would only
// hide the one mistake.
func (c *compiler) misnamed(version string) bool {
	return !c.hasEntry(version) &&
		slices.ContainsFunc(c.table.Spec.Versions, func(v v1alpha1.VersionTable) bool { return c.schemas[v.Name] == nil })
}

// meant is the remedy for an entry that names no version of the CRD: another name, or,
// as after the version was removed from the CRD, no entry.
func (c *compiler) meant(name string) string {
	switch version, others := c.nearest(name); {
	case version != "":
		return fmt.Sprintf("did you mean %s? If not, remove the entry", version)
	case others:
		return "name one of them, or remove the entry"
	}
	return "remove the entry"
}

// meantHub is the remedy for a hub that is no version of the CRD.
func (c *compiler) meantHub(name string) string {
	if version, _ := c.nearest(name); version != "" {
		return fmt.Sprintf("did you mean %s?", version)
	}
	return "name one of them"
}

// nearest finds the version without an entry whose name is nearest to a wrong one, empty
// where none is near, and reports whether there are any. For a hub the only one is near.
func (c *compiler) nearest(name string) (version string, others bool) {
	var free []string
	for _, version := range c.versions {
		if version != c.table.Spec.Hub && !c.hasEntry(version) {
			free = append(free, version)
		}
	}
	if name == c.table.Spec.Hub && len(free) == 1 {
		return free[0], true
	}
	distance := len(name)/2 + 1
	for _, v := range free {
		if d := edits.Distance(name, v); d < distance {
			version, distance = v, d
		}
	}
	return version, len(free) > 0
}

func (c *compiler) hasEntry(version string) bool {
	return slices.ContainsFunc(c.table.Spec.Versions, func(v v1alpha1.VersionTable) bool { return v.Name == version })
}
