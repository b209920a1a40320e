package policy

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types/traits"
	"k8s.io/apimachinery/pkg/util/version"
	plugincel "k8s.io/apiserver/pkg/admission/plugin/cel"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	apiservercel "k8s.io/apiserver/pkg/cel"
	"k8s.io/apiserver/pkg/cel/common"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/apiserver/pkg/cel/library"
)

// compiler compiles the expressions of one policy, in the environment that the API server uses
// for stored expressions: it accepts what any release has accepted. The declarations are those
// of apiserver (admission/plugin/cel/compile.go and composition.go).
type compiler struct {
	hasParams, hasLookups bool
	// variables is the type of the CEL variable of that name. It grows with each variable that
	// is compiled.
	variables *apiservercel.DeclType
	// lookups is the type of lookups, and grows in the same way.
	lookups *apiservercel.DeclType
	// schemas holds the known types of objects. For evaluating a policy none are known, as in
	// the API server.
	schemas  schemaTypes
	made     map[environmentKind]*environments
	problems *Problems
}

// environmentKind identifies an environment of a policy.
type environmentKind struct{ authorizer, patches bool }

// environments is an environment that counts costs and one that does not. An expression is
// checked in the first, and its program can be made in either.
type environments struct{ counting, free *cel.Env }

func newCompiler(hasParams, hasLookups bool, problems *Problems) *compiler {
	return &compiler{
		hasParams:  hasParams,
		hasLookups: hasLookups,
		variables:  apiservercel.NewObjectType("kubernetes.variables", map[string]*apiservercel.DeclField{}),
		lookups:    apiservercel.NewObjectType("crosswalk.lookups", map[string]*apiservercel.DeclField{}),
		made:       map[environmentKind]*environments{},
		problems:   problems,
	}
}

// lookup declares a lookup for the expressions after it.
func (c *compiler) lookup(name string, output *cel.Type) {
	c.lookups.Fields[name] = apiservercel.NewDeclField(name, c.declared(output), true, nil, nil)
}

// rule compiles an expression that may use everything.
func (c *compiler) rule(x *expression) { c.compile(x, environmentKind{authorizer: true}) }

// message compiles an expression that may use everything but authorizer.
func (c *compiler) message(x *expression) { c.compile(x, environmentKind{}) }

// mutation compiles an expression that returns a patch.
func (c *compiler) mutation(x *expression) {
	c.compile(x, environmentKind{authorizer: true, patches: true})
}

// variable compiles a variable, which later ones may use.
func (c *compiler) variable(v *variable) {
	c.rule(&v.expression)
	c.declare(v.name, v.output)
}

// declare declares a variable for the expressions after it.
func (c *compiler) declare(name string, output *cel.Type) {
	c.variables.Fields[name] = apiservercel.NewDeclField(name, c.declared(output), true, nil, nil)
}

func (c *compiler) compile(x *expression, kind environmentKind) {
	x.kind = kind
	if err := c.try(x); err != nil {
		x.broken = err
		c.problems.add(x.field, "%s", err.Error()+hint(err.Error()))
	}
}

func (c *compiler) try(x *expression) error {
	env, err := c.environments(x.kind)
	if err != nil {
		return unmade(err)
	}
	checked, issues := env.counting.Compile(x.text)
	if issues.Err() != nil {
		return issues.Err()
	}
	x.output = checked.OutputType()
	if err := x.checkOutput(); err != nil {
		return err
	}
	interrupt := cel.InterruptCheckFrequency(celconfig.CheckFrequency)
	if x.counted, err = env.counting.Program(checked, interrupt); err != nil {
		return err
	}
	x.checked = checked.NativeRep()
	x.free, err = env.free.Program(checked, interrupt, cel.EvalOptions(cel.OptOptimize), cel.OptimizeRegex(library.FindRegexOptimization, library.FindAllRegexOptimization))
	return err
}

func unmade(err error) error { return fmt.Errorf("the CEL environment cannot be made: %w", err) }

// checkOutput checks that the type of the value is allowed.
func (x *expression) checkOutput() error {
	for _, wanted := range x.returns {
		if x.output.IsExactType(wanted) || wanted == cel.AnyType {
			return nil
		}
	}
	if len(x.returns) == 1 {
		return fmt.Errorf("must evaluate to %v but got %v", x.returns[0], x.output)
	}
	return fmt.Errorf("must evaluate to one of %v but got %v", x.returns, x.output)
}

func (c *compiler) environments(kind environmentKind) (*environments, error) {
	if made := c.made[kind]; made != nil {
		return made, nil
	}
	counting, err := c.counting(kind)
	if err != nil {
		return nil, err
	}
	// The same functions, types and values, but without the counting that apiserver adds to
	// every program.
	free, err := cel.NewCustomEnv(
		cel.OptionalTypes(),
		cel.CustomTypeProvider(counting.CELTypeProvider()),
		cel.CustomTypeAdapter(counting.CELTypeAdapter()),
		cel.FunctionDecls(slices.Collect(maps.Values(counting.Functions()))...),
	)
	if err != nil {
		return nil, err
	}
	c.made[kind] = &environments{counting, free}
	return c.made[kind], nil
}

func (c *compiler) counting(kind environmentKind) (*cel.Env, error) {
	request, namespace := plugincel.BuildRequestType(), plugincel.BuildNamespaceType()
	options := []cel.EnvOption{
		cel.Variable(plugincel.ObjectVarName, celType(c.schemas.object)),
		cel.Variable(plugincel.OldObjectVarName, celType(c.schemas.object)),
		cel.Variable(plugincel.NamespaceVarName, namespace.CelType()),
		cel.Variable(plugincel.RequestVarName, request.CelType()),
		cel.Variable(plugincel.VariableVarName, c.variables.CelType()),
	}
	if c.hasParams {
		options = append(options, cel.Variable(plugincel.ParamsVarName, celType(c.schemas.params)))
	}
	declarations := append(c.schemas.roots(), namespace, request, c.variables)
	if c.hasLookups {
		options = append(options, cel.Variable(lookupsVarName, c.lookups.CelType()))
		declarations = append(declarations, c.lookups)
	}
	if kind.authorizer {
		options = append(options,
			cel.Variable(plugincel.AuthorizerVarName, library.AuthorizerType),
			cel.Variable(plugincel.RequestResourceAuthorizerVarName, library.ResourceCheckType))
	}
	set, err := environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion()).Extend(environment.VersionedOptions{
		IntroducedVersion: version.MajorMinor(1, 0),
		EnvOptions:        options,
		DeclTypes:         declarations,
	}, environment.StrictCostOpt)
	if err != nil {
		return nil, err
	}
	if !kind.patches {
		return set.StoredExpressionsEnv(), nil
	}
	// The types of patches come last, because they add to the others.
	set, err = set.Extend(environment.VersionedOptions{
		IntroducedVersion: version.MajorMinor(1, 0),
		EnvOptions:        []cel.EnvOption{common.ResolverEnvOption(c.schemas.patches()), environment.UnversionedLib(library.JSONPatch)},
	})
	if err != nil {
		return nil, err
	}
	return set.StoredExpressionsEnv(), nil
}

// declared returns the type of a variable as other expressions see it, as in apiserver
// (admission/plugin/cel/composition.go, convertCelTypeToDeclType).
func (c *compiler) declared(t *cel.Type) *apiservercel.DeclType {
	if t == nil {
		return apiservercel.DynType
	}
	for _, simple := range []*apiservercel.DeclType{
		apiservercel.AnyType, apiservercel.BoolType, apiservercel.BytesType, apiservercel.DoubleType, apiservercel.DurationType, apiservercel.IntType,
		apiservercel.NullType, apiservercel.StringType, apiservercel.TimestampType, apiservercel.UintType,
	} {
		if t == simple.CelType() {
			return simple
		}
	}
	if named := c.schemas.named[t.TypeName()]; named != nil {
		return named
	}
	if t.HasTrait(traits.ContainerType) && t.HasTrait(traits.IndexerType) {
		switch of := t.Parameters(); len(of) {
		case 1:
			return apiservercel.NewListType(c.declared(of[0]), -1)
		case 2:
			return apiservercel.NewMapType(c.declared(of[0]), c.declared(of[1]), -1)
		}
	}
	return apiservercel.DynType
}

// hint returns the remedy for frequent mistakes.
func hint(detail string) string {
	for _, known := range []struct{ mistake, hint string }{
		{"undeclared reference to 'params'", "set spec.paramKind to use params"},
		{"undeclared reference to 'lookups'", "declare it in spec.lookups"},
		{"undeclared reference to 'self'", "use object instead"},
		{"undefined field", "variables and lookups may only use earlier ones, by their names"},
		{"undeclared reference to 'authorizer'", "a messageExpression cannot use authorizer"},
		{"must evaluate to bool but got dyn", "compare it with a value, for example == true"},
		{"must evaluate to string but got dyn", "convert it with string()"},
		{"[string null_type] but got dyn", "convert it with string()"},
	} {
		if strings.Contains(detail, known.mistake) {
			return "\n(" + known.hint + ")"
		}
	}
	return ""
}
