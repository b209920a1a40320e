package offline

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Target is the version to convert to.
type Target struct {
	// Group limits the conversion to one API group; empty means every group
	// that has a table.
	Group   string
	Version string
}

// ParseTarget reads "v1" or "stable.example.com/v1".
func ParseTarget(text string) (Target, error) {
	group, version, both := strings.Cut(text, "/")
	if !both {
		group, version = "", text
	}
	if version == "" || both && group == "" || strings.Contains(version, "/") {
		return Target{}, errors.New(`write it as VERSION or GROUP/VERSION, for example "v1" or "stable.example.com/v1"`)
	}
	return Target{Group: group, Version: version}, nil
}

// Check says why none of the tables can convert to the target, or nil.
func (t Target) Check(kinds []Kind) error {
	var versions, groups []string
	for _, kind := range kinds {
		groups = append(groups, kind.Converter.Group())
		if t.Group != "" && kind.Converter.Group() != t.Group {
			continue
		}
		if slices.Contains(kind.Converter.Versions(), t.Version) {
			return nil
		}
		versions = append(versions, kind.Converter.Versions()...)
	}
	if len(versions) == 0 {
		return fmt.Errorf("no table is for the group %s; there are tables for %s", t.Group, join(groups))
	}
	return fmt.Errorf("no table knows the version %s; there are %s", t.Version, join(versions))
}

func join(names []string) string {
	slices.Sort(names)
	return strings.Join(slices.Compact(names), ", ")
}
