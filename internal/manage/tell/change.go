package tell

import (
	"fmt"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/typed"
)

// Change is what another client has changed in an object.
type Change struct {
	// Client is the field manager of the last write. The API server does not keep the client
	// that only removed a field: that is "another client".
	Client string
	// Fields are paths such as spec.conversion.strategy, in order. There are none if nobody
	// has changed anything.
	Fields []string
}

const (
	unnamed  = "another client"
	mostTold = 5 // fields in a text
)

// String is, for example, "kubectl-edit changed spec.conversion.strategy".
func (c Change) String() string {
	told, more := c.Fields, ""
	if len(told) > mostTold {
		told, more = told[:mostTold], fmt.Sprintf(" and %d more fields", len(told)-mostTold)
	}
	return c.Client + " changed " + strings.Join(told, ", ") + more
}

// Differences returns the fields below a path in which two objects differ, those that the
// existing one has and those that it lacks. A list is one value.
func Differences(path fieldpath.Path, is, should map[string]any) (has, lacks *fieldpath.Set) {
	a, errA := typed.DeducedParseableType.FromUnstructured(is)
	b, errB := typed.DeducedParseableType.FromUnstructured(should)
	if errA != nil || errB != nil {
		return fieldpath.NewSet(path), fieldpath.NewSet()
	}
	compared, err := a.Compare(b)
	if err != nil {
		return fieldpath.NewSet(path), fieldpath.NewSet()
	}
	return below(path, compared.Removed.Union(compared.Modified)), below(path, compared.Added)
}

func below(path fieldpath.Path, fields *fieldpath.Set) *fieldpath.Set {
	all := fieldpath.NewSet()
	for field := range fields.Leaves().All() {
		all.Insert(slices.Concat(path, field))
	}
	return all
}

// Changed returns which of some fields that a client once wrote another one has changed since.
// For that it reads metadata.managedFields: the API server takes a field from all its owners
// when a client gives it another value. A client that sets the same value becomes one more
// owner.
func Changed(object metav1.Object, ours string, fields *fieldpath.Set) Change {
	mine, others := owners(object, ours)
	change, newest := Change{Client: unnamed}, len(others)
	for field := range fields.All() {
		kept := touching(mine, field)
		by := slices.IndexFunc(others, func(o owner) bool { return !touching(o.fields, field).Difference(kept).Empty() })
		if by < 0 && !kept.Empty() {
			continue
		}
		change.Fields = append(change.Fields, strings.TrimPrefix(field.String(), "."))
		if by >= 0 && by < newest {
			newest, change.Client = by, others[by].name
		}
	}
	return change
}

// LastWriter returns the client besides ours that was the last to write a field that touches a
// path.
func LastWriter(object metav1.Object, ours string, path fieldpath.Path) string {
	_, others := owners(object, ours)
	for _, other := range others {
		if !touching(other.fields, path).Empty() {
			return other.name
		}
	}
	return unnamed
}

// owner is a client and the fields that it owns, without the objects that hold them.
type owner struct {
	name   string
	at     time.Time
	fields *fieldpath.Set
}

// owners returns the fields that one client owns, and the other owners, the latest first.
func owners(object metav1.Object, ours string) (mine *fieldpath.Set, others []owner) {
	mine = fieldpath.NewSet()
	for _, entry := range object.GetManagedFields() {
		all := fieldpath.NewSet()
		if entry.FieldsV1 == nil || all.FromJSON(entry.FieldsV1.GetRawReader()) != nil {
			continue
		}
		if entry.Manager == ours {
			mine = mine.Union(all.Leaves())
			continue
		}
		o := owner{name: entry.Manager, fields: all.Leaves()}
		if entry.Time != nil {
			o.at = entry.Time.Time
		}
		others = append(others, o)
	}
	slices.SortStableFunc(others, func(a, b owner) int { return b.at.Compare(a.at) })
	return mine, others
}

// touching returns the members of a set that are a field, hold it or are part of it. For the
// API server, too, some objects are one value, and some lists are not.
func touching(set *fieldpath.Set, field fieldpath.Path) *fieldpath.Set {
	found := fieldpath.NewSet()
	for member := range set.All() {
		if n := min(len(member), len(field)); member[:n].Equals(field[:n]) {
			found.Insert(member.Copy())
		}
	}
	return found
}
