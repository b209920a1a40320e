package conversion

import (
	"fmt"
	"slices"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/internal/edits"
)

// misnamed says whether a version has no entry while another entry names no version of
// the CRD: its rows are then most likely those. What is wrong without them would only
// hide the one mistake.
func (c *compiler) misnamed(version string) bool {
	return !c.hasEntry(version) &&
		slices.ContainsFunc(c.table.Spec.Versions, func(v v1alpha1.VersionTable) bool { return c.schemas[v.Name] == nil })
}

// meant is the remedy for an entry, or a hub, that names no version of the CRD: of the
// versions without an entry the one whose name is nearest, or the only one.
func (c *compiler) meant(name string) string {
	var free []string
	for _, version := range c.versions {
		if version != c.table.Spec.Hub && !c.hasEntry(version) {
			free = append(free, version)
		}
	}
	if name == c.table.Spec.Hub && len(free) == 1 {
		return fmt.Sprintf("did you mean %s?", free[0])
	}
	best, distance := "", len(name)/2+1
	for _, version := range free {
		if d := edits.Distance(name, version); d < distance {
			best, distance = version, d
		}
	}
	if best == "" {
		return "name one of them"
	}
	return fmt.Sprintf("did you mean %s?", best)
}

func (c *compiler) hasEntry(version string) bool {
	return slices.ContainsFunc(c.table.Spec.Versions, func(v v1alpha1.VersionTable) bool { return v.Name == version })
}
