package verify

import (
	"encoding/json"
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/places"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// evolution compares the views of one stored object under two tables.
type evolution struct {
	s *Subject
	// object is the stored object, in the version stored. owner is the version of the views.
	object        *tree.Value
	stored, owner string
	// before and after are the views under the earlier table and under this one;
	// live and liveNow are the same without the stashes of their version.
	before, live, after, liveNow *trip
	// drops and dropsStored are what the two tables drop, in owner and in stored.
	drops, dropsStored []places.Pattern
	// elsewhere says that the table between owner and the hub is the same as before, and that the
	// table between the hub and the stored version is not.
	elsewhere bool
	// moved says that there is a hub between the two versions, and that it is another one than
	// before.
	moved bool
}

func (s *Subject) evolving(c Case, t *trip) *evolution {
	e := &evolution{s: s, stored: c.Through[0], owner: c.Through[1]}
	same := func(version string) bool { return s.tableOf(version) == s.earlier.tableOf(version) }
	e.elsewhere = same(e.owner) && !same(e.stored)
	// The API server prunes fields that the schemas of this table lack.
	e.object = coerce(t.value, s.schemas[e.stored])
	view := func(s *Subject, bare bool, to string) *trip {
		out := t.fork()
		out.s, out.value, out.bytes = s, e.object, e.object.Append(nil)
		if bare {
			out.removeStashes(e.owner)
		}
		if c.Served {
			out.receive()
		}
		return out.to(to)
	}
	if e.elsewhere && e.between() {
		was, is := view(s.earlier, true, s.Table.Spec.Hub), view(s, true, s.Table.Spec.Hub)
		e.moved = !tree.Equal(withoutOurs(was.value), withoutOurs(is.value))
	}
	e.before, e.live = view(s.earlier, false, e.owner), view(s.earlier, true, e.owner)
	e.after, e.liveNow = view(s, false, e.owner), view(s, true, e.owner)
	dropped := func(of string) []places.Pattern {
		through := []string{c.From, e.stored, e.owner}
		return slices.Concat(s.earlier.dropped(of, slices.Clone(through)), s.dropped(of, slices.Clone(through)))
	}
	e.drops, e.dropsStored = dropped(e.owner), dropped(e.stored)
	return e
}

// tableOf returns everything that conversions between the hub and another version depend on, as one
// text. The name of the hub is not part of it. Annotations are: a program may choose functions by them.
func (s *Subject) tableOf(version string) string {
	rows := slices.DeleteFunc(slices.Clone(s.expanded.Spec.Versions), func(v v1alpha1.VersionTable) bool { return v.Name != version })
	schemas := map[bool]*apiextensionsv1.CustomResourceValidation{}
	for _, v := range s.CRD.Spec.Versions {
		if v.Name == version || v.Name == s.Table.Spec.Hub {
			schemas[v.Name == s.Table.Spec.Hub] = v.Schema
		}
	}
	text, err := json.Marshal([]any{rows, s.Table.Annotations, schemas[false], schemas[true]})
	if err != nil {
		panic(err) // NewSubject rejects a CRD or a table with a value that is not JSON
	}
	return string(text)
}

// changes returns the differences to the stored object, without the fields in drops.
func (e *evolution) changes(t *trip, drops []places.Pattern) []tree.Difference {
	return e.s.differences(e.object, t.value, e.stored, drops)
}

// onlyNew reports whether changes only add what the stored object lacks. A field with a default is
// not lacking.
func (e *evolution) onlyNew(changes []tree.Difference) bool {
	return onlyNew(changes, e.s.comparable(e.object, e.stored, nil))
}

// between reports whether the hub is neither the stored version nor the owner, by either table.
func (e *evolution) between() bool {
	return !slices.ContainsFunc([]string{e.s.Table.Spec.Hub, e.s.earlier.Table.Spec.Hub}, func(hub string) bool {
		return hub == e.stored || hub == e.owner
	})
}
