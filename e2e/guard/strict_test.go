package guard

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
)

// exactNumber is a number as the package exact decodes it.
func exactNumber(text string) json.Number { return json.Number(text) }

// testStrict writes values that v1 can't represent.
func (k kind) testStrict(t *testing.T) {
	const name = "strict"
	k.create(t, name)
	_, err := k.beta.MergePatch(t.Context(), name, `{"spec":{"hostPort":"no colon"}}`)
	var status *harness.StatusError
	if !errors.As(err, &status) || status.Code != http.StatusUnprocessableEntity {
		t.Fatalf("a value that v1 cannot show: %v", err)
	}
	var said struct {
		Details struct {
			Causes []struct{ Field, Message string }
		}
	}
	if err := json.Unmarshal([]byte(status.Body), &said); err != nil {
		t.Fatal(err)
	}
	if len(said.Details.Causes) != 1 || said.Details.Causes[0].Field != "spec.hostPort" ||
		said.Details.Causes[0].Message != `the value can't be represented in v1 (.spec.host, .spec.port); use text of the form "{host}:{port}"` {
		t.Errorf("the API server says %s", status.Body)
	}
	_, err = k.scene.ControlPlane.KubectlWith(t.Context(), string(k.object(k.beta, "strict-kubectl", "", `"hostPort":"no colon"`)), "apply", "-f", "-")
	if err == nil || !strings.Contains(err.Error(), `spec.hostPort: Invalid value`) && !strings.Contains(err.Error(), "spec.hostPort: the value can't be represented in v1") {
		t.Errorf("kubectl says %v", err)
	}
	k.wantWhole(t, name)
}

// testLegacy: nobody has to mend what was stored before there was anybody to tell.
func (k kind) testLegacy(t *testing.T) {
	const name = "legacy"
	k.want(t, k.beta, name, "spec.hostPort", legacyHostPort)
	k.do(t)(k.v1.MergePatch(t.Context(), name, `{"spec":{"replicas":2}}`))
	k.do(t)(k.beta.MergePatch(t.Context(), name, `{"spec":{"replicas":3}}`))
	k.want(t, k.beta, name, "spec.hostPort", legacyHostPort)
	if _, err := k.beta.MergePatch(t.Context(), name, `{"spec":{"hostPort":"another"}}`); err == nil {
		t.Error("a new value that v1 cannot show is taken")
	}
	k.do(t)(k.v1.Delete(t.Context(), name)) // it has a finalizer
	k.do(t)(k.v1.MergePatch(t.Context(), name, `{"metadata":{"finalizers":null}}`))
	if _, err := k.v1.Get(t.Context(), name); err == nil {
		t.Error("it is still there")
	}
}
