// Package managed reads metadata.managedFields: which fields a client has given up with a write.
//
// A field in a stash is not in the object while clients write another version. If it is missing
// from the stash that arrives, the client may have lost the stash, or an apply has given up the
// field: the API server then removes the entry of the version in which the field was applied, and
// only managedFields tells.
package managed

import (
	"bytes"
	"encoding/json"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
)

// Change is one write.
type Change struct {
	Old, New []metav1.ManagedFieldsEntry
	// Manager is the fieldManager of the write, or "".
	Manager string
}

// Read parses the value of metadata.managedFields. It returns nil if it can't.
func Read(text []byte) []metav1.ManagedFieldsEntry {
	var entries []metav1.ManagedFieldsEntry
	if json.Unmarshal(text, &entries) != nil {
		return nil
	}
	return entries
}

// GaveUp reports whether the write is an apply by which the manager that had applied a field in
// apiVersion gives it up. at is the address of an entry of a stash.
func (c *Change) GaveUp(apiVersion string, at []stash.Step) bool {
	path := pathOf(at)
	for i := range c.New {
		if c.New[i].APIVersion == apiVersion && owns(&c.New[i], path) {
			return false
		}
	}
	for i := range c.Old {
		e := &c.Old[i]
		if e.Operation == metav1.ManagedFieldsOperationApply && e.APIVersion == apiVersion && owns(e, path) && c.applied(e) {
			return true
		}
	}
	return false
}

// applied reports whether, in this write, the manager of an entry has applied something in another
// version, or nothing any more.
func (c *Change) applied(old *metav1.ManagedFieldsEntry) bool {
	if now := find(c.New, old.Manager, old.Operation, old.Subresource); now != nil {
		return now.APIVersion != old.APIVersion
	}
	// The entry is gone. That happens, too, if the same manager updates the object without the
	// stash.
	if c.Manager != old.Manager {
		return false
	}
	before := find(c.Old, old.Manager, metav1.ManagedFieldsOperationUpdate, old.Subresource)
	after := find(c.New, old.Manager, metav1.ManagedFieldsOperationUpdate, old.Subresource)
	return after == nil || before != nil && same(before, after)
}

func find(entries []metav1.ManagedFieldsEntry, manager string, operation metav1.ManagedFieldsOperationType, subresource string) *metav1.ManagedFieldsEntry {
	for i := range entries {
		if e := &entries[i]; e.Manager == manager && e.Operation == operation && e.Subresource == subresource {
			return e
		}
	}
	return nil
}

func same(a, b *metav1.ManagedFieldsEntry) bool {
	return a.APIVersion == b.APIVersion && bytes.Equal(fields(a), fields(b))
}

func fields(e *metav1.ManagedFieldsEntry) []byte {
	if e.FieldsV1 == nil {
		return nil
	}
	return e.FieldsV1.GetRawBytes()
}

// pathOf returns the path in the form of managedFields. It ends before the first element of a list
// that is identified only by its content, or by a key inside an object, which no schema can
// declare. Such a list has one owner, or managedFields identifies its elements by position.
func pathOf(at []stash.Step) fieldpath.Path {
	var path fieldpath.Path
	for _, s := range at {
		switch {
		case s.Content != nil:
			return path
		case s.Part != nil:
			// A part is not in the path: the elements are in the list itself.
		case s.Key != nil:
			var members map[string]any
			decoder := json.NewDecoder(bytes.NewReader(s.Key))
			if decoder.Decode(&members) != nil {
				return path
			}
			var keys value.FieldList
			for name, v := range members {
				if _, nested := v.(map[string]any); nested {
					return path
				}
				keys = append(keys, value.Field{Name: name, Value: value.NewValueInterface(integer(v))})
			}
			keys.Sort()
			path = append(path, fieldpath.PathElement{Key: &keys})
		default:
			name := string(s.Name)
			path = append(path, fieldpath.PathElement{FieldName: &name})
		}
	}
	return path
}

// integer converts a number that JSON gives as float64 to the type that structured-merge-diff
// compares it with.
func integer(v any) any {
	if f, ok := v.(float64); ok && f == float64(int64(f)) {
		return int64(f)
	}
	return v
}

// owns reports whether an entry has the field, something inside it, or the whole object or list
// around it.
func owns(e *metav1.ManagedFieldsEntry, path fieldpath.Path) bool {
	text := fields(e)
	if text == nil {
		return false
	}
	set := new(fieldpath.Set)
	if set.FromJSON(bytes.NewReader(text)) != nil {
		return false
	}
	for i := range path {
		if set.Members.Has(path[i]) {
			if _, more := set.Children.Get(path[i]); !more || i == len(path)-1 {
				return true
			}
		}
		within, more := set.Children.Get(path[i])
		if !more {
			return false
		}
		set = within
	}
	return !set.Empty()
}
