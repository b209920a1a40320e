package registration

import (
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/cel"
	admissionwebhook "k8s.io/apiserver/pkg/admission/plugin/webhook"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/predicates/rules"
	"k8s.io/apiserver/pkg/cel/environment"

	"github.com/crosswalk-dev/crosswalk/internal/manage/reach"
	"github.com/crosswalk-dev/crosswalk/internal/manage/rehearsal"
	"github.com/crosswalk-dev/crosswalk/internal/manage/webhooks"
)

func desired(tables ...Table) Desired {
	return Desired{Target: webhooks.Target{Service: service(), Port: 443}, Tables: tables, KeepConversion: true, Configuration: true}
}

// The whole of what is written, in the order in which it is written.
func TestPlan(t *testing.T) {
	cluster := crd(stars, asking, "v1")
	cluster.Spec.Scope = apiextensionsv1.ClusterScoped
	d := desired(TableOf(crd(crontabs, asking, "v1beta1", "v1")), TableOf(cluster))
	d.Bundle, d.Annotations = []byte("bundle"), map[string]string{reach.InjectCAFrom: "crosswalk-system/crosswalk-serving"}
	c := Plan(d)
	rehearsal.WantObjects(t, "testdata/plan.yaml", c.Mutating, c.Validating)
}

// The same tables in another order are the same plan.
func TestPlanHasAnOrder(t *testing.T) {
	a, b := TableOf(crd(crontabs, asking, "v1beta1", "v1")), TableOf(crd(stars, asking, "v1"))
	turned := a
	turned.Versions = []string{"v1", "v1beta1"}
	one, other := Plan(desired(a, b)), Plan(desired(b, turned))
	for i, side := range one.Sides() {
		if !side.Holds(other.Sides()[i]) {
			t.Errorf("%s differs", side.Object.GetName())
		}
	}
}

func TestPlanOfNothing(t *testing.T) {
	d := desired()
	d.KeepConversion, d.Configuration = false, false
	for _, side := range Plan(d).Sides() {
		if len(side.Webhooks) != 2 || side.Rules() != 0 {
			t.Errorf("%s has %d webhooks with %d rules", side.Object.GetName(), len(side.Webhooks), side.Rules())
		}
	}
}

// The guard comes before others, whatever they are called.
func TestNameSortsFirst(t *testing.T) {
	for _, other := range []string{"a", "istio-sidecar-injector", "00-first", "1-policy", "0-policy", "0.policy"} {
		if MutatingName >= other {
			t.Errorf("%s comes before %s", other, MutatingName)
		}
	}
}

// Which requests the API server's own matcher takes for ours.
func TestRules(t *testing.T) {
	cluster := crd(stars, asking, "v1")
	cluster.Spec.Scope = apiextensionsv1.ClusterScoped
	c := Plan(desired(TableOf(crd(crontabs, asking, "v1beta1", "v1")), TableOf(cluster)))
	for name, test := range map[string]struct {
		resource    schema.GroupVersionResource
		subresource string
		namespace   string
		operation   admission.Operation
		want        string
	}{
		"create":           {gvr("stable.example.com/v1/crontabs"), "", "default", admission.Create, "guard strict"},
		"another version":  {gvr("stable.example.com/v1beta1/crontabs"), "", "default", admission.Update, "guard strict"},
		"status":           {gvr("stable.example.com/v1/crontabs"), "status", "default", admission.Update, "strict"},
		"scale":            {gvr("stable.example.com/v1/crontabs"), "scale", "default", admission.Update, ""},
		"delete":           {gvr("stable.example.com/v1/crontabs"), "", "default", admission.Delete, ""},
		"unknown version":  {gvr("stable.example.com/v2/crontabs"), "", "default", admission.Create, ""},
		"another group":    {gvr("example.com/v1/crontabs"), "", "default", admission.Create, ""},
		"cluster-scoped":   {gvr("example.com/v1/stars"), "", "", admission.Create, "guard strict"},
		"a CRD":            {gvr("apiextensions.k8s.io/v1/customresourcedefinitions"), "", "", admission.Update, "conversion"},
		"a new CRD":        {gvr("apiextensions.k8s.io/v1/customresourcedefinitions"), "", "", admission.Create, ""},
		"a CRD's status":   {gvr("apiextensions.k8s.io/v1/customresourcedefinitions"), "status", "", admission.Update, ""},
		"a table":          {gvr("crosswalk.dev/v1alpha1/crosswalks"), "", "", admission.Create, "configuration"},
		"a table changed":  {gvr("crosswalk.dev/v1alpha1/crosswalks"), "", "", admission.Update, "configuration"},
		"a policy":         {gvr("crosswalk.dev/v1alpha1/validationpolicies"), "", "", admission.Create, "configuration"},
		"another policy":   {gvr("crosswalk.dev/v1alpha1/mutationpolicies"), "", "", admission.Update, "configuration"},
		"a policy's state": {gvr("crosswalk.dev/v1alpha1/mutationpolicies"), "status", "", admission.Update, ""},
		"a table's state":  {gvr("crosswalk.dev/v1alpha1/crosswalks"), "status", "", admission.Update, ""},
	} {
		t.Run(name, func(t *testing.T) {
			attributes := admission.NewAttributesRecord(nil, nil, schema.GroupVersionKind{}, test.namespace, "it", test.resource, test.subresource, test.operation, nil, false, nil)
			var got []string
			for _, side := range c.Sides() {
				for _, w := range side.Webhooks {
					for _, rule := range w.Rules {
						if (&rules.Matcher{Rule: rule, Attr: attributes}).Matches() {
							name, _, _ := strings.Cut(w.Name, ".")
							got = append(got, name)
						}
					}
				}
			}
			if strings.Join(got, " ") != test.want {
				t.Errorf("asks %v, want %s", got, test.want)
			}
		})
	}
}

// gvr reads GROUP/VERSION/RESOURCE.
func gvr(text string) schema.GroupVersionResource {
	parts := strings.Split(text, "/")
	return schema.GroupVersionResource{Group: parts[0], Version: parts[1], Resource: parts[2]}
}

// Which writes of a CRD the API server's own matcher takes for ours.
func TestDropsConversion(t *testing.T) {
	c := Plan(desired())
	keep := c.Mutating.Webhooks[1]
	compiler := cel.NewConditionCompiler(environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion()))
	matcher := admissionwebhook.NewMutatingWebhookAccessor(keep.Name, c.Mutating.Name, &keep).GetCompiledMatcher(compiler)
	with := func(change func(*apiextensionsv1.CustomResourceConversion)) *apiextensionsv1.CustomResourceDefinition {
		o := crd(crontabs, asking, "v1")
		change(o.Spec.Conversion)
		return o
	}
	armed := crd(crontabs, asking, "v1")
	disarmed := crd(crontabs, none, "v1")
	without := crd(crontabs, none, "v1")
	without.Spec.Conversion = nil
	another := func(c *apiextensionsv1.CustomResourceConversion) { c.Webhook.ClientConfig.Service.Name = "another" }
	elsewhere := func(c *apiextensionsv1.CustomResourceConversion) {
		c.Webhook.ClientConfig.Service, c.Webhook.ClientConfig.URL = nil, new("https://example.com")
	}
	for name, test := range map[string]struct {
		old, now *apiextensionsv1.CustomResourceDefinition
		want     bool
	}{
		"dropped":                  {armed, without, true},
		"set to None":              {armed, disarmed, true},
		"kept":                     {armed, armed, false},
		"another table":            {armed, with(func(c *apiextensionsv1.CustomResourceConversion) { c.Webhook.ClientConfig.Service.Path = nil }), false},
		"taken over":               {armed, with(elsewhere), false},
		"never armed":              {disarmed, disarmed, false},
		"never armed, nil":         {without, without, false},
		"armed":                    {without, armed, false},
		"another's dropped":        {with(another), disarmed, false},
		"another URL's dropped":    {with(elsewhere), disarmed, false},
		"a webhook without client": {with(func(c *apiextensionsv1.CustomResourceConversion) { c.Webhook.ClientConfig = nil }), disarmed, false},
	} {
		t.Run(name, func(t *testing.T) {
			kind := apiextensionsv1.SchemeGroupVersion.WithKind("CustomResourceDefinition")
			attributes := admission.NewAttributesRecord(test.now, test.old, kind, "", crontabs,
				gvr("apiextensions.k8s.io/v1/customresourcedefinitions"), "", admission.Update, nil, false, nil)
			result := matcher.Match(t.Context(), &admission.VersionedAttributes{
				Attributes: attributes, VersionedOldObject: test.old, VersionedObject: test.now, VersionedKind: kind,
			}, nil, nil)
			if result.Error != nil || result.Matches != test.want {
				t.Errorf("got %+v, want %v", result, test.want)
			}
		})
	}
}
