package policy

import (
	"context"
	"slices"

	"github.com/google/cel-go/common/types"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crosswalk-dev/crosswalk/validation"
)

// Definitions knows what the definitions of custom resources say.
//
// Mutations come before the API server has judged an object by its schema, and what the
// writer has done wrong there is for the schema to tell. Where no schema is known there
// is nothing wrong, as with the kinds of Kubernetes itself, which the API server has
// decoded before it asks.
type Definitions interface {
	// Fits reports whether every value of an object, as JSON, has the type that the
	// schema of its resource gives it.
	Fits(ctx context.Context, resource schema.GroupVersionResource, object []byte) bool
	// Refuses says what the schema has against an object; nothing of one that is too
	// large to be judged in passing.
	Refuses(ctx context.Context, resource schema.GroupVersionResource, object []byte) field.ErrorList
	// Replicas gives the kind of a resource's objects, and the place in them of the
	// number that their Scale shows; no place where it has no Scale, or no definition.
	// Without a version it is that of any version which has a Scale.
	Replicas(ctx context.Context, resource schema.GroupVersionResource) (kind string, place []string, err error)
}

// asWritten is the request in the version that was written, by whose schema the API
// server judges it in the end; nil where that cannot be told, or where there is no
// object that has a schema, as a Scale.
func (s *subject) asWritten() *subject {
	r := s.request
	if s.cluster.Definitions == nil || r.SubResource != "" && r.SubResource != "status" {
		return nil
	}
	if w := r.RequestKind; w != nil && w.Version != r.Kind.Version {
		return s.inServed(w.Version)
	}
	return s
}

func (s *subject) resource() schema.GroupVersionResource {
	return schema.GroupVersionResource(s.request.Resource)
}

// mistyped reports whether the object has a value of another type than its schema says.
// One that had such a value before the write is not mistyped: the API server may let it
// stay.
func (s *subject) mistyped(ctx context.Context) bool {
	if s = s.asWritten(); s == nil {
		return false
	}
	definitions := s.cluster.Definitions
	return !definitions.Fits(ctx, s.resource(), s.object.Text()) &&
		(s.old.Root() == types.NullValue || definitions.Fits(ctx, s.resource(), s.old.Text()))
}

// refused is what its schema has against the object as it was sent, and still has as it
// is now; nothing where the schema refused it before the write as well.
func (s *subject) refused(ctx context.Context) field.ErrorList {
	sent := newSubject(ctx, s.cluster, s.request)
	defer sent.free()
	first, now := sent.asWritten(), s.asWritten()
	if first == nil || now == nil {
		return nil
	}
	definitions, resource := s.cluster.Definitions, now.resource()
	was := definitions.Refuses(ctx, resource, first.object.Text())
	if len(was) == 0 || first.old.Root() != types.NullValue && len(definitions.Refuses(ctx, resource, first.old.Text())) > 0 {
		return nil
	}
	said := sets.New[string]()
	for _, e := range was {
		said.Insert(e.Error())
	}
	return slices.DeleteFunc(definitions.Refuses(ctx, resource, now.object.Text()), func(e *field.Error) bool { return !said.Has(e.Error()) })
}

// refuse denies what a schema refuses, once, in its words.
func (r *report) refuse(refused field.ErrorList) {
	if r.refused {
		return
	}
	r.refused = true
	for _, e := range refused {
		r.deny(validation.Cause{Field: e.Field, Type: metav1.CauseType(e.Type), Message: e.ErrorBody()})
	}
}
