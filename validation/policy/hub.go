package policy

import (
	"errors"
	"fmt"

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

// converted is how a subject has come into the hub version.
type converted struct {
	table Table
	// from is the request as it was sent, in version.
	from    *subject
	version string
}

// inHub gives the request in the hub version of its kind. What has no versions of
// its own, as a Scale, stays as it is.
func (s *subject) inHub() (*subject, error) {
	if !s.hub.done {
		s.hub.done = true
		s.hub.value, s.hub.err = s.toHub()
	}
	return s.hub.value, s.hub.err
}

func (s *subject) toHub() (*subject, error) {
	r := s.request
	if s.cluster.Tables == nil {
		return nil, errors.New("no conversion tables are known here")
	}
	table, found := s.cluster.Tables.Table(r.Kind.Group, r.Kind.Kind)
	switch {
	case !found && r.SubResource != "" && r.SubResource != "status":
		return s, nil
	case !found:
		return nil, fmt.Errorf("it is written for the hub version, and there is no Crosswalk for %s", schema.GroupKind{Group: r.Kind.Group, Kind: r.Kind.Kind})
	case r.Kind.Version == table.Hub():
		return s, nil
	}
	request := *r
	request.Kind.Version, request.Resource.Version = table.Hub(), table.Hub()
	// What others have changed by now counts, and not what was sent.
	request.Object.Raw, request.OldObject.Raw = s.object.Text(), s.old.Text()
	for _, raw := range []*[]byte{&request.Object.Raw, &request.OldObject.Raw} {
		if len(*raw) == 0 || string(*raw) == "null" {
			continue
		}
		object, err := table.Convert(nil, *raw, table.Hub())
		if err != nil {
			return nil, fmt.Errorf("the object cannot be converted to %s: %w", table.Hub(), err)
		}
		*raw = object
	}
	hub := newSubject(s.cluster, &request)
	hub.converted = &converted{table: table, from: s, version: r.Kind.Version}
	return hub, nil
}

// seen is the subject as a policy sees it.
func (p *Policy) seen(s *subject) (*subject, error) {
	if !p.hub {
		return s, nil
	}
	return s.inHub()
}

// written gives a place as the user has written it, with the subject that has it.
// Of a place that his version does not have the second result says so.
func (s *subject) written(path fieldPath) (fieldPath, *subject, string) {
	if s.converted == nil {
		return path, s, ""
	}
	places := s.converted.table.Places(path, s.converted.table.Hub(), s.converted.version)
	if len(places) == 0 {
		return path, s, fmt.Sprintf(" (a field of %s that %s does not have)", s.converted.table.Hub(), s.converted.version)
	}
	return fieldPath(places[0]), s.converted.from, ""
}

// become makes the subject see another object. In the hub version it is what the
// request is converted from that changes.
func (s *subject) become(object []byte) error {
	if s.converted != nil {
		back, err := s.converted.table.Convert(nil, object, s.converted.version)
		if err != nil {
			return fmt.Errorf("the object cannot be converted back to %s: %w", s.converted.version, err)
		}
		if err := s.converted.from.become(back); err != nil {
			return err
		}
		// What else is asked in the hub version sees this very object.
		s.converted.from.hub = fetched[*subject]{done: true, value: s}
	} else {
		s.hub = fetched[*subject]{}
	}
	s.object = lazy.NewDocument(object)
	s.sized = 0
	return nil
}
