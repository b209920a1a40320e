package webhook_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"

	"github.com/go-logr/logr"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	crwebhook "sigs.k8s.io/controller-runtime/pkg/webhook"
	"sigs.k8s.io/yaml"

	"github.com/crosswalk-dev/crosswalk/conversion/typed"
	"github.com/crosswalk-dev/crosswalk/validation"
	"github.com/crosswalk-dev/crosswalk/webhook"
)

// serveConversions makes Crosswalk convert the kind of a CRD, with the types of the
// manager's scheme. It comes before the webhooks of the kind are set up.
func serveConversions(mgr manager.Manager, crdFile []byte, revision string) error {
	crd := new(apiextensionsv1.CustomResourceDefinition)
	if err := yaml.Unmarshal(crdFile, crd); err != nil {
		return err
	}
	logger := slog.New(logr.ToSlogHandler(mgr.GetLogger()))
	converter, err := typed.New(crd, mgr.GetScheme(), revision, typed.Logger(logger))
	if err != nil {
		return err
	}
	tables := webhook.NewTables(nil)
	if err := tables.Replace([]webhook.Converter{converter}); err != nil {
		return err
	}
	reviewers := webhook.NewReviewers(nil)
	if err := reviewers.Replace(
		map[string]validation.Reviewer{"strict": webhook.StrictWrites(tables)},
		map[string]validation.Reviewer{"guard": webhook.Guard(tables)},
	); err != nil {
		return err
	}
	handler := webhook.NewHandler(webhook.Options{Tables: tables, Reviewers: reviewers, Logger: logger})
	for _, path := range []string{"/convert", "/convert/", "/mutate/guard", "/validate/strict"} {
		mgr.GetWebhookServer().Register(path, handler)
	}
	return nil
}

// +kubebuilder:webhook:path=/mutate/guard,mutating=true,name=guard.crontabs.stable.example.com,groups=stable.example.com,resources=crontabs,versions=v1beta1;v1,verbs=create;update,matchPolicy=Exact,failurePolicy=fail,sideEffects=None,reinvocationPolicy=IfNeeded,admissionReviewVersions=v1
// +kubebuilder:webhook:path=/validate/strict,mutating=false,name=strict.crontabs.stable.example.com,groups=stable.example.com,resources=crontabs;crontabs/status,versions=v1beta1;v1,verbs=create;update,matchPolicy=Exact,failurePolicy=ignore,sideEffects=None,admissionReviewVersions=v1

// A manager as kubebuilder scaffolds it, with types that convert themselves: one
// call, and what the code loses comes back.
func ExampleNewHandler_manager() {
	scheme := runtime.NewScheme()
	for version, object := range map[string]runtime.Object{"v1": &CronTabV1{}, "v1beta1": &CronTabV1beta1{}} {
		scheme.AddKnownTypeWithName(schema.GroupVersionKind{Group: "stable.example.com", Version: version, Kind: "CronTab"}, object)
	}
	mgr, err := manager.New(&rest.Config{Host: "https://127.0.0.1:6443"}, manager.Options{
		Scheme:        scheme,
		Metrics:       server.Options{BindAddress: "0"},
		WebhookServer: crwebhook.NewServer(crwebhook.Options{}),
	})
	if err != nil {
		panic(err)
	}
	// Usually embedded: //go:embed bases/stable.example.com_crontabs.yaml
	crdFile, err := os.ReadFile("../examples/crontab/crd.yaml")
	if err != nil {
		panic(err)
	}

	if err := serveConversions(mgr, crdFile, "v1.4.2"); err != nil {
		panic(err)
	}
	if err := builder.WebhookManagedBy(mgr, &CronTabV1beta1{}).Complete(); err != nil {
		panic(err)
	}

	// mgr.Start would serve it over TLS.
	serving := httptest.NewServer(mgr.GetWebhookServer().WebhookMux())
	defer serving.Close()
	response, err := http.Post(serving.URL+"/convert", "application/json", strings.NewReader(`{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "ConversionReview",
		"request": {"uid": "7", "desiredAPIVersion": "stable.example.com/v1beta1", "objects": [
			{"apiVersion": "stable.example.com/v1", "kind": "CronTab", "metadata": {"name": "a"}, "spec": {"host": "h", "port": "1", "timeZone": "UTC"}}]}}`))
	if err != nil {
		panic(err)
	}
	defer response.Body.Close()
	var review apiextensionsv1.ConversionReview
	if err := json.NewDecoder(response.Body).Decode(&review); err != nil {
		panic(err)
	}
	fmt.Println(string(review.Response.ConvertedObjects[0].Raw))
	// Output:
	// {"apiVersion":"stable.example.com/v1beta1","kind":"CronTab","metadata":{"name":"a","annotations":{"stash.crosswalk.dev/v1":"{\"format\":1,\"table\":\"0176570a0bfedd27.v1.j7CyzAvmyk6Ul7G_\",\"entries\":[{\"at\":[\"spec\",\"timeZone\"],\"value\":\"UTC\"}]}"}},"spec":{"hostPort":"h:1"}}
}
