// Package managed reads metadata.managedFields: who gave up what in a write.
//
// A place that lives in a stash is in nobody's sight while its object is written through another
// version. That it is gone from the stash that arrives may mean that the writer has lost the stash,
// or that an apply took the place back: the API server then removes it  in the version in which it
// was applied, and only managedFields tells.
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
	// Manager is the fieldManager of the write, or empty if the request names none.
	Manager string
}

// Read reads the value of metadata.managedFields. What it cannot read says nothing.
func Read(text []byte) []metav1.ManagedFieldsEntry {
	var entries []metav1.ManagedFieldsEntry
	if json.Unmarshal(text, &entries) != nil {
		return nil
	}
	return entries
}

// GaveUp reports whether the write is an apply by which the manager that applied a
// place in apiVersion takes it back. The place is that of an entry of a stash.
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

// applied reports whether the manager of an entry has applied something through
// another version, or nothing any more, in this write.
func (c *Change) applied(old *metav1.ManagedFieldsEntry) bool {
	if now := find(c.New, old.Manager, old.Operation, old.Subresource); now != nil {
		return now.APIVersion != old.APIVersion
	}
	// The entry is gone. That is also what becomes of it when the same manager
	// updates the object without the stash.
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

// pathOf returns the path as managedFields has it, up to the first element of a list that only its
// content tells apart, or a key further in, which no schema can name: such a list has one owner as
// a whole, or its elements are known by their place.
func pathOf(at []stash.Step) fieldpath.Path {
	var path fieldpath.Path
	for _, s := range at {
		switch {
		case s.Content != nil:
			return path
		case s.Part != nil:
			// A part is ours: the elements are in the list itself.
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

// integer makes a number that JSON gives as float64 what structured-merge-diff
// compares it with.
func integer(v any) any {
	if f, ok := v.(float64); ok && f == float64(int64(f)) {
		return int64(f)
	}
	return v
}

// owns reports whether an entry holds the place, something in it, or all of what it
// is in.
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
