package builtin

import (
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/json"
)

// Read gives an object, as JSON, as the API server has it once it has read it, and
// names the fields that its type does not have, as in unknown field "spec.replica". An
// error is one of JSON: a value does not fit the type.
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

// throughInternal brings an object into the form in which the API server works with it,
// and back, which is not the same in a few kinds.
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
