package migrate

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

// # Owners of fields in versions that are not served
//
// metadata.managedFields lists, for each client, the fields that it owns, with the names of the
// version that it wrote. With every server-side apply, and with every update, the API server
// converts the object to each of these versions. Once such a version is removed from the CRD,
// the API server rejects every apply to the object ("request to convert CR to an invalid
// group/version"), and any other write removes all of managedFields.
//
// An entry is outdated if its version is neither served nor stored: nobody can write in that
// version. The entry is moved to the version that objects are written in, with the
// corresponding fields of that version. The CRD's table knows them. Without a table, or for a
// version that it does not have, they are the fields with the same path. Fields that the object
// does not have are dropped.
//
// The first write of an object replaces its outdated entries, because the API server would
// reject an empty apply if the version is already removed. It is a merge patch of the object
// itself: the API server ignores managedFields in a write to /status. If the object lacks a
// default of the version, this patch stores the default, and the API server makes us its owner.
// So our own entry is outdated, too, and a second patch removes it: a migration must not cause
// conflicts for anybody.

// outdated reports whether an entry of managedFields has a version that is neither served nor
// stored, or is our own.
func (t *target) outdated(e metav1.ManagedFieldsEntry) bool {
	version, known := strings.CutPrefix(e.APIVersion, t.group+"/")
	return known && !slices.Contains(t.versions, version) || e.Manager == fieldManager
}

// moveOwners writes an object with its outdated entries moved to the version that is written.
// It returns the object as it is stored then. If another client has replaced these entries
// since o was read, moveOwners writes nothing.
func (t *target) moveOwners(ctx context.Context, o object, dryRun bool) (object, error) {
	var data json.RawMessage
	if err := t.client.Get(ctx, t.path(t.via, o), &data); err != nil {
		return object{}, err
	}
	var now metadata
	var fields map[string]any
	for _, into := range []any{&now, &fields} {
		if err := utiljson.Unmarshal(data, into); err != nil {
			return object{}, fmt.Errorf("reading the object: %w", err)
		}
	}
	o = t.object(now)
	if !o.outdated {
		return o, nil
	}
	entries, err := t.movedEntries(now.Metadata.ManagedFields, fields)
	if err != nil {
		return object{}, err
	}
	// The resourceVersion prevents overwriting a change that was not read.
	patch := map[string]any{"metadata": map[string]any{"resourceVersion": o.resourceVersion, "managedFields": entries}}
	return t.patch(ctx, o, "", mergePatchType, patch, dryRun)
}

// movedEntries returns the entries of an object with outdated ones moved, and without ours.
func (t *target) movedEntries(entries []metav1.ManagedFieldsEntry, object map[string]any) ([]metav1.ManagedFieldsEntry, error) {
	moved := []metav1.ManagedFieldsEntry{} // not nil, which would leave the entries unchanged
	var last *metav1.ManagedFieldsEntry
	for _, e := range entries {
		if !t.outdated(e) {
			moved = append(moved, e)
		}
	}
	for _, e := range entries {
		if !t.outdated(e) || e.Manager == fieldManager {
			continue
		}
		fields, err := fieldsOf(e)
		if err != nil {
			return nil, err
		}
		fields = counterparts(fields, t.table, strings.TrimPrefix(e.APIVersion, t.group+"/"), t.via)
		e.APIVersion, last = t.group+"/"+t.via, &e
		if kept := held(fields, object); kept.Empty() {
			continue
		} else if moved, err = insert(moved, e, kept); err != nil {
			return nil, err
		}
	}
	if len(moved) > 0 || last == nil {
		return moved, nil
	}
	// Without any entry, the next apply would make the manager "before-first-apply" the owner
	// of all fields, and would then conflict with it.
	return insert(moved, *last, fieldpath.NewSet(fieldpath.MakePathOrDie("metadata", "name")))
}

// insert adds fields to the entry of the same manager, or adds an entry.
func insert(entries []metav1.ManagedFieldsEntry, e metav1.ManagedFieldsEntry, fields *fieldpath.Set) ([]metav1.ManagedFieldsEntry, error) {
	at := slices.IndexFunc(entries, func(other metav1.ManagedFieldsEntry) bool {
		return other.Manager == e.Manager && other.Operation == e.Operation && other.Subresource == e.Subresource && other.APIVersion == e.APIVersion
	})
	if at >= 0 {
		others, err := fieldsOf(entries[at])
		if err != nil {
			return nil, err
		}
		fields = fields.Union(others)
		if other := entries[at].Time; e.Time.Before(other) {
			e.Time = other
		}
		entries = slices.Delete(entries, at, at+1)
	}
	text, err := fields.ToJSON()
	if err != nil {
		return nil, err
	}
	e.FieldsType, e.FieldsV1 = "FieldsV1", metav1.NewFieldsV1(string(text))
	return append(entries, e), nil
}

func fieldsOf(e metav1.ManagedFieldsEntry) (*fieldpath.Set, error) {
	fields := fieldpath.NewSet()
	if e.FieldsV1 == nil {
		return fields, nil
	}
	if err := fields.FromJSON(bytes.NewReader(e.FieldsV1.GetRawBytes())); err != nil {
		return nil, fmt.Errorf("metadata.managedFields of %s cannot be read: %w", e.Manager, err)
	}
	return fields, nil
}
