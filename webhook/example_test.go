package webhook_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion"
	"github.com/crosswalk-dev/crosswalk/webhook"
)

// The handler in a server of one's own.
func ExampleNewHandler() {
	crd, table := new(apiextensionsv1.CustomResourceDefinition), new(v1alpha1.Crosswalk)
	for name, into := range map[string]any{"crd": crd, "crosswalk": table} {
		text, err := os.ReadFile("../examples/crontab/" + name + ".yaml")
		if err != nil {
			panic(err)
		}
		if err := yaml.UnmarshalStrict(text, into); err != nil {
			panic(err)
		}
	}
	converter, err := conversion.Compile(crd, table)
	if err != nil {
		panic(err)
	}
	tables := webhook.NewTables(nil)
	if err := tables.Replace([]webhook.Converter{converter}); err != nil {
		panic(err)
	}
	server := httptest.NewServer(webhook.NewHandler(webhook.Options{Tables: tables}))
	defer server.Close()

	response, err := http.Post(server.URL+"/convert", "application/json", strings.NewReader(`{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "ConversionReview",
		"request": {"uid": "7", "desiredAPIVersion": "stable.example.com/v1", "objects": [
			{"apiVersion":"stable.example.com/v1beta1","kind":"CronTab","metadata":{"name":"nightly"},"spec":{"hostPort":"localhost:1234"}}
		]}}`))
	if err != nil {
		panic(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		panic(err)
	}
	fmt.Println(string(body))
	// Output:
	// {"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1","response":{"uid":"7","convertedObjects":[{"apiVersion":"stable.example.com/v1","kind":"CronTab","metadata":{"name":"nightly"},"spec":{"host":"localhost","port":"1234"}}],"result":{"status":"Success"}}}
}
