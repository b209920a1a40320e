package policy

import (
	"context"
	"errors"
	"testing"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured/unstructuredscheme"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apiserver/pkg/admission"
	plugincel "k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/admission/plugin/policy/matching"
	"k8s.io/apiserver/pkg/admission/plugin/policy/mutating"
	"k8s.io/apiserver/pkg/admission/plugin/policy/mutating/patch"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/matchconditions"
	"k8s.io/apiserver/pkg/cel/environment"
	listersv1 "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
)

// oracleMutator compiles as apiserver's plugin does (mutating/compilation.go).
func oracleMutator(p *admissionregistrationv1.MutatingAdmissionPolicy) (mutating.PolicyEvaluator, error) {
	compiler, err := plugincel.NewCompositedCompiler(environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion()))
	if err != nil {
		return mutating.PolicyEvaluator{}, err
	}
	declared := plugincel.OptionalVariableDeclarations{HasParams: p.Spec.ParamKind != nil, HasAuthorizer: true}
	for _, v := range p.Spec.Variables {
		compiler.CompileAndStoreVariable(&validating.Variable{Name: v.Name, Expression: v.Expression}, declared, environment.StoredExpressions)
	}
	var conditions []plugincel.ExpressionAccessor
	for i := range p.Spec.MatchConditions {
		conditions = append(conditions, (*matchconditions.MatchCondition)(&p.Spec.MatchConditions[i]))
	}
	out := mutating.PolicyEvaluator{CompositedCompiler: compiler}
	if len(conditions) > 0 {
		out.Matcher = matchconditions.NewMatcher(compiler.CompileCondition(conditions, declared, environment.StoredExpressions), p.Spec.FailurePolicy, "policy", "validate", p.Name)
	}
	declared.HasPatchTypes = true
	for _, m := range p.Spec.Mutations {
		if m.JSONPatch != nil {
			out.Mutators = append(out.Mutators, patch.NewJSONPatcher(
				compiler.CompileMutatingEvaluator(&patch.JSONPatchCondition{Expression: m.JSONPatch.Expression}, declared, environment.StoredExpressions)))
			continue
		}
		out.Mutators = append(out.Mutators, patch.NewApplyConfigurationPatcher(
			compiler.CompileMutatingEvaluator(&patch.ApplyConfigurationCondition{Expression: m.ApplyConfiguration.Expression}, declared, environment.StoredExpressions)))
	}
	return out, nil
}

// mutated is what becomes of a request.
type mutated struct {
	denied bool
	reason metav1.StatusReason
	why    string
	object map[string]any
}

func oracleMutated(t testing.TB, c *mutationCase) mutated {
	t.Helper()
	namespaces := cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{})
	for _, n := range c.Namespaces {
		if err := namespaces.Add(n); err != nil {
			t.Fatal(err)
		}
	}
	var hooks []mutating.PolicyHook
	policies, bindings := c.natives(t)
	for i, p := range policies {
		evaluator, err := oracleMutator(p)
		if err != nil {
			t.Fatal(err)
		}
		hook := mutating.PolicyHook{Policy: p, Bindings: bindings[i], Evaluator: evaluator}
		if p.Spec.ParamKind != nil {
			hook.ParamInformer, hook.ParamScope = newParamInformer(t, &c.difference), meta.RESTScopeNamespace
		}
		hooks = append(hooks, hook)
	}
	dispatcher := mutating.NewDispatcher(c.authorizer(t), matching.NewMatcher(listersv1.NewNamespaceLister(namespaces), noCluster{}), givenTypes{c.types(t)})
	attributes := newOracleAttributes(t, &c.difference)
	objects := &admission.RuntimeObjectInterfaces{
		ObjectCreater: unstructuredscheme.NewUnstructuredCreator(), ObjectTyper: unstructuredscheme.NewUnstructuredObjectTyper(), ObjectDefaulter: noDefaults{},
		ObjectConvertor: copying{}, EquivalentResourceMapper: runtime.NewEquivalentResourceRegistry(),
	}
	err := dispatcher.Dispatch(t.Context(), attributes, objects, hooks)
	if again := attributes.GetReinvocationContext(); err == nil && again.ShouldReinvoke() {
		again.SetIsReinvoke()
		err = dispatcher.Dispatch(t.Context(), attributes, objects, hooks)
	}
	if err != nil {
		why := err.Error()
		var status *apierrors.StatusError
		if errors.As(err, &status) && status.ErrStatus.Details != nil && len(status.ErrStatus.Details.Causes) > 0 {
			why = ""
			for _, cause := range status.ErrStatus.Details.Causes {
				why += cause.Message + "\n"
			}
		}
		return mutated{denied: true, reason: apierrors.ReasonForError(err), why: why}
	}
	if object, ok := attributes.GetObject().(*unstructured.Unstructured); ok {
		return mutated{object: object.Object}
	}
	return mutated{}
}

// givenTypes has the schemas of a case.
type givenTypes struct{ types Types }

func (g givenTypes) GetTypeConverter(kind schema.GroupVersionKind) managedfields.TypeConverter {
	converter, err := g.types.TypeConverter(context.Background(), kind)
	if err != nil {
		return nil
	}
	return converter
}

func (g givenTypes) Run(context.Context) {}

type noDefaults struct{}

func (noDefaults) Default(runtime.Object) {}

// copying converts to what is there already.
type copying struct{ runtime.ObjectConvertor }

func (copying) Convert(in, out, _ any) error {
	from, ok := in.(*unstructured.Unstructured)
	if !ok {
		return errors.New("no object")
	}
	out.(*unstructured.Unstructured).Object = from.Object
	return nil
}
