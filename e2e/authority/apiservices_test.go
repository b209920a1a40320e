package authority

import (
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	stages "github.com/crosswalk-dev/crosswalk/e2e/internal/stage"
	"github.com/crosswalk-dev/crosswalk/internal/manage/injection"
)

// testAPIServices injects into APIServices as they are shipped, which ask for it
// only once their administrator says so.
func (s *stage) testAPIServices(t *testing.T) {
	for name, owned := range map[string]string{
		"v1beta1.metrics.k8s.io":        `{"f:spec":{"f:caBundle":{},"f:insecureSkipTLSVerify":{}}}`,
		"v1beta1.custom.metrics.k8s.io": `{"f:spec":{"f:caBundle":{}}}`,
		"v2beta1.auth.ilinux.io":        `{"f:spec":{"f:caBundle":{}}}`,
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(stages.Programs(t).Root, "certs", "inject", "testdata", "apiservices", name+".yaml")
			manifest, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			o := s.apiService(name).withManifest(string(manifest))
			o.apply(t, gitops)
			before := o.rest(t)
			if _, err := s.plane.Kubectl(t.Context(), "annotate", "apiservice", name, "crosswalk.dev/inject-ca=true"); err != nil {
				t.Fatal(err)
			}
			o.waitFor(t, s.source.get())
			if got := o.ownedBy(t, injection.FieldManager); got != owned {
				t.Errorf("we own\n%s\nwant\n%s", got, owned)
			}
			if on, _, err := unstructured.NestedBool(o.get(t).Object, "spec", "insecureSkipTLSVerify"); on || err != nil {
				t.Errorf("insecureSkipTLSVerify is %t, %v", on, err)
			}
			want := strings.NewReplacer(`"insecureSkipTLSVerify":true,`, "").Replace(before)
			want = strings.Replace(want, ",null,", `,{"crosswalk.dev/inject-ca":"true"},`, 1)
			if after := o.rest(t); after != want {
				t.Errorf("the rest has changed\n to %s\nfrom %s", after, want)
			}
			bundle := slices.Concat(s.source.get(), newCA(t))
			s.source.set(bundle)
			o.waitFor(t, bundle)
			if strings.Contains(string(manifest), "insecureSkipTLSVerify: true") {
				s.testShippedAgain(t, o)
			} else {
				o.apply(t, gitops)
			}
			s.kubectl(t, "delete", "apiservice", name)
		})
	}
}

// testShippedAgain applies the manifest that turns verification off again, which
// the API server cannot take together with a bundle.
func (s *stage) testShippedAgain(t *testing.T, o subject) {
	o.waitForEvent(t, "Normal", "VerificationOn", "set insecureSkipTLSVerify to false")
	if status, text := code(o.tryApply(t, gitops, "&force=true")); status != http.StatusUnprocessableEntity ||
		!strings.Contains(text, "may not be true if caBundle is present") {
		t.Errorf("applied with force: %d, %s", status, text)
	}
	mended := o.withManifest(strings.Replace(o.manifest, "  insecureSkipTLSVerify: true\n", "", 1))
	mended.apply(t, gitops)
	if lacks := o.lacks(t, s.source.get()); lacks != "" {
		t.Error(lacks)
	}
}
