// Package expression compiles and evaluates the CEL expressions of a table.
//
// An expression reads one object of the source's version, typed by its schema, and computes one
// field of the other version. Compile finds which fields it reads. The engine passes only these,
// and the guard of what an expression computes is a hash of them.
package expression

import (
	"maps"
	"slices"

	"github.com/google/cel-go/cel"
	"k8s.io/apimachinery/pkg/util/version"
	apiservercel "k8s.io/apiserver/pkg/cel"
	"k8s.io/apiserver/pkg/cel/environment"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
)

// The variables of expressions.
const (
	// Self is the object at the scope of the row.
	Self = "self"
	// Object is the whole object.
	Object = "object"
	// Parameters are the table's static values.
	Parameters = "parameters"
)

// Library has the functions and macros of all expressions: those that Kubernetes
// 1.36 has. It is costly to make.
type Library struct{ env *cel.Env }

// NewLibrary makes the library. It is the API server's own, of one release, whatever feature gates
// are set. There are two differences: lists and maps may have values of several types, because
// expressions make objects of them, and this package counts costs (see counting).
func NewLibrary() (*Library, error) {
	kubernetes := environment.MustBaseEnvSet(version.MajorMinor(1, 36)).NewExpressionsEnv()
	env, err := cel.NewCustomEnv(
		cel.OptionalTypes(),
		cel.CustomTypeProvider(kubernetes.CELTypeProvider()),
		cel.CustomTypeAdapter(kubernetes.CELTypeAdapter()),
		cel.FunctionDecls(slices.Collect(maps.Values(kubernetes.Functions()))...),
		cel.Macros(kubernetes.Macros()...),
		cel.CrossTypeNumericComparisons(true),
		cel.DefaultUTCTimeZone(true),
		cel.ASTValidators(cel.ValidateDurationLiterals(), cel.ValidateTimestampLiterals(), cel.ValidateRegexLiterals()),
	)
	if err != nil {
		return nil, err
	}
	return &Library{env}, nil
}

// Environment compiles the expressions of one scope that read one version.
type Environment struct {
	env *cel.Env
	// self and object are the schemas of the scope and of the whole object. At the root they are
	// the same.
	self, object *schema.Schema
	parameters   *Constants
	version      string
}

// Environment makes the environment of the expressions that read self inside object, which are
// schemas of a version. At the root the two are the same.
func (l *Library) Environment(version string, self, object *schema.Schema, parameters *Constants) (*Environment, error) {
	atRoot := self == object
	selfType := declare(self, atRoot).MaybeAssignTypeName("Self")
	objectType := selfType
	types := []*apiservercel.DeclType{selfType, parameters.declared}
	if !atRoot {
		objectType = declare(object, true).MaybeAssignTypeName("Object")
		types = append(types, objectType)
	}
	provider := apiservercel.NewDeclTypeProvider(types...)
	provider.SetRecognizeKeywordAsFieldName(true)
	options, err := provider.EnvOptions(l.env.CELTypeProvider())
	if err != nil {
		return nil, err
	}
	env, err := l.env.Extend(append(options,
		cel.Variable(Self, selfType.CelType()),
		cel.Variable(Object, objectType.CelType()),
		cel.Variable(Parameters, parameters.declared.CelType()),
	)...)
	if err != nil {
		return nil, err
	}
	return &Environment{env: env, self: self, object: object, parameters: parameters, version: version}, nil
}
