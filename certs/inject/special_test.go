package inject

import (
	"os"
	"path/filepath"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"
)

// What is special about one kind.

func TestNothingToInject(t *testing.T) {
	ours := newCA(t, "ours", 30)
	for _, test := range []struct{ name, object, want string }{
		{"no conversion", `{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, spec: {}}`,
			"spec.conversion.strategy is not Webhook, so there is no caBundle; set it, or remove the annotation"},
		{"strategy None", `{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, spec: {conversion: {strategy: None}}}`,
			"spec.conversion.strategy is not Webhook, so there is no caBundle; set it, or remove the annotation"},
		{"no webhooks", `{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingWebhookConfiguration}`,
			"its list of webhooks is empty; add one, or remove the annotation"},
		{"local", `{apiVersion: apiregistration.k8s.io/v1, kind: APIService, spec: {group: apps, version: v1}}`,
			"it has no spec.service, so the API server serves it itself and there is no caBundle; remove the annotation"},
		{"local, with null", `{apiVersion: apiregistration.k8s.io/v1, kind: APIService, spec: {service: null}}`,
			"it has no spec.service, so the API server serves it itself and there is no caBundle; remove the annotation"},
	} {
		t.Run(test.name, func(t *testing.T) {
			object := read(t, test.object)
			change := plan(t, object, parse(t, ours))
			if change.Apply != nil || reason(change) != ReasonNoPlace || change.Problem.Message != test.want {
				t.Errorf("%s, %+v", text(t, change.Apply), change.Problem)
			}
			if lacking, err := Lacking(object, parse(t, ours)); err != nil || lacking != nil {
				t.Errorf("lacking %v, %v", lacking, err)
			}
		})
	}
}

func TestMalformedObjects(t *testing.T) {
	ours := newCA(t, "ours", 30)
	for _, test := range []struct{ object, want string }{
		{`{apiVersion: v1, kind: Secret, metadata: {name: it}}`, "Secret it: objects of this kind have no caBundle"},
		{`{apiVersion: example.com/v1, kind: APIService, metadata: {name: it}}`, "APIService it: objects of this kind have no caBundle"},
		{`{apiVersion: admissionregistration.k8s.io/v1, kind: MutatingWebhookConfiguration, metadata: {name: it}, webhooks: 3}`,
			"MutatingWebhookConfiguration it: .webhooks is not a list"},
		{`{apiVersion: admissionregistration.k8s.io/v1, kind: MutatingWebhookConfiguration, metadata: {name: it}, webhooks: [{clientConfig: {}}]}`,
			"MutatingWebhookConfiguration it: .webhooks[0] has no name"},
		{`{apiVersion: admissionregistration.k8s.io/v1, kind: MutatingWebhookConfiguration, metadata: {name: it}, webhooks: [{name: a}]}`,
			"MutatingWebhookConfiguration it: .webhooks[name=a].clientConfig is not an object"},
		{`{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: it}, spec: {conversion: {strategy: Webhook, webhook: {}}}}`,
			"CustomResourceDefinition it: .spec.conversion.webhook.clientConfig is not an object"},
	} {
		change, err := Plan(read(t, test.object), parse(t, ours))
		if err == nil || err.Error() != test.want || change.Apply != nil {
			t.Errorf("%v, want %s", err, test.want)
		}
	}
}

// The three APIServices that must be carried. The bundle and verification go
// together: the API server refuses the one without the other.
func TestAPIServices(t *testing.T) {
	ours, old := newCA(t, "ours", 30), newCA(t, "old", 30)
	for _, test := range []struct {
		name     string
		found    any
		verifies bool
		want     string
	}{
		{"v1beta1.metrics.k8s.io", nil, true, `{caBundle: BUNDLE, insecureSkipTLSVerify: false}`},
		{"v1beta1.custom.metrics.k8s.io", encode(old), false, `{caBundle: BUNDLE}`},
		{"v2beta1.auth.ilinux.io", nil, false, `{caBundle: BUNDLE}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			manifest, err := os.ReadFile(filepath.Join("testdata", "apiservices", test.name+".yaml"))
			if err != nil {
				t.Fatal(err)
			}
			object := read(t, string(manifest))
			if object.GetName() != test.name {
				t.Errorf("the file holds %s", object.GetName())
			}
			if test.found != nil {
				object.Object["spec"].(map[string]any)["caBundle"] = test.found
			}
			change := plan(t, object, parse(t, ours))
			want := read(t, `{apiVersion: apiregistration.k8s.io/v1, kind: APIService, spec: `+test.want+`}`)
			want.SetName(test.name)
			want.Object["spec"].(map[string]any)["caBundle"] = encode(ours)
			if got, want := text(t, change.Apply), text(t, want); got != want {
				t.Errorf("applied\n got %s\nwant %s", got, want)
			}
			if change.Verifies != test.verifies {
				t.Errorf("turns verification on: %t", change.Verifies)
			}
			checkSettled(t, object, change, parse(t, ours))
		})
	}
}

func read(t *testing.T, manifest string) *unstructured.Unstructured {
	t.Helper()
	object := &unstructured.Unstructured{}
	if err := yaml.Unmarshal([]byte(manifest), &object.Object); err != nil {
		t.Fatal(err)
	}
	return object
}
