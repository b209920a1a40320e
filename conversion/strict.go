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

// Finding is a field of an object that another version can't represent.
type Finding struct {
	// Field is the path, such as .spec.jobs[0].cmd, empty for the whole object.
	Field string
	// Message is the reason, and what to write instead.
	Message string
	// Partial is true if other fields are missing, so that the value can be represented once
	// they are written.
	Partial bool
}

// Check returns the values of an object that other versions can't represent: values that a row
// can't map, values for which annotations have no room, and the whole object if it exceeds
// [WithMaxSize]. old is the object before the write, or nil on a creation. Values that old has,
// too, are left out, so that a user need not correct values of others.
//
// No value would be lost by such a write, because it is kept. But clients of the other version
// would not see it, and only the writer can correct it. Check stops when ctx is done, as
// ConvertNoting does. Errors are of type *Error.
func (c *Converter) Check(ctx context.Context, object, old []byte) ([]Finding, error) {
	version, err := c.source(object, c.hub, LargestMaxSize)
	if err != nil {
		return nil, err
	}
	var findings []Finding
	if err := checkSize(object, c.maxSize); err != nil && checkSize(old, c.maxSize) == nil {
		findings = append(findings, Finding{Message: "no other version can represent it: " + err.Error()})
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

// unmapped returns the values of object that rows can't map to a version, without those that
// old has, too.
func (c *Converter) unmapped(object, old []byte, to string, job engine.Job) (findings []Finding, err error) {
	now, err := engine.FindUnmapped(object, job)
	if err != nil {
		return nil, err
	}
	type value struct{ at, text string }
	before := map[value]int{}
	if len(now) > 0 && old != nil {
		all, _ := engine.FindUnmapped(old, job) // if old can't be read, every value of object is new
		for _, u := range all {
			before[value{u.At, u.Value}]++
		}
	}
	for _, u := range now {
		if v := (value{u.At, u.Value}); before[v] > 0 {
			before[v]--
			continue
		}
		findings = append(findings, Finding{
			Field: u.Path, Partial: u.Partial,
			Message: fmt.Sprintf("the value can't be represented in %s (%s); use %s", to, strings.Join(u.Others, ", "), u.Needs),
		})
	}
	return findings, nil
}

// job returns one step of a conversion.
func (c *Converter) job(ctx context.Context, from, to string) engine.Job {
	if from == c.hub {
		return engine.Job{Context: ctx, Plan: c.plans[to], From: plan.Hub, APIVersion: c.apiVersions[to]}
	}
	return engine.Job{Context: ctx, Plan: c.plans[from], From: plan.Spoke, APIVersion: c.apiVersions[to]}
}

// Incomplete returns the fields that an object has lost because its annotations had no room, or
// "". A client that writes this version would make the loss permanent.
func Incomplete(text []byte) string {
	if object.Check(text) != nil {
		return ""
	}
	return object.ReadHead(text).Ours[stash.Incomplete]
}

// OnlyRemovesFinalizers reports whether an update only removes finalizers. Both objects have
// the same version. Fields that the API server itself changes, such as managedFields, are
// ignored.
func OnlyRemovesFinalizers(object, old []byte) bool {
	now, left := withoutFinalizers(object)
	before, all := withoutFinalizers(old)
	return now != nil && before != nil && len(left) < len(all) && reflect.DeepEqual(now, before) &&
		!slices.ContainsFunc(left, func(one any) bool { return !slices.Contains(all, one) })
}

// withoutFinalizers returns an object without its finalizers and the fields that change with
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
