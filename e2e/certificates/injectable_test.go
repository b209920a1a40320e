package certificates

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/crosswalk-dev/crosswalk/e2e/internal/stage"
)

// injectAnnotation is cert-manager's request for a bundle.
const injectAnnotation = "cert-manager.io/inject-ca-from"

// injectable is one object of a kind with caBundles.
type injectable struct {
	kind, path string
	// body is everything but apiVersion, kind and metadata. It holds no caBundle.
	apiVersion, name, body string
}

// injectables are one of each kind, none of which ever is called. The APIService
// is the one that adapters of custom metrics ship.
var injectables = []injectable{
	{
		kind: "CustomResourceDefinition", apiVersion: "apiextensions.k8s.io/v1", name: "gadgets.injected.example.com",
		path: "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/",
		body: `"spec": {"group": "injected.example.com", "scope": "Namespaced",
  "names": {"kind": "Gadget", "listKind": "GadgetList", "plural": "gadgets", "singular": "gadget"},
  "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": {"type": "object"}}}],
  "conversion": {"strategy": "Webhook", "webhook": {"conversionReviewVersions": ["v1"],
    "clientConfig": {"service": {"namespace": "nowhere", "name": "nobody"}}}}}`,
	},
	{
		kind: "ValidatingWebhookConfiguration", apiVersion: "admissionregistration.k8s.io/v1", name: "injected",
		path: "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/",
		body: webhooks("one.injected.example.com", "two.injected.example.com"),
	},
	{
		kind: "MutatingWebhookConfiguration", apiVersion: "admissionregistration.k8s.io/v1", name: "injected",
		path: "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations/",
		body: webhooks("one.injected.example.com", "two.injected.example.com"),
	},
	{
		kind: "APIService", apiVersion: "apiregistration.k8s.io/v1", name: "v1beta1.custom.metrics.k8s.io",
		path: "/apis/apiregistration.k8s.io/v1/apiservices/",
		body: `"spec": {"group": "custom.metrics.k8s.io", "version": "v1beta1", "groupPriorityMinimum": 100, "versionPriority": 100,
  "service": {"namespace": "nowhere", "name": "nobody"}}`,
	},
}

// registered are what crosswalk manage keeps itself.
var registered = []injectable{
	{kind: "MutatingWebhookConfiguration", name: "0-crosswalk", path: "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations/"},
	{kind: "ValidatingWebhookConfiguration", name: "crosswalk", path: "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/"},
}

// wantRegistered waits until everything that crosswalk manage has registered
// believes who serves.
func (c cluster) wantRegistered(t *testing.T) {
	t.Helper()
	leaf := c.secret(t, serving).leaf(t)
	stage.Until(t, time.Minute, func(ctx context.Context) error {
		for _, i := range registered {
			got, err := c.injected(ctx, i)
			if err != nil {
				return err
			}
			if len(got.bundles) != 2 {
				return fmt.Errorf("%s has %d webhooks, want 2", i.name, len(got.bundles))
			}
			for n, bundle := range got.bundles {
				if err := trusts(bundle, leaf); err != nil {
					return fmt.Errorf("%s, bundle %d: %w", i.name, n, err)
				}
			}
		}
		return nil
	})
}

func webhooks(names ...string) string {
	var all []string
	for _, name := range names {
		all = append(all, fmt.Sprintf(`{"name": %q, "sideEffects": "None", "admissionReviewVersions": ["v1"],
  "clientConfig": {"service": {"namespace": "nowhere", "name": "nobody"}},
  "rules": [{"apiGroups": ["injected.example.com"], "apiVersions": ["*"], "resources": ["nothing"], "operations": ["CREATE"]}]}`, name))
	}
	return `"webhooks": [` + strings.Join(all, ", ") + `]`
}

// manifest is the object with annotations.
func (i injectable) manifest(t *testing.T, annotations map[string]string) string {
	t.Helper()
	text, err := json.Marshal(annotations)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf(`{"apiVersion": %q, "kind": %q, "metadata": {"name": %q, "annotations": %s}, %s}`,
		i.apiVersion, i.kind, i.name, text, i.body)
}

// injected is what counts of such an object once it is stored.
type injected struct {
	resourceVersion string
	bundles         [][]byte // one for each place that can have one
	managers        []string // of a bundle
}

func (c cluster) injected(ctx context.Context, i injectable) (injected, error) {
	data, err := c.api.Get(ctx, i.path+i.name)
	if err != nil {
		return injected{}, err
	}
	type clientConfig struct{ CABundle []byte }
	var object struct {
		Metadata struct {
			ResourceVersion string
			ManagedFields   []struct {
				Manager  string
				FieldsV1 json.RawMessage
			}
		}
		Spec struct {
			CABundle   []byte // APIService
			Conversion struct {
				Webhook struct{ ClientConfig clientConfig }
			}
		}
		Webhooks []struct{ ClientConfig clientConfig }
	}
	if err := json.Unmarshal(data, &object); err != nil {
		return injected{}, err
	}
	got := injected{resourceVersion: object.Metadata.ResourceVersion}
	switch i.kind {
	case "APIService":
		got.bundles = append(got.bundles, object.Spec.CABundle)
	case "CustomResourceDefinition":
		got.bundles = append(got.bundles, object.Spec.Conversion.Webhook.ClientConfig.CABundle)
	default:
		for _, w := range object.Webhooks {
			got.bundles = append(got.bundles, w.ClientConfig.CABundle)
		}
	}
	for _, m := range object.Metadata.ManagedFields {
		if strings.Contains(string(m.FieldsV1), `"f:caBundle"`) {
			got.managers = append(got.managers, m.Manager)
		}
	}
	return got, nil
}

// wantBundles waits until every bundle of the object is exactly the certificates
// of parts, and returns the object.
func (c cluster) wantBundles(t *testing.T, i injectable, parts ...[]byte) injected {
	t.Helper()
	var got injected
	stage.Until(t, time.Minute, func(ctx context.Context) error {
		var err error
		if got, err = c.injected(ctx, i); err != nil {
			return err
		}
		if len(got.bundles) == 0 {
			return fmt.Errorf("%s %s has no place for a bundle", i.kind, i.name)
		}
		for n, bundle := range got.bundles {
			if err := holds(bundle, parts...); err != nil {
				return fmt.Errorf("%s %s, bundle %d: %w", i.kind, i.name, n, err)
			}
		}
		return nil
	})
	return got
}
