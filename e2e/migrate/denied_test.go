package migrate

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
)

// denying is a policy that does not let one object be written.
const denying = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: denied.example.com}
spec:
  failurePolicy: Fail
  matchConstraints:
    resourceRules:
    - {apiGroups: [denied.example.com], apiVersions: ["*"], operations: [UPDATE], resources: [crontabs, crontabs/status]}
  validations:
  - {expression: object.metadata.name != 'job-0003', message: job-0003 is frozen}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: denied.example.com}
spec: {policyName: denied.example.com, validationActions: [Deny]}
`

// testDenied names the object that cannot be written, rewrites the others, trims
// nothing, and tries that one again when it is told to.
func testDenied(t *testing.T, w *world) {
	const n = 12
	w.fill(t, n)
	w.apply(t, denying)
	w.store(t, "v1")
	w.waitStored(t, "v1")
	v1 := w.beta.In("v1")
	try := func(ctx context.Context) error {
		_, err := v1.API.Do(ctx, http.MethodPatch, v1.Path("/job-0003/status?dryRun=All"), harness.MergePatchType, []byte(`{"status":{"replicas":1}}`))
		return err
	}
	eventually(t, 30*time.Second, func(ctx context.Context) error {
		if err := try(ctx); err == nil {
			return errors.New("the policy does not deny yet")
		} else if !strings.Contains(err.Error(), "job-0003 is frozen") {
			return err
		}
		return nil
	})
	before := w.states(t)
	got := w.migrate(t, w.crd, "--qps", "0", "--quiet")
	got.want(t, ended{
		code: 1,
		out:  fmt.Sprintf("%s: 11 objects are stored in v1: %d rewritten, %d already stored in it; 0 deleted meanwhile, 1 failed\n", w.crd, in(before, "v1beta1")-1, in(before, "v1")),
		errors: fmt.Sprintf(`crosswalk: %[1]s: default/job-0003: crontabs.denied.example.com "job-0003" is forbidden: ValidatingAdmissionPolicy 'denied.example.com' with binding 'denied.example.com' denied request: job-0003 is frozen
crosswalk: %[1]s: 1 object could not be rewritten, so status.storedVersions stays v1beta1, v1: fix the errors above and run the same command again; it tries only these objects again
`, w.crd),
	})
	w.wantStoredVersions(t, `["v1beta1","v1"]`)
	if p := w.position(t); len(p.Failed) != 1 || p.Failed[0] != "default/job-0003" {
		t.Errorf("the position is %+v", p)
	}
	after := w.states(t)
	if after["job-0003"].version != "v1beta1" || in(after, "v1") != n-1 {
		t.Errorf("job-0003 is stored in %s, %d others in v1", after["job-0003"].version, in(after, "v1"))
	}

	w.kubectl(t, "delete", "validatingadmissionpolicybinding,validatingadmissionpolicy", "denied.example.com")
	eventually(t, 30*time.Second, try)
	w.migrate(t, w.crd, "--quiet").want(t, ended{out: fmt.Sprintf(`%[1]s: %[2]d objects are stored in v1: %[2]d rewritten, 0 already stored in it; 0 deleted meanwhile, 0 failed
%[1]s: status.storedVersions is trimmed from v1beta1, v1 to v1
`, w.crd, n)})
	wantMigrated(t, before, w.states(t), "v1")
	w.wantStoredVersions(t, `["v1"]`)
}
