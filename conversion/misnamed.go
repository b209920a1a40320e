package conversion

import (
	"fmt"
	"slices"
	"strings"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/internal/edits"
)

// misnamed reports whether a version has no entry while another entry does not name a version
// of the CRD. Then this entry is most likely for it. Reports about the missing rows would only
// hide this mistake.
func (c *compiler) misnamed(version string) bool {
	return !c.hasEntry(version) &&
		slices.ContainsFunc(c.table.Spec.Versions, func(v v1alpha1.VersionTable) bool { return c.schemas[v.Name] == nil })
}

// meant returns the remedy for an entry that does not name a version of the CRD: another name,
// or to remove the entry, for example after the version was removed from the CRD.
func (c *compiler) meant(name string) string {
	version, others := c.nearest(name)
	switch {
	case version != "":
		return fmt.Sprintf("did you mean %s? If not, remove the entry", version)
	case len(others) > 0:
		return fmt.Sprintf("remove the entry if the version has been removed from the CRD, or name the version that it is for, %s", strings.Join(others, " or "))
	}
	return "remove the entry"
}

// meantHub returns the remedy for a hub that is not a version of the CRD.
func (c *compiler) meantHub(name string) string {
	if version, _ := c.nearest(name); version != "" {
		return fmt.Sprintf("did you mean %s?", version)
	}
	return "name one of them"
}

// nearest returns the version without an entry whose name is most similar to a wrong one, or ""
// if none is similar, and all versions without an entry. For a hub, a single one is enough.
func (c *compiler) nearest(name string) (version string, free []string) {
	for _, version := range c.versions {
		if version != c.table.Spec.Hub && !c.hasEntry(version) {
			free = append(free, version)
		}
	}
	if name == c.table.Spec.Hub && len(free) == 1 {
		return free[0], free
	}
	distance := len(name)/2 + 1
	for _, v := range free {
		if d := edits.Distance(name, v); d < distance {
			version, distance = v, d
		}
	}
	return version, free
}

func (c *compiler) hasEntry(version string) bool {
	return slices.ContainsFunc(c.table.Spec.Versions, func(v v1alpha1.VersionTable) bool { return v.Name == version })
}
