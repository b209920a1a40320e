package arming

import (
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/events"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/certs/inject"
	"github.com/crosswalk-dev/crosswalk/internal/manage/rehearsal"
)

// The API server's bookkeeping of owners is tested in e2e/chaos.
func TestMeddling(t *testing.T) {
	const own = `"f:strategy":{},"f:webhook":{"f:conversionReviewVersions":{},"f:clientConfig":{"f:caBundle":{},"f:service":{"f:namespace":{},"f:name":{},"f:path":{}%s}}}`
	manager := func(name, fields string) metav1.ManagedFieldsEntry {
		return metav1.ManagedFieldsEntry{Manager: name, FieldsV1: metav1.NewFieldsV1(`{"f:spec":{"f:conversion":{` + fields + `}}}`)}
	}
	whole := manager(FieldManager, strings.Replace(own, "%s", `,"f:port":{}`, 1))
	withoutPort := manager(FieldManager, strings.Replace(own, "%s", "", 1))
	const port = `"f:webhook":{"f:clientConfig":{"f:service":{"f:port":{}}}}`
	other, _ := rehearsal.Authority(t).Current()
	type crd = *apiextensionsv1.CustomResourceDefinition
	setPort := func(port *int32) func(crd) {
		return func(c crd) { c.Spec.Conversion.Webhook.ClientConfig.Service.Port = port }
	}
	setBundle := func(c crd) { c.Spec.Conversion.Webhook.ClientConfig.CABundle = other.CABundle }
	disarm := func(c crd) { c.Spec.Conversion = &apiextensionsv1.CustomResourceConversion{Strategy: "None"} }
	for name, test := range map[string]struct {
		change   func(crd)
		managers []metav1.ManagedFieldsEntry
		never    bool // armed
		want     string
	}{
		"a new table": {change: func(crd) {}, managers: []metav1.ManagedFieldsEntry{whole}},
		"our new CA":  {change: setBundle, managers: []metav1.ManagedFieldsEntry{whole}},
		"never armed": {change: disarm, never: true},
		"another port": {change: setPort(new(int32(1))), managers: []metav1.ManagedFieldsEntry{withoutPort, manager("editor", port)},
			want: "editor changed spec.conversion.webhook.clientConfig.service.port of the CRD, and it has been restored"},
		"no port": {change: setPort(nil), managers: []metav1.ManagedFieldsEntry{withoutPort},
			want: "another client changed spec.conversion.webhook.clientConfig.service.port of the CRD, and it has been restored"},
		"no conversion": {change: disarm, managers: []metav1.ManagedFieldsEntry{manager("installer", `"f:strategy":{}`)},
			want: "installer removed spec.conversion from the CRD, and it has been restored; writes in between were not converted by Crosswalk. If that was intended, delete the Crosswalk first"},
		"cainjector writes": {change: setBundle, managers: []metav1.ManagedFieldsEntry{
			withoutPort, manager("cainjector", `"f:webhook":{"f:clientConfig":{"f:caBundle":{}}}`),
		}},
	} {
		t.Run(name, func(t *testing.T) {
			r, table, _ := armedTable(t)
			if name == "cainjector writes" {
				r.Serve.CertManagerCertificate = "crosswalk-serving"
			}
			table.CRD.ManagedFields = test.managers
			bundle, problem := r.Serve.Bundle(t.Context())
			if problem != nil {
				t.Fatal(problem)
			}
			w := r.want(table.CRD, "4567", bundle)
			test.change(table.CRD)
			if !test.never {
				table.Crosswalk.Status.Fingerprint = "0123"
			}
			if got := r.meddling(table, w); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

// A bundle with other comments is the same one.
func TestCommentsAreNoMeddling(t *testing.T) {
	r, table, _ := armedTable(t)
	config := table.CRD.Spec.Conversion.Webhook.ClientConfig
	w := r.want(table.CRD, "4567", mustParse(t, config.CABundle))
	config.CABundle = append([]byte("# ours\n"), config.CABundle...)
	for field := range r.differences(table.CRD, w).All() {
		if got := field.String(); got != ".spec.conversion.webhook.clientConfig.service.path" {
			t.Errorf("%s differs", got)
		}
	}
}

func mustParse(t *testing.T, bundle []byte) inject.Bundle {
	t.Helper()
	parsed, err := inject.ParseBundle(bundle)
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}

func TestRestoredFinalizerIsNamed(t *testing.T) {
	for name, test := range map[string]struct{ fingerprint, want string }{
		"never armed": {"", ""},
		"armed":       {"0123", "Warning Restored another client removed the finalizer crosswalk.dev/disarm, and it has been restored"},
	} {
		t.Run(name, func(t *testing.T) {
			_, table, revision := armedTable(t)
			table.Crosswalk.ResourceVersion = ""
			r := newReconciler(t, table.Crosswalk, revision)
			if err := r.live.Get(t.Context(), client.ObjectKeyFromObject(table.Crosswalk), table.Crosswalk); err != nil {
				t.Fatal(err)
			}
			table.Crosswalk.Status.Fingerprint = test.fingerprint
			for range 2 { // only the first time
				if err := r.prepare(t.Context(), table); err != nil {
					t.Fatal(err)
				}
			}
			all, got := r.Events.(*events.FakeRecorder).Events, ""
			for len(all) > 0 {
				got += <-all
			}
			if got != test.want || !controllerutil.ContainsFinalizer(table.Crosswalk, v1alpha1.FinalizerDisarm) {
				t.Errorf("got %q, want %q, and the finalizer", got, test.want)
			}
		})
	}
}
