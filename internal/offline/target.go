package offline

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Target is the version to convert to.
type Target struct {
	// Group limits the conversion to one API group. If it is empty, all groups with a table are
	// converted.
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

// Check returns an error if none of the tables can convert to the target.
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
		return fmt.Errorf("the group %s has no table; there are tables for %s", t.Group, join(groups))
	}
	return fmt.Errorf("no table has the version %s; there are %s", t.Version, join(versions))
}

func join(names []string) string {
	slices.Sort(names)
	return strings.Join(slices.Compact(names), ", ")
}
