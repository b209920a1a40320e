package conversion

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/caller"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/engine"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/object"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
)

// Finding is a place of an object that another version cannot show.
type Finding struct {
	// Field is the place, as in .spec.jobs[0].cmd, empty for the whole object.
	Field string
	// Message says why, and what to write instead.
	Message string
	// Partial says that it may be shown as soon as other places are written, too.
	Partial bool
}

// Check finds what of object, which somebody wants to write, other versions could
// not show: values that a row cannot map, values for which there is no room in
// annotations, and the whole of an object beyond [WithMaxSize]. What old, the object as
// it stands before the write, holds just so is left out: nobody has to mend what he has
// not written. old is nil when the object is created.
//
// Such a write would lose nothing: what cannot be mapped is kept. But whoever reads
// the other version sees nothing of it, and only at write time is there somebody to
// tell. It ends with ctx as ConvertNoting does. Errors are of type *Error.
func (c *Converter) Check(ctx context.Context, object, old []byte) ([]Finding, error) {
	version, err := c.source(object, c.hub, LargestMaxSize)
	if err != nil {
		return nil, err
	}
	var findings []Finding
	if err := checkSize(object, c.maxSize); err != nil && checkSize(old, c.maxSize) == nil {
		findings = append(findings, Finding{Message: "no other version could show it: " + err.Error()})
	}
	for _, to := range c.versions {
		if to == version || version != c.hub && to != c.hub {
			continue
		}
		unmapped, err := c.unmapped(object, old, to, c.job(ctx, version, to))
		if err != nil {
			return nil, c.fail(object, version, to, err)
		}
		findings = append(findings, unmapped...)
	}
	for _, none := range c.guard(ctx).NoRoom(object, old, version) {
		findings = append(findings, Finding{Field: none.Places, Message: none.Message})
	}
	if err := caller.Gone(ctx); err != nil {
		return nil, c.fail(object, version, version, err)
	}
	return findings, nil
}

// unmapped finds what of object rows cannot map to a version, unless old holds it just so.
func (c *Converter) unmapped(object, old []byte, to string, job engine.Job) (findings []Finding, err error) {
	now, err := engine.FindUnmapped(object, job)
	if err != nil {
		return nil, err
	}
	var before []engine.Unmapped
	if len(now) > 0 && old != nil {
		before, _ = engine.FindUnmapped(old, job) // one that cannot be read excuses nothing
	}
	for _, u := range now {
		if !slices.ContainsFunc(before, func(b engine.Unmapped) bool { return stash.SamePlace(b.At, u.At) && bytes.Equal(b.Value, u.Value) }) {
			findings = append(findings, Finding{
				Field: u.Path, Partial: u.Partial,
				Message: fmt.Sprintf("%s could not show it in %s; write %s", to, strings.Join(u.Others, " and "), u.Needs),
			})
		}
	}
	return findings, nil
}

// job is one step of a conversion.
func (c *Converter) job(ctx context.Context, from, to string) engine.Job {
	if from == c.hub {
		return engine.Job{Context: ctx, Plan: c.plans[to], From: plan.Hub, APIVersion: c.apiVersions[to], Marks: c.marks}
	}
	return engine.Job{Context: ctx, Plan: c.plans[from], From: plan.Spoke, APIVersion: c.apiVersions[to], Marks: c.marks}
}

// Incomplete is what an object says that it has lost for want of room, empty where
// it is whole. Whoever writes it in this version would make the loss good.
func Incomplete(text []byte) string {
	if object.Check(text) != nil {
		return ""
	}
	return object.ReadHead(text).Ours[stash.Incomplete]
}

// OnlyRemovesFinalizers reports whether an update does nothing else. Both objects are
// in one version; what the API server itself changes, such as managedFields, makes
// no difference.
func OnlyRemovesFinalizers(object, old []byte) bool {
	now, left := withoutFinalizers(object)
	before, all := withoutFinalizers(old)
	return now != nil && before != nil && len(left) < len(all) && reflect.DeepEqual(now, before) &&
		!slices.ContainsFunc(left, func(one any) bool { return !slices.Contains(all, one) })
}

// withoutFinalizers is an object without its finalizers and what changes with
// them, and its finalizers.
func withoutFinalizers(text []byte) (object map[string]any, finalizers []any) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if decoder.Decode(&object) != nil {
		return nil, nil
	}
	if metadata, ok := object["metadata"].(map[string]any); ok {
		finalizers, _ = metadata["finalizers"].([]any)
		for _, name := range []string{"finalizers", "managedFields", "resourceVersion", "generation"} {
			delete(metadata, name)
		}
	}
	return object, finalizers
}
