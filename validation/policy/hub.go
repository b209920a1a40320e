package policy

import (
	"errors"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crosswalk-dev/crosswalk/validation/policy/internal/lazy"
)

// Tables returns the conversion tables of kinds, for policies that are written against the hub
// version.
type Tables interface {
	// Table returns the table of a kind, if there is one.
	Table(group, kind string) (Table, bool)
}

// Table converts the objects of one kind. conversion.Converter implements it.
type Table interface {
	// Hub returns the version that all others are tied to.
	Hub() string
	// Convert converts an object to a version, and appends the result to dst.
	Convert(dst, object []byte, to string) ([]byte, error)
	// Places returns the places in one version that correspond to a place in another.
	Places(place []string, from, to string) [][]string
}

// converted is how a subject was converted to another version.
type converted struct {
	table Table
	// from is the request as it was sent, in version.
	from    *subject
	version string
}

// inHub returns the request in the hub version of its kind. An object without versions of its
// own, such as a Scale in a mutation, stays as it is.
func (s *subject) inHub() (*subject, error) {
	r := s.request
	if s.cluster.Tables == nil {
		return nil, errors.New("no conversion tables are known here")
	}
	table, found := s.tableOf()
	switch {
	case !found && r.SubResource != "" && r.SubResource != "status":
		return s, nil
	case !found:
		return nil, fmt.Errorf("it is written for the hub version, and there is no Crosswalk for %s", schema.GroupKind{Group: r.Kind.Group, Kind: r.Kind.Kind})
	}
	return s.in(table, table.Hub())
}

// tableOf returns the table of the kind, the same one for all policies.
func (s *subject) tableOf() (Table, bool) {
	if !s.table.done {
		s.table.done = true
		if s.cluster.Tables != nil {
			if table, found := s.cluster.Tables.Table(s.request.Kind.Group, s.request.Kind.Kind); found {
				s.table.value = table
			}
		}
	}
	return s.table.value, s.table.value != nil
}

// in returns the request in a version of its kind.
func (s *subject) in(table Table, version string) (*subject, error) {
	if version == s.request.Kind.Version {
		return s, nil
	}
	made, known := s.versions[version]
	if !known {
		made.value, made.err = s.convert(table, version)
		if s.versions == nil {
			s.versions = map[string]fetched[*subject]{}
		}
		s.versions[version] = made
	}
	return made.value, made.err
}

func (s *subject) convert(table Table, version string) (*subject, error) {
	r := s.request
	request := *r
	request.Kind.Version, request.Resource.Version = version, version
	// The current objects are used, with the changes of others, and not the objects that were
	// sent.
	request.Object.Raw, request.OldObject.Raw = s.object.Text(), s.old.Text()
	for _, raw := range []*[]byte{&request.Object.Raw, &request.OldObject.Raw} {
		if len(*raw) == 0 || string(*raw) == "null" {
			continue
		}
		object, err := table.Convert(nil, *raw, version)
		switch {
		case err != nil && s.stranger && s.scales: // the reason may contain what was read
			return nil, fmt.Errorf("the object cannot be converted to %s", version)
		case err != nil:
			return nil, fmt.Errorf("the object cannot be converted to %s: %w", version, err)
		}
		*raw = object
	}
	other := s.of(&request)
	other.converted = &converted{table: table, from: s, version: r.Kind.Version}
	return other, nil
}

// seen returns the subject as a policy sees it.
func (p *Policy) seen(s *subject) (*subject, error) {
	switch {
	case p.hub:
		return s.inHub()
	case p.equivalent:
		return p.equivalentTo(s), nil
	}
	return s, nil
}

// equivalentTo returns the request in a version that the rules name, if they do not name its
// own. The API server calls in such a version, except while a policy changes the version of its
// rules: then it still calls in the previous one.
func (p *Policy) equivalentTo(s *subject) *subject {
	if p.constraints.none {
		return s
	}
	for _, version := range otherVersions(p.constraints.rules, s.request) {
		if other := s.inServed(version); other != nil {
			return other
		}
	}
	return s
}

// leavesOut reports whether the policy excludes the resource in an equivalent version. As in
// apiserver (admission/plugin/policy/matching), it is then excluded in all.
func (p *Policy) leavesOut(s *subject) bool {
	if !p.equivalent {
		return false
	}
	return slices.ContainsFunc(otherVersions(p.constraints.excluded, s.request), func(version string) bool {
		return s.request.RequestResource != nil && s.request.RequestResource.Version == version || s.inServed(version) != nil
	})
}

// inServed returns the request in another version, or nil if there is none: rules may name
// versions that do not exist, or there may be no table.
func (s *subject) inServed(version string) *subject {
	table, found := s.tableOf()
	if !found {
		return nil
	}
	other, err := s.in(table, version)
	if err != nil {
		return nil
	}
	return other
}

// written returns a place as the user has written it, and the subject that has it. If the
// user's version does not have the place, the third result explains that.
func (s *subject) written(path fieldPath) (fieldPath, *subject, string) {
	if s.converted == nil {
		return path, s, ""
	}
	is := s.request.Kind.Version
	places := s.converted.table.Places(path, is, s.converted.version)
	if len(places) == 0 {
		return path, s, fmt.Sprintf("a field of %s that %s does not have", is, s.converted.version)
	}
	return fieldPath(places[0]), s.converted.from, ""
}

// become replaces the object of the subject. If the subject was converted, the request that it
// was converted from changes.
func (s *subject) become(object []byte) error {
	if c := s.converted; c != nil {
		back, err := c.table.Convert(nil, object, c.version)
		if err != nil {
			return fmt.Errorf("the object cannot be converted back to %s: %w", c.version, err)
		}
		if err := c.from.become(back); err != nil {
			return err
		}
		// Other policies in this version see this very object.
		c.from.versions = map[string]fetched[*subject]{s.request.Kind.Version: {value: s}}
	} else {
		s.versions = nil
	}
	s.object = lazy.NewDocument(object)
	s.sized = 0
	return nil
}
