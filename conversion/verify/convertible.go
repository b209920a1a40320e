package verify

import (
	"slices"
	"strings"

	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// convertible reports whether L3 requires that an object converts, and returns its version. It does
// if apiVersion and kind are known, metadata is absent or an object, and labels and annotations are
// maps of strings.
func (s *Subject) convertible(v *tree.Value) (version string, ok bool) {
	apiVersion, kind := v.Get("apiVersion"), v.Get("kind")
	if apiVersion == nil || apiVersion.Kind != tree.String || kind == nil || kind.Kind != tree.String || kind.Text != s.CRD.Spec.Names.Kind {
		return "", false
	}
	group, version, _ := strings.Cut(apiVersion.Text, "/")
	if group != s.CRD.Spec.Group || !slices.Contains(s.Versions(), version) {
		return "", false
	}
	meta := v.Get("metadata")
	if meta == nil {
		return version, true
	}
	if meta.Kind != tree.Object {
		return version, false
	}
	for _, name := range []string{"labels", "annotations"} {
		texts := meta.Get(name)
		if texts == nil {
			continue
		}
		if texts.Kind != tree.Object || slices.ContainsFunc(texts.Members, func(m tree.Member) bool { return m.Value.Kind != tree.String }) {
			return version, false
		}
	}
	return version, true
}
