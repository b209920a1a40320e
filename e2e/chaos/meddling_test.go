package chaos

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/e2e/harness"
)

// Whatever somebody writes into spec.conversion is put right at once.
func testMeddling(t *testing.T, w *world) {
	const changed = "meddler changed spec.conversion.webhook."
	for name, test := range map[string]struct{ patch, told string }{
		"path": {`[{"op": "remove", "path": "/spec/conversion/webhook/clientConfig/service/path"}]`,
			"another client changed spec.conversion.webhook.clientConfig.service.path of the CRD, and it has been restored"},
		"table": {`[{"op": "replace", "path": "/spec/conversion/webhook/clientConfig/service/path", "value": "/convert/0123456789abcdef"}]`,
			changed + "clientConfig.service.path of the CRD, and it has been restored"},
		"port": {`[{"op": "replace", "path": "/spec/conversion/webhook/clientConfig/service/port", "value": 1}]`,
			changed + "clientConfig.service.port of the CRD, and it has been restored"},
		"service": {`[{"op": "replace", "path": "/spec/conversion/webhook/clientConfig/service/name", "value": "other"}]`,
			changed + "clientConfig.service.name of the CRD, and it has been restored; writes in between were not converted by Crosswalk. If that was intended, delete the Crosswalk first"},
		"bundle": {`[{"op": "remove", "path": "/spec/conversion/webhook/clientConfig/caBundle"}]`,
			"another client changed spec.conversion.webhook.clientConfig.caBundle of the CRD, and it has been restored"},
		"url": {`[{"op": "remove", "path": "/spec/conversion/webhook/clientConfig/service"},
			{"op": "add", "path": "/spec/conversion/webhook/clientConfig/url", "value": "https://127.0.0.1:1/"}]`,
			changed + "clientConfig.url, spec.conversion.webhook.clientConfig.service.name, "},
		"review": {`[{"op": "replace", "path": "/spec/conversion/webhook/conversionReviewVersions", "value": ["v1beta1"]}]`,
			changed + "conversionReviewVersions of the CRD, and it has been restored"},
		"none": {`[{"op": "replace", "path": "/spec/conversion", "value": {"strategy": "None"}}]`,
			"meddler removed spec.conversion from the CRD, and it has been restored; writes in between were not converted by Crosswalk. If that was intended, delete the Crosswalk first"},
	} {
		t.Run(name, func(t *testing.T) {
			c := w.newTable(t, "meddled-"+name, "v1")
			c.install(t)
			o, err := create(t.Context(), c, "a", "v1beta1")
			if err != nil {
				t.Fatal(err)
			}
			before, err := c.liveCRD(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			end := c.meddle(t, test.patch)
			defer end()
			until(t, func(ctx context.Context) error {
				now, err := c.liveCRD(ctx)
				if err != nil {
					return err
				}
				got, err := json.Marshal(now.Spec.Conversion)
				if err != nil {
					return err
				}
				wanted, err := json.Marshal(before.Spec.Conversion)
				return joinErr(err, wantEqual(string(got), string(wanted)))
			})
			c.waitRestored(t)
			c.waitTold(t, test.told)
			if err := o.checkAll(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
}

// meddle patches the CRD. What it then asks for, nobody need answer, until the
// returned function is called.
func (t table) meddle(tb testing.TB, patch string) (end func()) {
	tb.Helper()
	end = t.outages.begin()
	const jsonPatch = "application/json-patch+json"
	if _, err := t.API().Do(tb.Context(), http.MethodPatch, crdsPath+"/"+t.name()+"?fieldManager=meddler", jsonPatch, []byte(patch)); err != nil {
		end()
		tb.Fatal(err)
	}
	return end
}

// Somebody does so again and again: then it is put right less often, and said who
// it is. To disarm the CRD does not help even then.
func testContention(t *testing.T, w *world) {
	c := w.newTable(t, "contended", "v1")
	c.install(t)
	for i := 0; ; i++ {
		end := c.meddle(t, `[{"op": "replace", "path": "/spec/conversion/webhook/conversionReviewVersions", "value": ["v1beta1"]}]`)
		defer end()
		contended := false
		until(t, func(ctx context.Context) error {
			crd, err := c.liveCRD(ctx)
			if err != nil {
				return err
			}
			ready, err := c.condition(ctx, v1alpha1.ConditionReady)
			contended = ready.Reason == "Contended"
			return joinErr(err, want(contended || len(crd.Spec.Conversion.Webhook.ConversionReviewVersions) == 2, "it is not put right"))
		})
		if contended {
			break
		}
		if i == 10 {
			t.Fatal("it is put right without end")
		}
	}
	wantMessage(t, c.waitCondition(t, v1alpha1.ConditionReady, "Contended"),
		"meddler keeps writing another conversion into the CRD: it was corrected 5 times within 1m0s; remove spec.conversion from what that client applies, and check that Crosswalk is installed only once")
	defer c.meddle(t, `[{"op": "replace", "path": "/spec/conversion", "value": {"strategy": "None"}}]`)()
	c.waitRestored(t)
	c.wantObject(t)
}

// A CRD that another converter has is taken over once ours can answer, in one
// write.
func testTakenOver(t *testing.T, w *world) {
	c := w.newTable(t, "taken-over", "v1")
	given := c.CRD.DeepCopy()
	given.Spec.Conversion = &apiextensionsv1.CustomResourceConversion{
		Strategy: apiextensionsv1.WebhookConverter,
		Webhook: &apiextensionsv1.WebhookConversion{
			ConversionReviewVersions: []string{"v1"},
			ClientConfig:             &apiextensionsv1.WebhookClientConfig{URL: new("https://127.0.0.1:1/convert")},
		},
	}
	plain := c.CRD
	c.CRD = given
	c.applyCRD(t)
	c.CRD = plain
	c.applyCrosswalk(t)
	c.waitReady(t)
	c.wantObject(t)
}

// A CRD is deleted, and another one of the same name has other versions: the last
// table is none for it.
func testAnotherCRD(t *testing.T, w *world) {
	c := w.newTable(t, "another", "v1")
	c.install(t)
	w.remove(t, crdsPath+"/"+c.name())
	c.wantNotReady(t, "NoCRD")
	other := c.CRD.DeepCopy()
	for i := range other.Spec.Versions {
		other.Spec.Versions[i].Name = []string{"v3", "v4"}[i]
	}
	known := c.CRD
	c.CRD = other
	c.applyCRD(t)
	message := c.waitCondition(t, v1alpha1.ConditionCompiled, "InvalidTable")
	t.Log(message)
	wantMessage(t, c.waitCondition(t, v1alpha1.ConditionArmed, "InvalidTable"), "the CRD is not armed: see the condition Compiled")
	if _, armed := w.observer.armedNow()[c.name()]; armed {
		t.Errorf("%s is armed with a table that knows none of its versions", c.name())
	}
	w.remove(t, crdsPath+"/"+c.name())
	c.CRD = known
	c.wantNotReady(t, "NoCRD")
	c.applyCRD(t)
	c.waitReady(t)
	c.wantObject(t)
}

// The API server refuses manage's write: the status says so, in its words.
func testRefused(t *testing.T, w *world) {
	c := w.newTable(t, "refused", "v1")
	const policy = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies/freeze"
	const binding = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings/freeze"
	for path, object := range map[string]string{
		policy: `{"apiVersion":"admissionregistration.k8s.io/v1","kind":"ValidatingAdmissionPolicy","metadata":{"name":"freeze"},"spec":{
			"matchConstraints":{"resourceRules":[{"apiGroups":["apiextensions.k8s.io"],"apiVersions":["v1"],"operations":["UPDATE"],"resources":["customresourcedefinitions"],"resourceNames":["` + c.name() + `"]}]},
			"validations":[{"expression":"!request.userInfo.username.endsWith('crosswalk-manage')","message":"CRDs are frozen until Monday"}]}}`,
		binding: `{"apiVersion":"admissionregistration.k8s.io/v1","kind":"ValidatingAdmissionPolicyBinding","metadata":{"name":"freeze"},"spec":{"policyName":"freeze","validationActions":["Deny"]}}`,
	} {
		if _, err := w.API().Do(t.Context(), http.MethodPatch, path+"?fieldManager=test", harness.ApplyPatchType, []byte(object)); err != nil {
			t.Fatal(err)
		}
	}
	c.applyCRD(t)
	until(t, func(ctx context.Context) error { // the policy takes effect a while after it was accepted
		_, err := w.ControlPlane.Kubectl(ctx, "patch", "crd", c.name(), "--type=merge", "--patch={}", "--dry-run=server",
			"--as=system:serviceaccount:"+harness.Namespace+":crosswalk-manage")
		return want(err != nil && strings.Contains(err.Error(), "CRDs are frozen until Monday"), "not denied: %v", err)
	})
	c.applyCrosswalk(t)
	const wanted = "the API server rejects a request of crosswalk manage, which tries again: "
	message := c.waitCondition(t, v1alpha1.ConditionReady, "Refused")
	wantMessage(t, message, wanted+`customresourcedefinitions.apiextensions.k8s.io "`+c.name()+`" is forbidden: ValidatingAdmissionPolicy 'freeze' with binding 'freeze' denied request: CRDs are frozen until Monday`)
	w.remove(t, binding)
	w.remove(t, policy)
	c.waitReady(t)
	c.wantObject(t)
}
