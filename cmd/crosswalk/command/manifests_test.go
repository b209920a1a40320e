package command

import (
	"bytes"
	"encoding/base64"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"

	"github.com/crosswalk-dev/crosswalk/certs"
)

// rendered is what manifests printed.
type rendered struct {
	crd        apiextensionsv1.CustomResourceDefinition
	mutating   admissionregistrationv1.MutatingWebhookConfiguration
	validating admissionregistrationv1.ValidatingWebhookConfiguration
	// mutations and validations are what policies need.
	mutations   admissionregistrationv1.MutatingWebhookConfiguration
	validations admissionregistrationv1.ValidatingWebhookConfiguration
}

func manifests(t *testing.T, args ...string) rendered {
	t.Helper()
	got := crosswalk(t, "", append([]string{"manifests"}, args...)...)
	if got.code != exitOK || got.stderr != "" {
		t.Fatalf("exit code %d: %s", got.code, got.stderr)
	}
	var r rendered
	for document := range strings.SplitSeq(strings.TrimPrefix(got.stdout, "---\n"), "---\n") {
		var into any = &r.crd
		policies := strings.Contains(document, "name: crosswalk-policies-files")
		switch {
		case policies && strings.Contains(document, "kind: MutatingWebhookConfiguration"):
			into = &r.mutations
		case policies:
			into = &r.validations
		case strings.Contains(document, "kind: MutatingWebhookConfiguration"):
			into = &r.mutating
		case strings.Contains(document, "kind: ValidatingWebhookConfiguration"):
			into = &r.validating
		}
		if err := yaml.UnmarshalStrict([]byte(document), into); err != nil {
			t.Fatalf("%v\n%s", err, document)
		}
	}
	return r
}

const exampleTables = "../../../examples/crontab"

// What GitOps applies asks the same Service as what manage writes, and only that
// guards writes which serve can judge from files.
func TestManifests(t *testing.T) {
	r := manifests(t, "--config", exampleTables, "--namespace", "there", "--service", "it", "--service-port", "8443")
	if r.crd.Name != "crontabs.stable.example.com" || r.crd.Annotations["crosswalk.dev/inject-ca"] != "true" {
		t.Errorf("got %+v", r.crd.ObjectMeta)
	}
	conversion := r.crd.Spec.Conversion
	if conversion.Strategy != "Webhook" || *conversion.Webhook.ClientConfig.Service.Path != "/convert/25323b8d69381045" || conversion.Webhook.ClientConfig.CABundle != nil {
		t.Errorf("got %+v", conversion)
	}
	if r.mutating.Name != "0-crosswalk-files" || len(r.mutating.Webhooks) != 1 || r.mutating.Webhooks[0].Name != "guard.crosswalk.dev" {
		t.Errorf("got %+v", r.mutating)
	}
	if r.validating.Name != "crosswalk-files" || len(r.validating.Webhooks) != 1 || r.validating.Webhooks[0].Name != "strict.crosswalk.dev" {
		t.Errorf("got %+v", r.validating)
	}
	for _, service := range []admissionregistrationv1.ServiceReference{*r.mutating.Webhooks[0].ClientConfig.Service, *r.validating.Webhooks[0].ClientConfig.Service} {
		if service.Namespace != "there" || service.Name != "it" || *service.Port != 8443 {
			t.Errorf("got %+v", service)
		}
	}
}

func TestManifestsBundles(t *testing.T) {
	a, err := certs.NewAuthority(certs.AuthorityOptions{Dir: t.TempDir(), Names: []string{"localhost"}})
	if err != nil {
		t.Fatal(err)
	}
	pair, err := a.Current()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "ca.crt")
	if err := os.WriteFile(file, append([]byte("# ours\n"), pair.CABundle...), 0o600); err != nil {
		t.Fatal(err)
	}
	r := manifests(t, "--config", exampleTables, "--ca-file", file)
	for _, got := range [][]byte{r.crd.Spec.Conversion.Webhook.ClientConfig.CABundle, r.mutating.Webhooks[0].ClientConfig.CABundle, r.validating.Webhooks[0].ClientConfig.CABundle} {
		if !bytes.Equal(got, pair.CABundle) {
			t.Errorf("the bundle is %s", base64.StdEncoding.EncodeToString(got))
		}
	}
	if len(r.crd.Annotations)+len(r.mutating.Annotations) > 0 {
		t.Errorf("somebody else keeps the bundles, too: %v", r.crd.Annotations)
	}

	r = manifests(t, "--config", exampleTables, "--cert-manager-certificate", "serving")
	for _, annotations := range []map[string]string{r.crd.Annotations, r.mutating.Annotations, r.validating.Annotations} {
		if annotations["cert-manager.io/inject-ca-from"] != "crosswalk-system/serving" {
			t.Errorf("got %v", annotations)
		}
	}
}

// A table that opts out of admission is converted and nothing else.
func TestManifestsWithoutAdmission(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"crd.yaml", "crosswalk.yaml"} {
		text, err := os.ReadFile(filepath.Join(exampleTables, name))
		if err != nil {
			t.Fatal(err)
		}
		text = bytes.Replace(text, []byte("  hub: v1\n"), []byte("  hub: v1\n  admission: None\n"), 1)
		if err := os.WriteFile(filepath.Join(folder, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if r := manifests(t, "--config", folder); r.crd.Spec.Conversion == nil || r.mutating.Name+r.validating.Name != "" {
		t.Errorf("got %+v", r)
	}
}

const filePolicies = `
apiVersion: crosswalk.dev/v1alpha1
kind: ValidationPolicy
metadata: {name: ours}
spec:
  matchConstraints: {resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]}
  matchConditions: [{name: a, expression: object.metadata.name != 'a'}]
  validations: [{expression: 'true'}]
---
apiVersion: crosswalk.dev/v1alpha1
kind: MutationPolicy
metadata: {name: ours}
spec:
  matchConstraints: {resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]}
  mutations: [{patchType: ApplyConfiguration, applyConfiguration: {expression: 'Object{}'}}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: theirs}
spec:
  failurePolicy: Ignore
  matchConstraints: {resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]}
  matchConditions: [{name: a, expression: "variables.a"}]
  variables: [{name: a, expression: 'true'}]
  validations: [{expression: 'true'}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: theirs}
spec: {policyName: theirs, validationActions: [Deny]}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: unbound}
spec:
  matchConstraints: {resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]}
  validations: [{expression: 'true'}]
`

// Policies in files are asked for by what serve reads from the same files.
func TestManifestsOfPolicies(t *testing.T) {
	file := filepath.Join(t.TempDir(), "policies.yaml")
	if err := os.WriteFile(file, []byte(filePolicies), 0o600); err != nil {
		t.Fatal(err)
	}
	r := manifests(t, "--config", file)
	if r.mutating.Name+r.validating.Name != "" || r.validations.Annotations["crosswalk.dev/inject-ca"] != "true" {
		t.Errorf("got %+v", r)
	}
	var got []string
	for _, w := range r.mutations.Webhooks {
		got = append(got, *w.ClientConfig.Service.Path+" "+string(*w.FailurePolicy)+" "+string(*w.ReinvocationPolicy))
	}
	for _, w := range r.validations.Webhooks {
		path := *w.ClientConfig.Service.Path + " " + string(*w.FailurePolicy)
		for _, c := range w.MatchConditions {
			path += " " + c.Expression
		}
		got = append(got, path)
	}
	want := []string{"/mutate/policies/ours Fail Never", "/validate/policies/ours Fail object.metadata.name != 'a' // validationpolicy \"ours\"", "/validate/policies/theirs Ignore"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}

	hub := strings.Replace(filePolicies[:strings.Index(filePolicies, "---")], "[pods]", "['*']", 1) + "  hub: true\n"
	if err := os.WriteFile(file, []byte(hub), 0o600); err != nil {
		t.Fatal(err)
	}
	crosswalk(t, "", "manifests", "--config", file).expect(t, result{code: exitUsage, stderr: "crosswalk: ValidationPolicy ours: it is written for the hub version, and * has none: " +
		"name the groups and resources in spec.matchConstraints.resourceRules\nSee 'crosswalk manifests --help'.\n"})
}

// The example's policies are about whatever version is written.
func TestManifestsOfTheExample(t *testing.T) {
	r := manifests(t, "--config", exampleTables)
	if len(r.mutations.Webhooks) != 1 || len(r.validations.Webhooks) == 0 {
		t.Fatalf("got %+v", r)
	}
	if rule := r.mutations.Webhooks[0].Rules[0]; !slices.Equal(rule.APIVersions, []string{"*"}) || !slices.Equal(rule.Resources, []string{"crontabs"}) {
		t.Errorf("got %+v", rule)
	}
}

func TestManifestsUsage(t *testing.T) {
	const example = "manifests --config " + exampleTables + " "
	tests := []struct{ args, want string }{
		{"manifests", "--config is missing: name the files or folders with the CRDs, tables and policies"},
		{"manifests --config=", "--config is empty: name the files or folders with the CRDs, tables and policies"},
		{"manifests --config nowhere", "nowhere: no such file or directory"},
		{example + "now", `unexpected argument "now": tables, policies and CRDs are given with --config`},
		{example + "--namespace=", "--namespace is empty"},
		{example + "--service=", "--service is empty"},
		{example + "--service-port 0", "--service-port 0: want 1 to 65535"},
		{example + "--ca-file nowhere", "--ca-file: open nowhere: no such file or directory"},
		{example + "--ca-file manifests.go", "--ca-file manifests.go: there is no PEM certificate"},
		{example + "--ca-file a --cert-manager-certificate b", "--ca-file and --cert-manager-certificate exclude each other: both write the caBundles"},
	}
	for _, test := range tests {
		t.Run(test.args, func(t *testing.T) {
			crosswalk(t, "", strings.Fields(test.args)...).expect(t, result{code: exitUsage,
				stderr: "crosswalk: " + test.want + "\nSee 'crosswalk manifests --help'.\n"})
		})
	}
}
