package builtin

import (
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/json"
)

// Read returns an object, given as JSON, as the API server has it after reading it. It also
// returns the fields that its type does not have, as in unknown field "spec.replica". An error
// means that a value does not fit the type.
func Read(kind schema.GroupVersionKind, text []byte) (object map[string]any, unknown []string, err error) {
	typed, err := types().New(kind)
	if err != nil {
		return nil, nil, err
	}
	strict, err := json.UnmarshalStrict(text, typed)
	if err != nil {
		return nil, nil, err
	}
	for _, one := range strict {
		unknown = append(unknown, one.Error())
	}
	types().Default(typed)
	defaults().visit(typed)
	if typed, err = throughInternal(kind, typed); err != nil {
		return nil, nil, err
	}
	typed.GetObjectKind().SetGroupVersionKind(kind)
	object, err = runtime.DefaultUnstructuredConverter.ToUnstructured(typed)
	return object, unknown, err
}

// throughInternal converts an object to the API server's internal form and back. A few kinds
// change by that.
func throughInternal(kind schema.GroupVersionKind, typed runtime.Object) (runtime.Object, error) {
	internal := schema.GroupVersion{Group: kind.Group, Version: runtime.APIVersionInternal}
	if !types().Recognizes(internal.WithKind(kind.Kind)) {
		kept().visit(typed)
		return typed, nil
	}
	converted, err := types().ConvertToVersion(typed, internal)
	if err != nil {
		return nil, err
	}
	return types().ConvertToVersion(converted, kind.GroupVersion())
}
