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

// Definitions returns what the definitions of custom resources contain.
//
// Mutations run before the API server has validated an object by its schema, and the schema
// should report the writer's mistakes. Without a known schema nothing is wrong, as with the
// kinds of Kubernetes itself, which the API server has decoded before.
type Definitions interface {
	// Fits reports whether every value of an object, as JSON, has the type in the schema of its
	// resource.
	Fits(ctx context.Context, resource schema.GroupVersionResource, object []byte) bool
	// Refuses returns the errors of an object in its schema. It returns none for an object that
	// is too large to be validated here.
	Refuses(ctx context.Context, resource schema.GroupVersionResource, object []byte) field.ErrorList
	// Replicas returns the kind of a resource's objects, and the path of the number that their
	// Scale shows; no path if it has no Scale, or no definition. Without a version it returns
	// those of any version with a Scale.
	Replicas(ctx context.Context, resource schema.GroupVersionResource) (kind string, place []string, err error)
}

// asWritten returns the request in the version that was written, by whose schema the API server
// will validate it. It returns nil if that is unknown, or if the object has no schema, such as
// a Scale.
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

// mistyped reports whether the object has a value of another type than in its schema. An object
// that had such a value before the write is not mistyped, because the API server may accept it.
func (s *subject) mistyped(ctx context.Context) bool {
	if s = s.asWritten(); s == nil {
		return false
	}
	definitions := s.cluster.Definitions
	return !definitions.Fits(ctx, s.resource(), s.object.Text()) &&
		(s.old.Root() == types.NullValue || definitions.Fits(ctx, s.resource(), s.old.Text()))
}

// refused returns the errors of the object in its schema that it had when it was sent and still
// has. It returns none if the schema rejected the old object as well.
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
	before := sets.New[string]()
	for _, e := range was {
		before.Insert(e.Error())
	}
	return slices.DeleteFunc(definitions.Refuses(ctx, resource, now.object.Text()), func(e *field.Error) bool { return !before.Has(e.Error()) })
}

// refuse denies with the errors of a schema, once, in its words.
func (r *report) refuse(refused field.ErrorList) {
	if r.refused {
		return
	}
	r.refused = true
	for _, e := range refused {
		r.deny(validation.Cause{Field: e.Field, Type: metav1.CauseType(e.Type), Message: e.ErrorBody()})
	}
}
