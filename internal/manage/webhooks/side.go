package webhooks

import (
	"context"
	"slices"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
)

// Webhook has the common fields of both kinds of webhooks.
type Webhook struct {
	Name   string
	Client *admissionregistrationv1.WebhookClientConfig
	Rules  []admissionregistrationv1.RuleWithOperations
	// Whole is the webhook itself, a pointer to either kind.
	Whole any
}

// Side is one of the two configurations, existing or intended.
type Side struct {
	Object   client.Object
	Webhooks []Webhook
}

// Sides returns both, the mutating one first.
func (p Pair) Sides() []Side {
	mutating, validating := Side{Object: p.Mutating}, Side{Object: p.Validating}
	for i := range p.Mutating.Webhooks {
		w := &p.Mutating.Webhooks[i]
		mutating.Webhooks = append(mutating.Webhooks, Webhook{w.Name, &w.ClientConfig, w.Rules, w})
	}
	for i := range p.Validating.Webhooks {
		w := &p.Validating.Webhooks[i]
		validating.Webhooks = append(validating.Webhooks, Webhook{w.Name, &w.ClientConfig, w.Rules, w})
	}
	return []Side{mutating, validating}
}

// Read reads both from the API server. A missing configuration is empty.
func Read(ctx context.Context, live client.Reader, names Names) ([]Side, error) {
	p := Pair{new(admissionregistrationv1.MutatingWebhookConfiguration), new(admissionregistrationv1.ValidatingWebhookConfiguration)}
	if err := live.Get(ctx, client.ObjectKey{Name: names.Mutating}, p.Mutating); client.IgnoreNotFound(err) != nil {
		return nil, err
	}
	if err := live.Get(ctx, client.ObjectKey{Name: names.Validating}, p.Validating); client.IgnoreNotFound(err) != nil {
		return nil, err
	}
	return p.Sides(), nil
}

// Webhook returns the webhook with a name, or nil.
func (s Side) Webhook(name string) *Webhook {
	for i := range s.Webhooks {
		if s.Webhooks[i].Name == name {
			return &s.Webhooks[i]
		}
	}
	return nil
}

// ours reports whether a webhook has a name that only Crosswalk uses. Webhooks that others have
// added to its configurations are left alone.
func ours(w Webhook) bool { return strings.HasSuffix(w.Name, "."+v1alpha1.GroupName) }

// Ours returns the webhooks of Crosswalk.
func (s Side) Ours() []Webhook {
	return slices.DeleteFunc(slices.Clone(s.Webhooks), func(w Webhook) bool { return !ours(w) })
}

// Rules returns the number of rules.
func (s Side) Rules() int {
	n := 0
	for _, w := range s.Webhooks {
		n += len(w.Rules)
	}
	return n
}

// there reports whether the configuration exists.
func (s Side) there() bool { return s.Object.GetResourceVersion() != "" }

// Holds reports whether a configuration is as intended, so that nothing must be written: with
// these webhooks of ours, in this order, and no others.
func (s Side) Holds(should Side) bool {
	for name, value := range should.Object.GetAnnotations() {
		if s.Object.GetAnnotations()[name] != value {
			return false
		}
	}
	return slices.EqualFunc(s.Ours(), should.Webhooks, func(is, want Webhook) bool {
		return is.Name == want.Name && sameBundle(is.Client.CABundle, want.Client.CABundle, s.injected()) &&
			equality.Semantic.DeepEqual(withoutBundle(is.Whole), withoutBundle(want.Whole))
	})
}

func withoutBundle(whole any) any {
	switch w := whole.(type) {
	case *admissionregistrationv1.MutatingWebhook:
		bare := *w
		bare.ClientConfig.CABundle = nil
		return bare
	case *admissionregistrationv1.ValidatingWebhook:
		bare := *w
		bare.ClientConfig.CABundle = nil
		return bare
	}
	return whole
}
