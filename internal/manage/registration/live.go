package registration

import (
	"context"
	"slices"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/crosswalk-dev/crosswalk/certs/inject"
	"github.com/crosswalk-dev/crosswalk/internal/manage/reach"
)

// webhook is what both kinds of webhook have in common for us.
type webhook struct {
	name   string
	client *admissionregistrationv1.WebhookClientConfig
	rules  []admissionregistrationv1.RuleWithOperations
	// whole is the webhook itself.
	whole any
}

// side is one of the two configurations, wherever it comes from.
type side struct {
	object   client.Object
	webhooks []webhook
}

func mutatingSide(c *admissionregistrationv1.MutatingWebhookConfiguration) side {
	s := side{object: c}
	for i := range c.Webhooks {
		w := &c.Webhooks[i]
		s.webhooks = append(s.webhooks, webhook{w.Name, &w.ClientConfig, w.Rules, w})
	}
	return s
}

func validatingSide(c *admissionregistrationv1.ValidatingWebhookConfiguration) side {
	s := side{object: c}
	for i := range c.Webhooks {
		w := &c.Webhooks[i]
		s.webhooks = append(s.webhooks, webhook{w.Name, &w.ClientConfig, w.Rules, w})
	}
	return s
}

// sides are both, the mutating one first.
func (c Configurations) sides() []side {
	return []side{mutatingSide(c.Mutating), validatingSide(c.Validating)}
}

// read reads both from the API server. One that is not there is empty.
func read(ctx context.Context, live client.Reader) ([]side, error) {
	var c Configurations
	c.Mutating, c.Validating = new(admissionregistrationv1.MutatingWebhookConfiguration), new(admissionregistrationv1.ValidatingWebhookConfiguration)
	if err := live.Get(ctx, client.ObjectKey{Name: MutatingName}, c.Mutating); client.IgnoreNotFound(err) != nil {
		return nil, err
	}
	if err := live.Get(ctx, client.ObjectKey{Name: ValidatingName}, c.Validating); client.IgnoreNotFound(err) != nil {
		return nil, err
	}
	return c.sides(), nil
}

func (s side) webhook(name string) *webhook {
	for i := range s.webhooks {
		if s.webhooks[i].name == name {
			return &s.webhooks[i]
		}
	}
	return nil
}

// asks says whether a webhook has any rule.
func asks(sides []side, name string) bool {
	return slices.ContainsFunc(sides, func(s side) bool {
		w := s.webhook(name)
		return w != nil && len(w.rules) > 0
	})
}

// guarded are the versions of a table of which both the guard and the strict
// webhook are told.
func guarded(sides []side, t Table) []string {
	var versions []string
	for i, name := range []string{GuardWebhook, StrictWebhook} {
		var told []string
		if w := sides[i].webhook(name); w != nil {
			for _, rule := range w.rules {
				if slices.Contains(rule.APIGroups, t.Group) && slices.Contains(rule.Resources, t.Resource) {
					told = append(told, rule.APIVersions...)
				}
			}
		}
		if i == 0 {
			versions = told
			continue
		}
		versions = slices.DeleteFunc(versions, func(v string) bool { return !slices.Contains(told, v) })
	}
	return versions
}

// holds says whether a configuration is as it should be, so that nothing need be
// written. Webhooks that somebody else has added are not ours to judge.
func (s side) holds(should side) bool {
	for name, value := range should.object.GetAnnotations() {
		if s.object.GetAnnotations()[name] != value {
			return false
		}
	}
	for _, want := range should.webhooks {
		is := s.webhook(want.name)
		if is == nil || !sameBundle(is.client.CABundle, want.client.CABundle, s.object.GetAnnotations()[reach.InjectCAFrom] != "") {
			return false
		}
		if !equality.Semantic.DeepEqual(withoutBundle(is.whole), withoutBundle(want.whole)) {
			return false
		}
	}
	return true
}

// sameBundle compares by certificates. cainjector adds to what it finds, and would
// add it again.
func sameBundle(is, should []byte, added bool) bool {
	if len(should) == 0 {
		return len(is) == 0
	}
	a, errA := inject.ParseBundle(is)
	b, errB := inject.ParseBundle(should)
	if errA != nil || errB != nil {
		return errA != nil && errB != nil && string(is) == string(should)
	}
	if added {
		return a.Contains(b)
	}
	return a.Equal(b)
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

// bundle is what a configuration should hold. With cert-manager, what cainjector
// has written stays, as long as anybody could be believed by it.
func (r *reconciler) bundle(s side, secret inject.Bundle) inject.Bundle {
	value := r.annotations()[reach.InjectCAFrom]
	if value == "" || s.object.GetAnnotations()[reach.InjectCAFrom] != value || len(s.webhooks) == 0 {
		return secret
	}
	live, err := inject.ParseBundle(s.webhooks[0].client.CABundle)
	if err != nil || live.CheckTime(r.now()) != nil {
		return secret
	}
	return live
}

// setBundle makes a configuration hold a bundle, or, where it is empty, those that
// the same webhooks hold now.
func (s side) setBundle(bundle inject.Bundle, now side) {
	for _, w := range s.webhooks {
		if !bundle.Empty() {
			w.client.CABundle = bundle.PEM()
		} else if is := now.webhook(w.name); is != nil {
			w.client.CABundle = is.client.CABundle
		}
	}
}
