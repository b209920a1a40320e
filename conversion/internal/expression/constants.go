package expression

import (
	"github.com/google/cel-go/common/types/ref"
	apiservercel "k8s.io/apiserver/pkg/cel"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
)

// Constants are the static values of a table.
type Constants struct {
	declared *apiservercel.DeclType
	value    ref.Val
}

// NewConstants makes constants of JSON values by their names.
func NewConstants(values map[string][]byte) *Constants {
	fields := map[string]*apiservercel.DeclField{}
	members := map[string]ref.Val{}
	for name, text := range values {
		if escaped, ok := apiservercel.Escape(name); ok {
			fields[escaped] = apiservercel.NewDeclField(escaped, declareValue(text), true, nil, nil)
			members[name] = decode(schema.Canonical(nil, text, nil), nil)
		}
	}
	return &Constants{apiservercel.NewObjectType("Parameters", fields), newRecord(members, true)}
}

func (c *Constants) names() []string { return c.value.(*record).names }

func declareValue(text []byte) *apiservercel.DeclType {
	switch text[0] {
	case '"':
		return apiservercel.StringType
	case 't', 'f':
		return apiservercel.BoolType
	case '{':
		return apiservercel.NewMapType(apiservercel.StringType, apiservercel.DynType, -1)
	case '[':
		return apiservercel.NewListType(apiservercel.DynType, -1)
	case 'n':
		return apiservercel.DynType
	}
	if (&schema.Schema{Type: "integer"}).Holds(text) {
		return apiservercel.IntType
	}
	return apiservercel.DoubleType
}
