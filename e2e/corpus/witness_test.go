package corpus

import (
	"context"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"sync"
	"testing"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/stage"
	"github.com/crosswalk-dev/crosswalk/internal/admit"
	"github.com/crosswalk-dev/crosswalk/internal/builtin"
)

// witness is a webhook that is asked about everything, at the end, and keeps what it was
// asked last of dry runs and connections. The test makes these, and crosswalk manage, which
// tries by a canary whether the API server reaches serve.
type witness struct {
	lock sync.Mutex
	last *admissionv1.AdmissionRequest
}

func (w *witness) ServeHTTP(out http.ResponseWriter, r *http.Request) {
	var review admissionv1.AdmissionReview
	if err := json.NewDecoder(r.Body).Decode(&review); err != nil || review.Request == nil {
		http.Error(out, fmt.Sprint("no review: ", err), http.StatusBadRequest)
		return
	}
	dry := review.Request.DryRun
	if (dry != nil && *dry || review.Request.Operation == admissionv1.Connect) && review.Request.UserInfo.Username != manage {
		w.lock.Lock()
		w.last = review.Request
		w.lock.Unlock()
	}
	review.Response = &admissionv1.AdmissionResponse{UID: review.Request.UID, Allowed: true}
	review.Request = nil
	_ = json.NewEncoder(out).Encode(review)
}

// manage is the user that crosswalk manage is.
const manage = "system:serviceaccount:" + harness.Namespace + ":crosswalk-manage"

// take gives what the witness was asked since the last time, nil where that is nothing.
func (w *witness) take() *admissionv1.AdmissionRequest {
	w.lock.Lock()
	defer w.lock.Unlock()
	last := w.last
	w.last = nil
	return last
}

// watch lets a witness see everything, until the test says that it is enough.
func (p play) watch() (w *witness, enough func()) {
	p.Helper()
	w = new(witness)
	server := httptest.NewTLSServer(w)
	p.Cleanup(server.Close)
	ca, err := json.Marshal(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}))
	if err != nil {
		p.Fatal(err)
	}
	p.kubectl(fmt.Sprintf(`{"apiVersion":"admissionregistration.k8s.io/v1","kind":"ValidatingWebhookConfiguration","metadata":{"name":"witness"},"webhooks":[{"name":"witness.example.com",`+
		`"clientConfig":{"url":%q,"caBundle":%s},"sideEffects":"None","failurePolicy":"Ignore","matchPolicy":"Exact","admissionReviewVersions":["v1"],`+
		`"rules":[{"apiGroups":["*"],"apiVersions":["*"],"operations":["*"],"resources":["*/*"]}]}]}`, server.URL, ca), "create", "-f", "-")
	stage.Until(p.T, 30*time.Second, func(context.Context) error {
		p.kubectl(`{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"mark"},"spec":{}}`, "create", "--dry-run=server", "-f", "-")
		if w.take() == nil {
			return fmt.Errorf("nobody is asked yet")
		}
		return nil
	})
	return w, func() { p.kubectl("", "delete", "validatingwebhookconfiguration", "witness") }
}

// allocated is what the API server takes from what is free, or what says of a write that
// it is a dry run.
var allocated = regexp.MustCompile(`^\.metadata\.resourceVersion$|^\.spec\.(clusterIPs?|ports\[\d+\]\.nodePort)\b|^\.deleteOptions\.dryRun`)

// compareSeen holds what admit shows those who validate against what the API server shows
// them. It asks no webhook about what is registered with it, and the generation of a custom
// resource admit does not tell.
func compareSeen(t *testing.T, name string, seen *admissionv1.AdmissionRequest, bare *admit.Result) {
	t.Helper()
	if seen == nil {
		if bare.Kind.Group != "admissionregistration.k8s.io" {
			t.Errorf("%s: the API server shows nobody a %s", name, bare.Kind.Kind)
		}
		return
	}
	got := map[string]any{}
	if err := json.Unmarshal(seen.Object.Raw, &got); err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	unstructured.RemoveNestedField(got, "metadata", "managedFields")
	differences := changes(bare.Object, got)
	for _, at := range slices.Sorted(maps.Keys(differences)) {
		if allocated.MatchString(at) || !builtin.Recognizes(schema.GroupVersionKind(bare.Kind)) && at == ".metadata.generation" {
			continue
		}
		t.Errorf("%s: %s: the API server shows policies at %s %s", name, bare.Kind.Kind, at, differences[at])
	}
}
