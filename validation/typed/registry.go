package typed

import (
	"context"
	"fmt"
	"reflect"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Validator validates objects of the type T, a pointer to a struct. Every error names its
// field. Warnings are shown whether or not there are errors. It must not change the objects.
//
// An error of the type InternalError (field.InternalError) means that the request could not be
// validated: the API server then follows the webhook's failurePolicy. Use field.OmitValueType{}
// for values that must not be shown in a message. The values of a Secret are always left out.
type Validator[T runtime.Object] interface {
	ValidateCreate(ctx context.Context, object T) (errors field.ErrorList, warnings []string)
	// ValidateUpdate is also called for changes of a subresource: see [RequestFrom].
	ValidateUpdate(ctx context.Context, old, object T) (errors field.ErrorList, warnings []string)
	ValidateDelete(ctx context.Context, object T) (errors field.ErrorList, warnings []string)
}

// Defaulter sets fields that a writer has left out, when an object is created and when it is
// changed. If it is called again with its own result, it must not change it. A Defaulter of
// controller-runtime implements it.
type Defaulter[T runtime.Object] interface {
	// Default changes object. An error means that this was not possible: the API server then
	// follows the webhook's failurePolicy.
	Default(ctx context.Context, object T) error
}

// Registry holds validators and defaulters by kind. Add all of them before the first review:
// adding during reviews is not safe.
type Registry struct {
	scheme *runtime.Scheme
	kinds  map[schema.GroupVersionKind]*handlers
}

// handlers are the handlers of one kind. Either may be nil.
type handlers struct {
	validator validator
	defaulter func(context.Context, runtime.Object) error
}

// validator is a Validator without its type parameter.
type validator struct {
	create, delete func(context.Context, runtime.Object) (field.ErrorList, []string)
	update         func(ctx context.Context, old, object runtime.Object) (field.ErrorList, []string)
}

// New returns an empty Registry.
func New(scheme *runtime.Scheme) *Registry {
	return &Registry{scheme, map[schema.GroupVersionKind]*handlers{}}
}

// AddValidator adds the validator v for every kind for which the scheme has the type T. It
// fails if the scheme does not have T, or if a kind has a validator already.
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

// AddDefaulter adds the defaulter d for every kind for which the scheme has the type T. It
// fails if the scheme does not have T, or if a kind has a defaulter already.
func AddDefaulter[T runtime.Object](r *Registry, d Defaulter[T]) error {
	return add[T](r, "defaulter", func(h *handlers) bool {
		if h.defaulter != nil {
			return false
		}
		h.defaulter = func(ctx context.Context, object runtime.Object) error { return d.Default(ctx, object.(T)) }
		return true
	})
}

// add calls set with the handlers of every kind of T. It fails at the first kind for which set
// returns false.
func add[T runtime.Object](r *Registry, what string, set func(*handlers) bool) error {
	t := reflect.TypeFor[T]()
	if t.Kind() != reflect.Pointer {
		return fmt.Errorf("a %s for %v: the type must be a pointer to a struct in the scheme", what, t)
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
			return fmt.Errorf("a %s for %v: one was added already", what, t)
		}
	}
	return nil
}
