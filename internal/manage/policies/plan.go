package policies

import (
	"cmp"
	"slices"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/utils/ptr"

	admissionv1alpha1 "github.com/crosswalk-dev/crosswalk/api/admission/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/internal/manage/webhooks"
)

// Name is the name of both configurations. They are separate from those for tables, so that no
// policy can prevent those from being written.
const Name = "crosswalk-policies"

// Names returns the names of both.
func Names() webhooks.Names { return webhooks.Names{Mutating: Name, Validating: Name} }

// Paths of serve's routes, before the names of policies.
const (
	MutatePath   = "/mutate/policies"
	ValidatePath = "/validate/policies"
)

// paths returns both, by side.
func paths() []string { return []string{MutatePath, ValidatePath} }

// mostNames is how many policies share a webhook: each of them takes time within the same
// timeout, and a path with so many names is still short.
const mostNames = 100

// Desired is the input of Plan.
type Desired struct {
	webhooks.Target
	// Mutations and Validations are the scopes of policies, by name.
	Mutations, Validations map[string]Scope
}

// Plan returns the intended configurations: complete, with every default as the API server
// would set it, so that they can be compared. Webhooks are in the order of the first policy of
// each, because mutating webhooks of a configuration are called in order.
func Plan(d Desired) webhooks.Pair {
	p := d.Pair(Names())
	for _, g := range groups(d.Mutations) {
		p.Mutating.Webhooks = append(p.Mutating.Webhooks, admissionregistrationv1.MutatingWebhook{
			Name:                    g.name,
			ClientConfig:            g.client(d.Target, MutatePath),
			Rules:                   g.scope.Rules,
			FailurePolicy:           &g.scope.FailurePolicy,
			MatchPolicy:             &g.scope.MatchPolicy,
			NamespaceSelector:       g.scope.NamespaceSelector,
			ObjectSelector:          g.scope.ObjectSelector,
			SideEffects:             new(admissionregistrationv1.SideEffectClassNone),
			TimeoutSeconds:          new(int32(webhooks.WriteTimeout)),
			AdmissionReviewVersions: webhooks.ReviewVersions(),
			ReinvocationPolicy:      &g.scope.ReinvocationPolicy,
			MatchConditions:         named(g.scope.MatchConditions, g.scope.Kind, g.policies),
		})
	}
	for _, g := range groups(d.Validations) {
		w := g.validating(d.Target)
		w.Rules, w.ObjectSelector, w.MatchConditions = g.scope.Rules, g.scope.ObjectSelector, named(g.scope.MatchConditions, g.scope.Kind, g.policies)
		p.Validating.Webhooks = append(p.Validating.Webhooks, w)
		if len(g.scope.Scales) > 0 {
			w := g.validating(d.Target)
			w.Name = webhookName(g.scope.Kind, g.policies, aboutScaling)
			w.Rules, w.ObjectSelector, w.MatchConditions = g.scope.Scales, selector(nil), notNever(g.scope.Scales)
			p.Validating.Webhooks = append(p.Validating.Webhooks, w)
		}
	}
	return p
}

// group is a set of policies that share a webhook.
type group struct {
	name     string // of the webhook
	scope    Scope
	policies []string // by name
}

// validating returns a webhook without the fields that select requests.
func (g *group) validating(target webhooks.Target) admissionregistrationv1.ValidatingWebhook {
	return admissionregistrationv1.ValidatingWebhook{
		Name:                    g.name,
		ClientConfig:            g.client(target, ValidatePath),
		FailurePolicy:           &g.scope.FailurePolicy,
		MatchPolicy:             &g.scope.MatchPolicy,
		NamespaceSelector:       g.scope.NamespaceSelector,
		SideEffects:             new(admissionregistrationv1.SideEffectClassNone),
		TimeoutSeconds:          new(int32(webhooks.WriteTimeout)),
		AdmissionReviewVersions: webhooks.ReviewVersions(),
	}
}

// client returns how the API server calls.
func (g *group) client(target webhooks.Target, before string) admissionregistrationv1.WebhookClientConfig {
	path := before + "/" + strings.Join(g.policies, "/")
	if g.scope.ByItself {
		return target.ClientByItself(path)
	}
	return target.Client(path)
}

func groups(scopes map[string]Scope) []*group {
	byHash := map[string]*group{}
	for name, scope := range scopes {
		hash := scope.hash()
		if byHash[hash] == nil {
			byHash[hash] = &group{scope: scope}
		}
		byHash[hash].policies = append(byHash[hash].policies, name)
	}
	var all []*group
	for _, g := range byHash {
		slices.Sort(g.policies)
		for names := range slices.Chunk(g.policies, mostNames) {
			all = append(all, &group{webhookName(g.scope.Kind, names, ""), g.scope, names})
		}
	}
	slices.SortFunc(all, func(a, b *group) int { return cmp.Compare(a.policies[0], b.policies[0]) })
	return all
}

// registered returns the scopes of the policies in a configuration, by name. It is the inverse
// of Plan.
func registered(s webhooks.Side) map[string]Scope {
	scopes, scaling := map[string]Scope{}, map[string][]admissionregistrationv1.RuleWithOperations{}
	for _, w := range s.Ours() {
		var scope Scope
		before := ValidatePath
		switch w := w.Whole.(type) {
		case *admissionregistrationv1.MutatingWebhook:
			before = MutatePath
			scope = Scope{
				Kind: v1alpha1.KindMutationPolicy, FailurePolicy: ptr.Deref(w.FailurePolicy, ""), MatchPolicy: ptr.Deref(w.MatchPolicy, ""), NamespaceSelector: w.NamespaceSelector, ObjectSelector: w.ObjectSelector,
				Rules: w.Rules, MatchConditions: unnamed(w.MatchConditions, v1alpha1.KindMutationPolicy), ReinvocationPolicy: ptr.Deref(w.ReinvocationPolicy, ""),
			}
		case *admissionregistrationv1.ValidatingWebhook:
			scope = Scope{
				Kind: v1alpha1.KindValidationPolicy, FailurePolicy: ptr.Deref(w.FailurePolicy, ""), MatchPolicy: ptr.Deref(w.MatchPolicy, ""), NamespaceSelector: w.NamespaceSelector, ObjectSelector: w.ObjectSelector,
				Rules: w.Rules, MatchConditions: unnamed(w.MatchConditions, v1alpha1.KindValidationPolicy),
			}
		}
		scope.ByItself = isByItself(w.Client)
		for _, name := range namesIn(w.Client, before) {
			if isAboutScaling(w.Name) {
				scaling[name] = w.Rules
			} else {
				scopes[name] = scope
			}
		}
	}
	for name, rules := range scaling {
		scope := scopes[name]
		scope.Scales = rules
		scopes[name] = scope
	}
	return scopes
}

// namesIn returns the names of the policies of a webhook.
func namesIn(client *admissionregistrationv1.WebhookClientConfig, before string) []string {
	if client.Service == nil || client.Service.Path == nil {
		return nil
	}
	names, found := strings.CutPrefix(strings.TrimPrefix(*client.Service.Path, admissionv1alpha1.Path), before+"/")
	if !found {
		return nil
	}
	return strings.Split(names, "/")
}

// isByItself reports whether the API server calls a webhook through itself.
func isByItself(client *admissionregistrationv1.WebhookClientConfig) bool {
	return client.Service != nil && client.Service.Path != nil && strings.HasPrefix(*client.Service.Path, admissionv1alpha1.Path+"/")
}
