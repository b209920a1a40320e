package expression

import (
	apiservercel "k8s.io/apiserver/pkg/cel"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
)

// declare returns the type of a field in expressions. It is the type in validation rules
// (k8s.io/apiserver/pkg/cel/common, SchemaDeclType), and dyn for a field without a schema, which
// validation rules can't read.
func declare(s *schema.Schema, root bool) *apiservercel.DeclType {
	if s == nil || s.IntOrString || s.Type == "" {
		return apiservercel.DynType
	}
	switch s.Type {
	case "array":
		return apiservercel.NewListType(declare(s.Items, false), -1)
	case "object":
		return declareObject(s, root)
	case "boolean":
		return apiservercel.BoolType
	case "integer":
		return apiservercel.IntType
	case "number":
		return apiservercel.DoubleType
	}
	switch s.Format {
	case "byte":
		return apiservercel.BytesType
	case "duration":
		return apiservercel.DurationType
	case "date", "date-time":
		return apiservercel.TimestampType
	}
	return apiservercel.StringType
}

func declareObject(s *schema.Schema, root bool) *apiservercel.DeclType {
	switch {
	case len(s.Members) > 0:
	case s.Values != nil:
		return apiservercel.NewMapType(apiservercel.StringType, declare(s.Values, false), -1)
	case s.Open:
		return apiservercel.NewMapType(apiservercel.StringType, apiservercel.DynType, -1)
	}
	fields := map[string]*apiservercel.DeclField{}
	add := func(name string, t *apiservercel.DeclType) {
		if escaped, ok := apiservercel.Escape(name); ok {
			fields[escaped] = apiservercel.NewDeclField(escaped, t, false, nil, nil)
		}
	}
	for name, member := range s.Members {
		switch {
		case root && (name == "apiVersion" || name == "kind"):
		case root && name == "metadata":
			add(name, metadata())
		default:
			add(name, declare(member, false))
		}
	}
	return apiservercel.NewObjectType("object", fields)
}

// metadata returns the type of ObjectMeta: what validation rules can read, and what rows may name.
func metadata() *apiservercel.DeclType {
	fields := map[string]*apiservercel.DeclField{}
	for _, name := range [...]string{"name", "generateName", "namespace"} {
		fields[name] = apiservercel.NewDeclField(name, apiservercel.StringType, false, nil, nil)
	}
	for _, name := range [...]string{"labels", "annotations"} {
		fields[name] = apiservercel.NewDeclField(name, apiservercel.NewMapType(apiservercel.StringType, apiservercel.StringType, -1), false, nil, nil)
	}
	return apiservercel.NewObjectType("metadata", fields)
}
