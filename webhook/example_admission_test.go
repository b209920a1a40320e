package webhook_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	crwebhook "sigs.k8s.io/controller-runtime/pkg/webhook"

	"github.com/crosswalk-dev/crosswalk/validation"
	"github.com/crosswalk-dev/crosswalk/validation/typed"
	"github.com/crosswalk-dev/crosswalk/webhook"
)

// configMaps wants an owner's label, and fills in a team's.
type configMaps struct{}

func (configMaps) ValidateCreate(_ context.Context, c *corev1.ConfigMap) (field.ErrorList, []string) {
	if c.Labels["owner"] == "" {
		return field.ErrorList{field.Required(field.NewPath("metadata", "labels").Key("owner"), "say who to ask")}, nil
	}
	return nil, nil
}

func (m configMaps) ValidateUpdate(ctx context.Context, _, c *corev1.ConfigMap) (field.ErrorList, []string) {
	return m.ValidateCreate(ctx, c)
}

func (configMaps) ValidateDelete(context.Context, *corev1.ConfigMap) (field.ErrorList, []string) {
	return nil, nil
}

func (configMaps) Default(_ context.Context, c *corev1.ConfigMap) error {
	if c.Labels == nil {
		c.Labels = map[string]string{}
	}
	if c.Labels["team"] == "" {
		c.Labels["team"] = "platform"
	}
	return nil
}

// Validators and defaulters in Go, in the webhook server of a manager of
// controller-runtime.
func ExampleNewAdmissionHandler_manager() {
	registry := typed.New(scheme.Scheme)
	if err := typed.AddValidator(registry, configMaps{}); err != nil {
		panic(err)
	}
	if err := typed.AddDefaulter(registry, configMaps{}); err != nil {
		panic(err)
	}
	reviewers := webhook.NewReviewers(nil)
	if err := reviewers.Replace(
		map[string]validation.Reviewer{"configmaps": registry.Validators()},
		map[string]validation.Reviewer{"configmaps": registry.Defaulters()},
	); err != nil {
		panic(err)
	}

	// Usually ctrl.GetConfigOrDie(); nothing connects before the manager starts.
	mgr, err := manager.New(&rest.Config{Host: "https://127.0.0.1:6443"}, manager.Options{
		Metrics:       server.Options{BindAddress: "0"},
		WebhookServer: crwebhook.NewServer(crwebhook.Options{}),
	})
	if err != nil {
		panic(err)
	}
	handler := webhook.NewAdmissionHandler(webhook.Options{Reviewers: reviewers})
	mgr.GetWebhookServer().Register("/validate/", handler)
	mgr.GetWebhookServer().Register("/mutate/", handler)

	// mgr.Start would serve it over TLS.
	serving := httptest.NewServer(mgr.GetWebhookServer().WebhookMux())
	defer serving.Close()
	for _, path := range []string{"/mutate/configmaps", "/validate/configmaps"} {
		response, err := http.Post(serving.URL+path, "application/json", strings.NewReader(`{
			"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview",
			"request": {"uid": "7", "operation": "CREATE", "name": "a", "kind": {"group": "", "version": "v1", "kind": "ConfigMap"},
				"object": {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a", "labels": {}}}}}`))
		if err != nil {
			panic(err)
		}
		body, err := io.ReadAll(response.Body)
		if err != nil {
			panic(err)
		}
		_ = response.Body.Close()
		fmt.Println(string(body))
	}
	// Output:
	// {"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","response":{"uid":"7","allowed":true,"patch":"W3sib3AiOiJhZGQiLCJwYXRoIjoiL21ldGFkYXRhL2xhYmVscy90ZWFtIiwidmFsdWUiOiJwbGF0Zm9ybSJ9XQ==","patchType":"JSONPatch"}}
	// {"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","response":{"uid":"7","allowed":false,"status":{"metadata":{},"status":"Failure","message":"ConfigMap \"a\" is invalid: metadata.labels[owner]: Required value: say who to ask","reason":"Invalid","details":{"name":"a","kind":"ConfigMap","causes":[{"reason":"FieldValueRequired","message":"Required value: say who to ask","field":"metadata.labels[owner]"}]},"code":422}}}
}
