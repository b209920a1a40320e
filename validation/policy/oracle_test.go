package policy

import (
	"context"
	"errors"
	"testing"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
	plugincel "k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/admission/plugin/policy/generic"
	"k8s.io/apiserver/pkg/admission/plugin/policy/matching"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/matchconditions"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/apiserver/pkg/warning"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	corev1client "k8s.io/client-go/kubernetes/typed/core/v1"
	listersv1 "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
)

// The oracle is apiserver's own evaluation of a ValidatingAdmissionPolicy: its
// validator, compiled as its plugin does (validating/plugin.go), behind its own
// dispatcher, matcher and choice of parameters.

func oracleValidator(p *admissionregistrationv1.ValidatingAdmissionPolicy) (validating.Validator, error) {
	compiler, err := plugincel.NewCompositedCompiler(environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion()))
	if err != nil {
		return nil, err
	}
	all := plugincel.OptionalVariableDeclarations{HasParams: p.Spec.ParamKind != nil, HasAuthorizer: true}
	messages := plugincel.OptionalVariableDeclarations{HasParams: p.Spec.ParamKind != nil}
	for _, v := range p.Spec.Variables {
		compiler.CompileAndStoreVariable(&validating.Variable{Name: v.Name, Expression: v.Expression}, all, environment.StoredExpressions)
	}
	var rules, texts, audits, conditions []plugincel.ExpressionAccessor
	for _, v := range p.Spec.Validations {
		rules = append(rules, &validating.ValidationCondition{Expression: v.Expression, Message: v.Message, Reason: v.Reason})
		if v.MessageExpression == "" {
			texts = append(texts, nil)
			continue
		}
		texts = append(texts, &validating.MessageExpressionCondition{MessageExpression: v.MessageExpression})
	}
	for _, a := range p.Spec.AuditAnnotations {
		audits = append(audits, &validating.AuditAnnotationCondition{Key: a.Key, ValueExpression: a.ValueExpression})
	}
	for i := range p.Spec.MatchConditions {
		conditions = append(conditions, (*matchconditions.MatchCondition)(&p.Spec.MatchConditions[i]))
	}
	var matcher matchconditions.Matcher
	if len(conditions) > 0 {
		matcher = matchconditions.NewMatcher(compiler.CompileCondition(conditions, all, environment.StoredExpressions), p.Spec.FailurePolicy, "policy", "validate", p.Name)
	}
	return validating.NewValidator(
		compiler.CompileCondition(rules, all, environment.StoredExpressions), matcher,
		compiler.CompileCondition(audits, all, environment.StoredExpressions),
		compiler.CompileCondition(texts, messages, environment.StoredExpressions), p.Spec.FailurePolicy, nil,
	), nil
}

// oracleAttributes are a request as it goes through admission in the API server.
type oracleAttributes struct {
	admission.Attributes
	annotations map[string]string
}

// AddAnnotation overwrites nothing, as that of apiserver (admission/attributes.go).
func (a *oracleAttributes) AddAnnotation(key, value string) error {
	if _, found := a.annotations[key]; !found {
		a.annotations[key] = value
	}
	return nil
}

func newOracleAttributes(t testing.TB, c *difference) *oracleAttributes {
	t.Helper()
	r := c.request(t)
	object := func(raw []byte) runtime.Object {
		if len(raw) == 0 {
			return nil
		}
		u := &unstructured.Unstructured{}
		if err := u.UnmarshalJSON(raw); err != nil {
			t.Fatal(err)
		}
		return u
	}
	record := admission.NewAttributesRecord(object(r.Object.Raw), object(r.OldObject.Raw), schema.GroupVersionKind(r.Kind), r.Namespace, r.Name,
		schema.GroupVersionResource(r.Resource), r.SubResource, admission.Operation(r.Operation), nil, *r.DryRun,
		&user.DefaultInfo{Name: r.UserInfo.Username, Groups: r.UserInfo.Groups})
	return &oracleAttributes{Attributes: record, annotations: map[string]string{}}
}

func (a *oracleAttributes) versioned() *admission.VersionedAttributes {
	return &admission.VersionedAttributes{
		Attributes: a, VersionedObject: a.GetObject(), VersionedOldObject: a.GetOldObject(), VersionedKind: a.GetKind(),
	}
}

// answer is what somebody says of a request, in a form that can be compared.
type answer struct {
	denied      bool
	reason      metav1.StatusReason
	message     string
	warnings    []string
	annotations map[string]string
}

func oracleAnswer(t testing.TB, c *difference) answer {
	t.Helper()
	policy, bindings := c.native(t)
	evaluator, err := oracleValidator(policy)
	if err != nil {
		t.Fatal(err)
	}
	namespaces := cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{})
	for _, n := range c.Namespaces {
		if err := namespaces.Add(n); err != nil {
			t.Fatal(err)
		}
	}
	matcher := matching.NewMatcher(listersv1.NewNamespaceLister(namespaces), noCluster{})
	hook := validating.PolicyHook{Policy: policy, Bindings: bindings, Evaluator: evaluator}
	if kind := policy.Spec.ParamKind; kind != nil {
		hook.ParamInformer, hook.ParamScope = newParamInformer(t, c), meta.RESTScopeNamespace
		if c.ClusterParams {
			hook.ParamScope = meta.RESTScopeRoot
		}
	}
	attributes, warnings := newOracleAttributes(t, c), &recorder{}
	ctx := warning.WithWarningRecorder(t.Context(), warnings)
	dispatcher := validating.NewDispatcher(c.authorizer(t), generic.NewPolicyMatcher(matcher))
	err = dispatcher.Dispatch(ctx, attributes, noEquivalents{}, []validating.PolicyHook{hook})
	out := answer{warnings: warnings.texts, annotations: attributes.annotations}
	if err != nil {
		out.denied = true
		var status *apierrors.StatusError
		if !errors.As(err, &status) {
			t.Fatalf("%v is no status", err)
		}
		out.reason = status.ErrStatus.Reason
		out.message = status.ErrStatus.Message
		if causes := status.ErrStatus.Details.Causes; len(causes) > 0 {
			out.message = causes[len(causes)-1].Message
		}
	}
	return out
}

type recorder struct{ texts []string }

func (r *recorder) AddWarning(_, text string) { r.texts = append(r.texts, text) }

// noCluster knows no namespace.
type noCluster struct{ kubernetes.Interface }

func (noCluster) CoreV1() corev1client.CoreV1Interface { return noCore{} }

type noCore struct{ corev1client.CoreV1Interface }

func (noCore) Namespaces() corev1client.NamespaceInterface { return noNamespaces{} }

type noNamespaces struct {
	corev1client.NamespaceInterface
}

func (noNamespaces) Get(_ context.Context, name string, _ metav1.GetOptions) (*corev1.Namespace, error) {
	return nil, apierrors.NewNotFound(schema.GroupResource{Resource: "namespaces"}, name)
}

type noEquivalents struct{ admission.ObjectInterfaces }

func (noEquivalents) GetEquivalentResourceMapper() runtime.EquivalentResourceMapper {
	return runtime.NewEquivalentResourceRegistry()
}

// paramInformer has the parameters of a case.
type paramInformer struct {
	cache.SharedIndexInformer
	lister cache.GenericLister
}

var _ informers.GenericInformer = (*paramInformer)(nil)

func newParamInformer(t testing.TB, c *difference) *paramInformer {
	t.Helper()
	indexer := cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc})
	for _, p := range c.Params {
		if err := indexer.Add(&unstructured.Unstructured{Object: p}); err != nil {
			t.Fatal(err)
		}
	}
	return &paramInformer{lister: cache.NewGenericLister(indexer, schema.GroupResource{Resource: "params"})}
}

func (p *paramInformer) Informer() cache.SharedIndexInformer { return p }
func (p *paramInformer) Lister() cache.GenericLister         { return p.lister }
func (p *paramInformer) HasSynced() bool                     { return true }

// scripted answers what a case says.
type scripted struct {
	allow  []authorizer.AttributesRecord
	reason string
	err    error
}

func (s *scripted) Authorize(_ context.Context, a authorizer.Attributes) (authorizer.Decision, string, error) {
	for _, allowed := range s.allow {
		if allowed.Verb == a.GetVerb() && allowed.Path == a.GetPath() && allowed.APIGroup == a.GetAPIGroup() && allowed.Resource == a.GetResource() &&
			allowed.Subresource == a.GetSubresource() && allowed.Namespace == a.GetNamespace() && allowed.Name == a.GetName() {
			return authorizer.DecisionAllow, "", nil
		}
	}
	return authorizer.DecisionNoOpinion, s.reason, s.err
}
