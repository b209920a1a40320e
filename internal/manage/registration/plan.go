package registration

import (
	"cmp"
	"slices"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/internal/manage/webhooks"
)

// Names of the configurations.
const (
	// MutatingName puts the guard before all other mutating webhooks, so that they see the
	// valid stash: the API server calls configurations in the order of their names
	// (k8s.io/apiserver/pkg/admission/configuration).
	MutatingName = "0-crosswalk"
	// ValidatingName needs no position: validating webhooks are called in parallel, after all
	// mutating ones.
	ValidatingName = "crosswalk"
)

// Names returns the names of both.
func Names() webhooks.Names {
	return webhooks.Names{Mutating: MutatingName, Validating: ValidatingName}
}

// Names of the webhooks.
const (
	GuardWebhook          = "guard." + v1alpha1.GroupName
	KeepConversionWebhook = "conversion." + v1alpha1.GroupName
	StrictWebhook         = "strict." + v1alpha1.GroupName
	ConfigurationWebhook  = "configuration." + v1alpha1.GroupName
)

// Paths of serve's routes.
const (
	GuardPath          = "/mutate/guard"
	KeepConversionPath = "/mutate/conversion"
	StrictPath         = "/validate/strict"
	ConfigurationPath  = "/validate/configuration"
)

// optionalTimeout is shorter than the others, because a write that passes without an answer
// should not wait long for it.
const optionalTimeout = 5

// Table is a resource whose writes are reviewed.
type Table struct {
	Group, Kind string
	// Resource is the plural.
	Resource string
	// Versions are all versions of the CRD. A version that is not served costs nothing, and is
	// guarded as soon as it is served.
	Versions []string
	// Owners are the versions whose stashes an object may hold. They are also all versions of
	// the CRD.
	Owners []string
	Scope  admissionregistrationv1.ScopeType
}

// TableOf returns the resource of a CRD.
func TableOf(crd *apiextensionsv1.CustomResourceDefinition) Table {
	t := Table{
		Group: crd.Spec.Group, Kind: crd.Spec.Names.Kind, Resource: crd.Spec.Names.Plural,
		Scope: admissionregistrationv1.ScopeType(crd.Spec.Scope),
	}
	for _, version := range crd.Spec.Versions {
		t.Versions = append(t.Versions, version.Name)
	}
	t.Owners = slices.Clone(t.Versions)
	return t
}

// Desired is the input of Plan.
type Desired struct {
	webhooks.Target
	// Tables are the guarded resources, in any order.
	Tables []Table
	// KeepConversion registers the webhook that keeps spec.conversion of armed CRDs.
	// Configuration registers the webhook that validates Crosswalk's own kinds.
	KeepConversion, Configuration bool
}

// Plan returns the intended configurations: complete, with every default as the API server
// would set it, so that they can be compared. A webhook that is not needed has no rules.
func Plan(d Desired) webhooks.Pair {
	p := d.Pair(Names())
	p.Mutating.Webhooks = []admissionregistrationv1.MutatingWebhook{d.guard(), d.keepConversion()}
	p.Validating.Webhooks = []admissionregistrationv1.ValidatingWebhook{d.strict(), d.configuration()}
	return p
}

// guard replaces the stashes of a written object by those of the stored object. Its
// failurePolicy is Fail: a write that passes without it permanently loses what the writer's
// version can't represent, and a rejected write can be repeated. Without a stash there is
// nothing to guard, so such objects can be written while serve is down. It is called again if a
// later webhook has changed the object, because that may have dropped the stash.
func (d Desired) guard() admissionregistrationv1.MutatingWebhook {
	return admissionregistrationv1.MutatingWebhook{
		Name:                    GuardWebhook,
		ClientConfig:            d.Client(GuardPath),
		Rules:                   d.tableRules(""),
		FailurePolicy:           new(admissionregistrationv1.Fail),
		MatchPolicy:             new(admissionregistrationv1.Exact),
		NamespaceSelector:       d.otherNamespaces(),
		ObjectSelector:          new(metav1.LabelSelector),
		SideEffects:             new(admissionregistrationv1.SideEffectClassNone),
		TimeoutSeconds:          new(int32(webhooks.WriteTimeout)),
		AdmissionReviewVersions: webhooks.ReviewVersions(),
		ReinvocationPolicy:      new(admissionregistrationv1.IfNeededReinvocationPolicy),
		MatchConditions:         d.stashes(),
	}
}

// strict denies what another version can't represent. Its failurePolicy is Ignore: what passes
// while serve is down is kept in a stash, and nothing is lost. Rejecting all writes would be
// worse.
func (d Desired) strict() admissionregistrationv1.ValidatingWebhook {
	return admissionregistrationv1.ValidatingWebhook{
		Name:                    StrictWebhook,
		ClientConfig:            d.Client(StrictPath),
		Rules:                   d.tableRules("", "/status"),
		FailurePolicy:           new(admissionregistrationv1.Ignore),
		MatchPolicy:             new(admissionregistrationv1.Exact),
		NamespaceSelector:       d.otherNamespaces(),
		ObjectSelector:          new(metav1.LabelSelector),
		SideEffects:             new(admissionregistrationv1.SideEffectClassNone),
		TimeoutSeconds:          new(int32(webhooks.WriteTimeout)),
		AdmissionReviewVersions: webhooks.ReviewVersions(),
	}
}

// keepConversion keeps spec.conversion of an armed CRD if an installer would remove it. Because
// of its match conditions, the API server calls it for no other write of a CRD. Its
// failurePolicy is Ignore: while serve is down, CRDs can be written, and crosswalk manage
// restores the conversion afterwards.
func (d Desired) keepConversion() admissionregistrationv1.MutatingWebhook {
	rules := []admissionregistrationv1.RuleWithOperations{}
	if d.KeepConversion {
		rules = append(rules, rule(apiextensionsv1.GroupName, []string{apiextensionsv1.SchemeGroupVersion.Version},
			[]string{"customresourcedefinitions"}, admissionregistrationv1.ClusterScope, admissionregistrationv1.Update))
	}
	return admissionregistrationv1.MutatingWebhook{
		Name:                    KeepConversionWebhook,
		ClientConfig:            d.Client(KeepConversionPath),
		Rules:                   rules,
		FailurePolicy:           new(admissionregistrationv1.Ignore),
		MatchPolicy:             new(admissionregistrationv1.Equivalent),
		NamespaceSelector:       new(metav1.LabelSelector),
		ObjectSelector:          new(metav1.LabelSelector),
		SideEffects:             new(admissionregistrationv1.SideEffectClassNone),
		TimeoutSeconds:          new(int32(optionalTimeout)),
		AdmissionReviewVersions: webhooks.ReviewVersions(),
		ReinvocationPolicy:      new(admissionregistrationv1.IfNeededReinvocationPolicy),
		MatchConditions:         d.dropsConversion(),
	}
}

// configuration validates tables and policies when they are written. Its failurePolicy is
// Ignore: a table or policy that does not compile is neither armed nor registered, its status
// has the same errors, and it must be possible to fix it while serve is down.
func (d Desired) configuration() admissionregistrationv1.ValidatingWebhook {
	rules := []admissionregistrationv1.RuleWithOperations{}
	if d.Configuration {
		rules = append(rules, rule(v1alpha1.GroupName, []string{v1alpha1.Version}, []string{"crosswalks", "mutationpolicies", "validationpolicies"},
			admissionregistrationv1.ClusterScope, admissionregistrationv1.Create, admissionregistrationv1.Update))
	}
	return admissionregistrationv1.ValidatingWebhook{
		Name:                    ConfigurationWebhook,
		ClientConfig:            d.Client(ConfigurationPath),
		Rules:                   rules,
		FailurePolicy:           new(admissionregistrationv1.Ignore),
		MatchPolicy:             new(admissionregistrationv1.Exact),
		NamespaceSelector:       new(metav1.LabelSelector),
		ObjectSelector:          new(metav1.LabelSelector),
		SideEffects:             new(admissionregistrationv1.SideEffectClassNone),
		TimeoutSeconds:          new(int32(optionalTimeout)),
		AdmissionReviewVersions: webhooks.ReviewVersions(),
	}
}

// otherNamespaces selects all namespaces but Crosswalk's own.
func (d Desired) otherNamespaces() *metav1.LabelSelector {
	return &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{d.OtherNamespaces()}}
}

// tableRules names the versions, and matches them exactly: otherwise the API server would
// convert the object before it calls the webhook, and the stash and the fields would not be
// those of the writer. A suffix is the suffix of a subresource. Nothing is reviewed in /scale,
// which has no annotations. The guard does not need /status either, because there the API
// server keeps the stored annotations.
func (d Desired) tableRules(suffixes ...string) []admissionregistrationv1.RuleWithOperations {
	rules := []admissionregistrationv1.RuleWithOperations{}
	tables := slices.SortedFunc(slices.Values(d.Tables), func(a, b Table) int {
		return cmp.Or(cmp.Compare(a.Group, b.Group), cmp.Compare(a.Resource, b.Resource))
	})
	for _, t := range tables {
		var resources []string
		for _, suffix := range suffixes {
			resources = append(resources, t.Resource+suffix)
		}
		if len(t.Versions) > 0 {
			rules = append(rules, rule(t.Group, slices.Sorted(slices.Values(t.Versions)), resources,
				t.Scope, admissionregistrationv1.Create, admissionregistrationv1.Update))
		}
	}
	return rules
}

func rule(group string, versions, resources []string, scope admissionregistrationv1.ScopeType, operations ...admissionregistrationv1.OperationType) admissionregistrationv1.RuleWithOperations {
	return admissionregistrationv1.RuleWithOperations{
		Operations: operations,
		Rule: admissionregistrationv1.Rule{
			APIGroups: []string{group}, APIVersions: versions, Resources: resources, Scope: new(scope),
		},
	}
}
