package policy

import (
	"errors"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crosswalk-dev/crosswalk/validation/policy/internal/lazy"
)

// Tables knows the conversion tables of kinds, for policies that are written for
// the hub version.
type Tables interface {
	// Table gives the table of a kind, if there is one.
	Table(group, kind string) (Table, bool)
}

// Table converts the objects of one kind. conversion.Converter is one.
type Table interface {
	// Hub is the version that all others are tied to.
	Hub() string
	// Convert appends an object, converted to a version, to dst.
	Convert(dst, object []byte, to string) ([]byte, error)
	// Places gives the places of one version that a place of another stands for.
	Places(place []string, from, to string) [][]string
}

// converted is how a subject has come into another version.
type converted struct {
	table Table
	// from is the request as it was sent, in version.
	from    *subject
	version string
}

// inHub gives the request in the hub version of its kind. What has no versions of
// its own, as a Scale that a mutation is asked about, stays as it is.
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

// tableOf is the table of the kind, the same one for all policies.
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

// in gives the request in a version of its kind.
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
	// What others have changed by now counts, and not what was sent.
	request.Object.Raw, request.OldObject.Raw = s.object.Text(), s.old.Text()
	for _, raw := range []*[]byte{&request.Object.Raw, &request.OldObject.Raw} {
		if len(*raw) == 0 || string(*raw) == "null" {
			continue
		}
		object, err := table.Convert(nil, *raw, version)
		switch {
		case err != nil && s.stranger && s.scales: // why may hold what was read
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

// seen is the subject as a policy sees it.
func (p *Policy) seen(s *subject) (*subject, error) {
	switch {
	case p.hub:
		return s.inHub()
	case p.equivalent:
		return p.equivalentTo(s), nil
	}
	return s, nil
}

// equivalentTo is the request in a version that the rules name, where they do not name
// its own. The API server asks in such a version, but while a policy changes the
// version of its rules, it still asks in that of before.
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

// leavesOut reports whether the policy excludes the resource in an equivalent version: as
// for apiserver (admission/plugin/policy/matching), it is then excluded in all.
func (p *Policy) leavesOut(s *subject) bool {
	if !p.equivalent {
		return false
	}
	return slices.ContainsFunc(otherVersions(p.constraints.excluded, s.request), func(version string) bool {
		return s.request.RequestResource != nil && s.request.RequestResource.Version == version || s.inServed(version) != nil
	})
}

// inServed is the request in another version; nil where there is none, as rules may
// name versions that there are not, or no table for it.
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

// written gives a place as the user has written it, with the subject that has it.
// Of a place that his version does not have the second result says so.
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

// become makes the subject see another object. In another version it is what the
// request is converted from that changes.
func (s *subject) become(object []byte) error {
	if c := s.converted; c != nil {
		back, err := c.table.Convert(nil, object, c.version)
		if err != nil {
			return fmt.Errorf("the object cannot be converted back to %s: %w", c.version, err)
		}
		if err := c.from.become(back); err != nil {
			return err
		}
		// What else is asked in this version sees this very object.
		c.from.versions = map[string]fetched[*subject]{s.request.Kind.Version: {value: s}}
	} else {
		s.versions = nil
	}
	s.object = lazy.NewDocument(object)
	s.sized = 0
	return nil
}
