package inject

import (
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/crosswalk-dev/crosswalk/internal/certstest"
)

func at(day int) time.Time { return time.Date(2026, 3, day, 12, 0, 0, 0, time.UTC) }

// newCA makes a CA that is valid from the first of March to the given day.
func newCA(t testing.TB, name string, last int) []byte {
	t.Helper()
	return certstest.Sign(t, nil, x509.Certificate{
		Subject: pkix.Name{CommonName: name}, NotBefore: at(1), NotAfter: at(last), IsCA: true, BasicConstraintsValid: true,
	}).PEM()
}

func parse(t testing.TB, text []byte) Bundle {
	t.Helper()
	b, err := ParseBundle(text)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func join(texts ...[]byte) []byte {
	var all []byte
	for _, text := range texts {
		all = append(all, text...)
	}
	return all
}

func encode(text []byte) string { return base64.StdEncoding.EncodeToString(text) }

// subject is one of the kinds: how its objects look, and what is applied to them.
type subject struct {
	kind  string
	paths []string // of the first and the second place
	// object makes an object with these values of caBundle, which a nil leaves
	// out, and with the other fields beside it. Only the webhook configurations
	// have more than one place.
	object func(beside map[string]any, bundles ...any) map[string]any
	// applied is what is applied below metadata.
	applied func(bundles ...string) map[string]any
	url     bool // takes a URL instead of a Service
}

func subjects() []subject {
	return []subject{
		{
			kind: "CustomResourceDefinition", paths: []string{".spec.conversion.webhook.clientConfig.caBundle"},
			object: func(beside map[string]any, bundles ...any) map[string]any {
				return map[string]any{"apiVersion": "apiextensions.k8s.io/v1", "spec": map[string]any{
					"group": "stable.example.com",
					"conversion": map[string]any{"strategy": "Webhook", "webhook": map[string]any{
						"conversionReviewVersions": []any{"v1"}, "clientConfig": with(beside, bundles[0]),
					}},
				}}
			},
			applied: func(bundles ...string) map[string]any {
				return map[string]any{"apiVersion": "apiextensions.k8s.io/v1", "spec": map[string]any{
					"conversion": map[string]any{"webhook": map[string]any{"clientConfig": map[string]any{"caBundle": bundles[0]}}},
				}}
			},
			url: true,
		},
		webhookConfiguration("ValidatingWebhookConfiguration"),
		webhookConfiguration("MutatingWebhookConfiguration"),
		{
			kind: "APIService", paths: []string{".spec.caBundle"},
			object: func(beside map[string]any, bundles ...any) map[string]any {
				spec := with(beside, bundles[0])
				spec["group"] = "metrics.k8s.io"
				return map[string]any{"apiVersion": "apiregistration.k8s.io/v1", "spec": spec}
			},
			applied: func(bundles ...string) map[string]any {
				return map[string]any{"apiVersion": "apiregistration.k8s.io/v1", "spec": map[string]any{"caBundle": bundles[0]}}
			},
		},
	}
}

func webhookConfiguration(kind string) subject {
	element := func(index int, fields map[string]any) map[string]any {
		return map[string]any{"name": fmt.Sprintf("%d.example.com", index), "clientConfig": fields}
	}
	return subject{
		kind: kind,
		paths: []string{
			".webhooks[name=0.example.com].clientConfig.caBundle", ".webhooks[name=1.example.com].clientConfig.caBundle",
		},
		object: func(beside map[string]any, bundles ...any) map[string]any {
			var webhooks []any
			for i, b := range bundles {
				e := element(i, with(beside, b))
				e["sideEffects"] = "None"
				webhooks = append(webhooks, e)
			}
			return map[string]any{"apiVersion": "admissionregistration.k8s.io/v1", "webhooks": webhooks}
		},
		applied: func(bundles ...string) map[string]any {
			var webhooks []any
			for i, b := range bundles {
				webhooks = append(webhooks, element(i, map[string]any{"caBundle": b}))
			}
			return map[string]any{"apiVersion": "admissionregistration.k8s.io/v1", "webhooks": webhooks}
		},
		url: true,
	}
}

func with(beside map[string]any, bundle any) map[string]any {
	fields := map[string]any{}
	for name, value := range beside {
		fields[name] = value
	}
	if bundle != nil {
		fields["caBundle"] = bundle
	}
	return fields
}

func service() map[string]any {
	return map[string]any{"service": map[string]any{"name": "crosswalk", "namespace": "crosswalk-system"}}
}

// live is an object as the API server gives it.
func (s subject) live(annotations map[string]string, beside map[string]any, bundles ...any) *unstructured.Unstructured {
	object := &unstructured.Unstructured{Object: s.object(beside, bundles...)}
	object.SetKind(s.kind)
	object.SetName("it")
	object.SetUID("27")
	object.SetResourceVersion("5")
	object.SetAnnotations(annotations)
	return object
}

// want is the whole configuration that is applied.
func (s subject) want(bundles ...string) *unstructured.Unstructured {
	object := &unstructured.Unstructured{Object: s.applied(bundles...)}
	object.SetKind(s.kind)
	object.SetName("it")
	object.SetUID("27")
	object.SetResourceVersion("5")
	return object
}

func plan(t *testing.T, object *unstructured.Unstructured, bundle Bundle) Change {
	t.Helper()
	before := text(t, object)
	change, err := Plan(object, bundle)
	if err != nil {
		t.Fatal(err)
	}
	if after := text(t, object); after != before {
		t.Errorf("Plan changed its input\n to %s\nfrom %s", after, before)
	}
	return change
}

// merge does what a server-side apply of the configuration does to the fields
// that it names.
func merge(object, config any) any {
	switch config := config.(type) {
	case map[string]any:
		fields, _ := object.(map[string]any)
		merged := map[string]any{}
		for name, value := range fields {
			merged[name] = value
		}
		for name, value := range config {
			merged[name] = merge(merged[name], value)
		}
		return merged
	case []any:
		elements, _ := object.([]any)
		var merged []any
		for _, e := range elements {
			for _, c := range config {
				if e.(map[string]any)["name"] == c.(map[string]any)["name"] {
					e = merge(e, c)
				}
			}
			merged = append(merged, e)
		}
		return merged
	default:
		return config
	}
}

func text(t *testing.T, value any) string {
	t.Helper()
	if object, is := value.(*unstructured.Unstructured); is && object == nil {
		return "nothing"
	}
	encoded, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(encoded)
}
