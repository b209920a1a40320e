package policy

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"sigs.k8s.io/yaml"

	"github.com/crosswalk-dev/crosswalk/validation"
)

// difference is a case that apiserver's evaluator and ours must answer alike, or
// else differ as the case says.
type difference struct {
	Name          string                                                     `json:"name"`
	Policy        map[string]any                                             `json:"policy"`
	Bindings      []admissionregistrationv1.ValidatingAdmissionPolicyBinding `json:"bindings,omitempty"`
	Operation     admissionv1.Operation                                      `json:"operation,omitempty"`
	Resource      string                                                     `json:"resource,omitempty"`
	Object        map[string]any                                             `json:"object,omitempty"`
	OldObject     map[string]any                                             `json:"oldObject,omitempty"`
	Cluster       bool                                                       `json:"cluster,omitempty"`
	Params        []map[string]any                                           `json:"params,omitempty"`
	ClusterParams bool                                                       `json:"clusterParams,omitempty"`
	NoNamespaces  bool                                                       `json:"noNamespaces,omitempty"`
	Namespaces    []*corev1.Namespace                                        `json:"namespaces,omitempty"`
	Allow         []authorizer.AttributesRecord                              `json:"allow,omitempty"`
	AuthzError    string                                                     `json:"authzError,omitempty"`
	// Budget is the cost that all expressions together may have.
	Budget int64 `json:"budget,omitempty"`
	// Differs says why the answers differ.
	Differs string `json:"differs,omitempty"`

	// counted makes us count costs even where nothing can cost too much.
	counted bool
}

// fixtures are the objects that cases name.
type fixtures struct {
	Objects map[string]map[string]any `json:"objects"`
	Cases   []*difference             `json:"cases"`
}

func readDifferences(t *testing.T) map[string][]*difference {
	t.Helper()
	files, err := filepath.Glob("testdata/differential/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	all := map[string][]*difference{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var f fixtures
		if err := yaml.UnmarshalStrict(text, &f); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		for _, c := range f.Cases {
			c.Object, c.OldObject = f.resolve(c.Object), f.resolve(c.OldObject)
			if len(c.Namespaces) == 0 && !c.NoNamespaces {
				c.Namespaces = []*corev1.Namespace{{ObjectMeta: metav1.ObjectMeta{Name: "default"}}}
			}
		}
		all[filepath.Base(file)] = f.Cases
	}
	return all
}

// resolve replaces {use: name} by the object of that name.
func (f *fixtures) resolve(object map[string]any) map[string]any {
	if name, ok := object["use"].(string); ok {
		return f.Objects[name]
	}
	return object
}

// request is the one of a case. Without objects it creates an endless list of
// nothing special.
func (c *difference) request(t testing.TB) *admissionv1.AdmissionRequest {
	t.Helper()
	no := false
	r := &admissionv1.AdmissionRequest{
		UID: "1", Kind: metav1.GroupVersionKind{Version: "v1", Kind: "Endpoints"}, Resource: metav1.GroupVersionResource{Version: "v1", Resource: "endpoints"},
		Name: "endpoints1", Namespace: "default", Operation: c.Operation, DryRun: &no,
		UserInfo: authenticationv1.UserInfo{Username: "ann", Groups: []string{"staff", "system:authenticated"}},
		Object:   rawObject(t, c.Object), OldObject: rawObject(t, c.OldObject),
	}
	if c.Operation == "" {
		r.Operation = admissionv1.Create
	}
	if c.Cluster {
		r.Namespace = ""
	}
	if c.Resource != "" {
		parts := strings.Split(c.Resource, "/")
		r.Resource = metav1.GroupVersionResource{Group: parts[0], Version: parts[1], Resource: parts[2]}
		r.Kind = metav1.GroupVersionKind{Group: parts[0], Version: parts[1], Kind: parts[3]}
		if len(parts) > 4 {
			r.SubResource = parts[4]
		}
	}
	for _, fields := range []map[string]any{c.OldObject, c.Object} {
		object := &unstructured.Unstructured{Object: fields}
		if fields == nil || c.Resource != "" {
			continue
		}
		kind := object.GroupVersionKind()
		r.Name, r.Kind = object.GetName(), metav1.GroupVersionKind(kind)
		r.Resource = metav1.GroupVersionResource{Group: kind.Group, Version: kind.Version, Resource: strings.TrimSuffix(strings.ToLower(kind.Kind), "s") + "s"}
	}
	r.RequestKind, r.RequestResource, r.RequestSubResource = &r.Kind, &r.Resource, r.SubResource
	return r
}

func rawObject(t testing.TB, object map[string]any) runtime.RawExtension {
	t.Helper()
	if object == nil {
		return runtime.RawExtension{}
	}
	text, err := yaml.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	return raw(t, string(text))
}

// native gives the policy and its bindings, with the defaults of the API server.
func (c *difference) native(t testing.TB) (*admissionregistrationv1.ValidatingAdmissionPolicy, []*admissionregistrationv1.ValidatingAdmissionPolicyBinding) {
	t.Helper()
	text, err := yaml.Marshal(c.Policy)
	if err != nil {
		t.Fatal(err)
	}
	policy := &admissionregistrationv1.ValidatingAdmissionPolicy{ObjectMeta: metav1.ObjectMeta{Name: "p.example.com"}}
	if err := yaml.UnmarshalStrict(text, &policy.Spec); err != nil {
		t.Fatal(err)
	}
	if policy.Spec.MatchConstraints == nil {
		policy.Spec.MatchConstraints = &admissionregistrationv1.MatchResources{}
	}
	defaultMatch(policy.Spec.MatchConstraints)
	bindings := []*admissionregistrationv1.ValidatingAdmissionPolicyBinding{{}}
	if len(c.Bindings) > 0 {
		bindings = nil
		for i := range c.Bindings {
			bindings = append(bindings, c.Bindings[i].DeepCopy())
		}
	}
	for i, b := range bindings {
		if b.Name == "" {
			b.Name = fmt.Sprintf("b%d", i)
		}
		b.Spec.PolicyName = policy.Name
		if len(b.Spec.ValidationActions) == 0 {
			b.Spec.ValidationActions = []admissionregistrationv1.ValidationAction{admissionregistrationv1.Deny}
		}
		if b.Spec.MatchResources != nil {
			defaultMatch(b.Spec.MatchResources)
		}
		if b.Spec.ParamRef == nil && policy.Spec.ParamKind != nil && len(c.Bindings) == 0 && len(c.Params) > 0 {
			deny := admissionregistrationv1.DenyAction
			b.Spec.ParamRef = &admissionregistrationv1.ParamRef{Selector: &metav1.LabelSelector{}, ParameterNotFoundAction: &deny}
		}
	}
	return policy, bindings
}

func defaultMatch(m *admissionregistrationv1.MatchResources) {
	if m.NamespaceSelector == nil {
		m.NamespaceSelector = &metav1.LabelSelector{}
	}
	if m.ObjectSelector == nil {
		m.ObjectSelector = &metav1.LabelSelector{}
	}
}

func (c *difference) authorizer(testing.TB) authorizer.Authorizer {
	s := &scripted{allow: c.Allow, reason: "scripted"}
	if c.AuthzError != "" {
		s.err = errors.New(c.AuthzError)
	}
	return s
}

func (c *difference) cluster(t testing.TB) Cluster {
	var objects []*unstructured.Unstructured
	for _, p := range c.Params {
		objects = append(objects, &unstructured.Unstructured{Object: p})
	}
	for _, n := range c.Namespaces {
		object, err := runtime.DefaultUnstructuredConverter.ToUnstructured(n)
		if err != nil {
			t.Fatal(err)
		}
		object["apiVersion"], object["kind"] = "v1", "Namespace"
		objects = append(objects, &unstructured.Unstructured{Object: object})
	}
	given := NewGiven(objects...)
	return Cluster{Namespaces: given, Objects: given, Authorizer: c.authorizer(t)}
}

// compiled compiles without minding problems, as apiserver does with what is
// stored.
func (c *difference) compiled(t testing.TB) *Policy {
	native, bindings := c.native(t)
	policy, _ := CompileNative(native, bindings...)
	if c.Budget > 0 {
		policy.budget, policy.freeUpTo = c.Budget, 0
	}
	if c.counted {
		policy.freeUpTo = 0
	}
	return policy
}

func ourAnswer(t testing.TB, c *difference) answer {
	t.Helper()
	r := c.request(t)
	verdict := review(t, Validations(c.cluster(t), c.compiled(t)), r)
	out := answer{denied: !verdict.Allowed(), warnings: verdict.Warnings, annotations: verdict.AuditAnnotations}
	if out.denied {
		out.reason = verdict.Status(r).Reason
		out.message = verdict.Causes[0].Message
	}
	return out
}

// comparable drops from answers what is ours alone: how what the API server does not let
// anybody store is told.
func (a answer) comparable() string {
	for _, sign := range []string{"does not compile", "fails to compile", "compilation error", "is not a valid label selector operator"} {
		if strings.Contains(a.message, sign) {
			a.message = "cannot be stored"
		}
	}
	var keys []string
	for _, key := range slices.Sorted(maps.Keys(a.annotations)) {
		keys = append(keys, key+"="+a.annotations[key])
	}
	return fmt.Sprintf("denied=%v reason=%s message=%s warnings=%q annotations=%q", a.denied, a.reason, a.message, a.warnings, keys)
}

// decisions gives what each rule says, one in a line.
func oracleDecisions(t testing.TB, c *difference, param map[string]any) string {
	t.Helper()
	policy, _ := c.native(t)
	validator, err := oracleValidator(policy)
	if err != nil {
		t.Fatal(err)
	}
	var params runtime.Object
	if param != nil {
		params = &unstructured.Unstructured{Object: param}
	}
	var namespace *corev1.Namespace
	if !c.Cluster && len(c.Namespaces) > 0 && c.request(t).Kind.Kind != "Namespace" {
		namespace = c.Namespaces[0]
	}
	budget := c.Budget
	if budget == 0 {
		budget = celconfig.RuntimeCELCostBudget
	}
	attributes := newOracleAttributes(t, c)
	result := validator.Validate(t.Context(), attributes.GetResource(), attributes.versioned(), params, namespace, budget, c.authorizer(t))
	var lines []string
	for i, d := range result.Decisions {
		switch {
		case d.Action == validating.ActionAdmit:
		case d.Evaluation == validating.EvalError:
			lines = append(lines, "fails")
		default:
			lines = append(lines, fmt.Sprintf("%d %s %s", i, d.Reason, d.Message))
		}
	}
	slices.SortStableFunc(result.AuditAnnotations, func(a, b validating.PolicyAuditAnnotation) int {
		return strings.Compare(string(a.Action), string(b.Action)) // Error before Publish
	})
	for _, a := range result.AuditAnnotations {
		switch a.Action {
		case validating.AuditAnnotationActionPublish:
			lines = append(lines, fmt.Sprintf("audit %s=%s", a.Key, a.Value))
		case validating.AuditAnnotationActionError:
			lines = append(lines, "audit fails")
		}
	}
	return strings.Join(lines, "\n")
}

func ourDecisions(t testing.TB, c *difference, param map[string]any) string {
	t.Helper()
	var params any
	if param != nil {
		params = param
	}
	ctx := validation.WithKnownCaller(t.Context())
	out := c.compiled(t).decide(ctx, newSubject(ctx, c.cluster(t), c.request(t)), params)
	var lines []string
	for _, f := range out.findings {
		if f.rule == nil {
			lines = append(lines, "fails")
			continue
		}
		lines = append(lines, fmt.Sprintf("%d %s %s", f.index, f.rule.reason, f.message))
	}
	for range out.auditFailures {
		lines = append(lines, "audit fails")
	}
	for _, a := range out.audits {
		lines = append(lines, fmt.Sprintf("audit %s=%s", a.key, a.value))
	}
	return strings.Join(lines, "\n")
}

// Cases after the model of apiserver's own tests are answered as apiserver does.
// The count and every difference are printed; one that no case tells of is a
// failure, and so is one that a case tells of and that is not there.
func TestAnswersAsAPIServerDoes(t *testing.T) {
	total, differ, free := 0, 0, 0
	for file, cases := range readDifferences(t) {
		for i, c := range cases {
			if testing.Short() && i%6 != 1 {
				continue // the race detector sees enough of them, and not the one that uses up all cost
			}
			total++
			t.Run(file+"/"+c.Name, func(t *testing.T) {
				var found []string
				compare := func(what, ours, theirs string) {
					if ours != theirs {
						found = append(found, fmt.Sprintf("%s:\nours   %s\ntheirs %s", what, ours, theirs))
					}
				}
				if c.compiled(t).freeUpTo > 0 {
					free++
				}
				for _, c.counted = range []bool{false, true} {
					if c.Budget == 0 {
						compare("answer", ourAnswer(t, c).comparable(), oracleAnswer(t, c).comparable())
					}
					params := c.Params
					if len(params) == 0 {
						params = []map[string]any{nil}
					}
					for _, param := range params {
						compare("decisions", ourDecisions(t, c, param), oracleDecisions(t, c, param))
					}
				}
				switch {
				case c.Differs == "" && len(found) > 0:
					t.Errorf("differs in %s", strings.Join(found, "\n"))
				case c.Differs != "" && len(found) == 0:
					t.Errorf("does not differ, though it says: %s", c.Differs)
				case c.Differs != "":
					differ++
					fmt.Printf("differs from apiserver: %s: %s\n", c.Name, c.Differs)
				}
			})
		}
	}
	fmt.Printf("compared with apiserver: %d cases, %d differences; %d were judged without counting, too\n", total, differ, free)
}
