package typed

import (
	"context"
	"fmt"
	"reflect"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Validator judges objects of the type T, a pointer to a struct. Every error names
// its field; warnings are shown whether or not there are errors. It must not change
// the objects.
//
// An error of the type InternalError (field.InternalError) says that the request
// could not be judged: the API server then follows the webhook's failurePolicy.
// What must not show in a message goes into it as field.OmitValueType{}; the values
// of a Secret are left out always.
type Validator[T runtime.Object] interface {
	ValidateCreate(ctx context.Context, object T) (errors field.ErrorList, warnings []string)
	// ValidateUpdate is for changes of a subresource too: see [RequestFrom].
	ValidateUpdate(ctx context.Context, old, object T) (errors field.ErrorList, warnings []string)
	ValidateDelete(ctx context.Context, object T) (errors field.ErrorList, warnings []string)
}

// Defaulter fills in what a writer has left out, when an object is created and
// when it is changed. It must come to the same result when it is called again with
// what it has made. A Defaulter of controller-runtime is one.
type Defaulter[T runtime.Object] interface {
	// Default changes object. An error says that it could not be done: the API
	// server then follows the webhook's failurePolicy.
	Default(ctx context.Context, object T) error
}

// Registry holds validators and defaulters by kind. Add them all before the first
// review: it is not safe to add while reviewing.
type Registry struct {
	scheme *runtime.Scheme
	kinds  map[schema.GroupVersionKind]*handlers
}

// handlers are those of one kind. Either may be nil.
type handlers struct {
	validator validator
	defaulter func(context.Context, runtime.Object) error
}

// validator is a Validator without its type.
type validator struct {
	create, delete func(context.Context, runtime.Object) (field.ErrorList, []string)
	update         func(ctx context.Context, old, object runtime.Object) (field.ErrorList, []string)
}

// New returns a Registry with nothing in it.
func New(scheme *runtime.Scheme) *Registry {
	return &Registry{scheme, map[schema.GroupVersionKind]*handlers{}}
}

// AddValidator makes v the validator of every kind that the scheme knows T by. It
// fails where the scheme does not know it, or another has been added.
func AddValidator[T runtime.Object](r *Registry, v Validator[T]) error {
	return add[T](r, "validator", func(h *handlers) bool {
		if h.validator.create != nil {
			return false
		}
		h.validator = validator{
			create: func(ctx context.Context, object runtime.Object) (field.ErrorList, []string) {
				return v.ValidateCreate(ctx, object.(T))
			},
			update: func(ctx context.Context, old, object runtime.Object) (field.ErrorList, []string) {
				return v.ValidateUpdate(ctx, old.(T), object.(T))
			},
			delete: func(ctx context.Context, object runtime.Object) (field.ErrorList, []string) {
				return v.ValidateDelete(ctx, object.(T))
			},
		}
		return true
	})
}

// AddDefaulter makes d the defaulter of every kind that the scheme knows T by. It
// fails where the scheme does not know it, or another has been added.
func AddDefaulter[T runtime.Object](r *Registry, d Defaulter[T]) error {
	return add[T](r, "defaulter", func(h *handlers) bool {
		if h.defaulter != nil {
			return false
		}
		h.defaulter = func(ctx context.Context, object runtime.Object) error { return d.Default(ctx, object.(T)) }
		return true
	})
}

// add lets set change the handlers of every kind of T, unless it says no to one.
func add[T runtime.Object](r *Registry, what string, set func(*handlers) bool) error {
	t := reflect.TypeFor[T]()
	if t.Kind() != reflect.Pointer {
		return fmt.Errorf("a %s for %v: want one for a pointer to a struct that the scheme knows", what, t)
	}
	kinds, _, err := r.scheme.ObjectKinds(reflect.New(t.Elem()).Interface().(T))
	if err != nil {
		return fmt.Errorf("a %s for %v: %w; add the type to the scheme first", what, t, err)
	}
	for _, kind := range kinds {
		h := r.kinds[kind]
		if h == nil {
			h = new(handlers)
			r.kinds[kind] = h
		}
		if !set(h) {
			return fmt.Errorf("a %s for %v: there is one already", what, t)
		}
	}
	return nil
}
