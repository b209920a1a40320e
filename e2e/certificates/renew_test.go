package certificates

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/crosswalk-dev/crosswalk/e2e/internal/stage"
)

// renew asks cert-manager for a new certificate at once, as `cmctl renew` does:
// https://cert-manager.io/docs/reference/cmctl/#renew
// It returns when the Secret holds it.
func (c cluster) renew(t *testing.T, name string) secret {
	t.Helper()
	before := c.secret(t, name)
	c.kubectl(t, "patch", "certificate", name, "-n", namespace, "--subresource=status", "--type=json", "-p",
		`[{"op": "add", "path": "/status/conditions/-", "value": {"type": "Issuing", "status": "True",
		   "reason": "ManuallyTriggered", "message": "asked for by a test", "lastTransitionTime": "2026-01-01T00:00:00Z"}}]`)
	return c.reissued(t, name, before)
}

// settled returns a leaf of the authority that will sign the next one, too, and the bundle
// that holders hold by then. That leaf is the first unless cert-manager has issued the
// authority twice: it decides by its caches whether to issue, and that of Secrets may be
// behind (github.com/cert-manager/cert-manager/pkg/controller/certificates/trigger).
func (c cluster) settled(t *testing.T, first secret, holders ...injectable) (leaf secret, bundle []byte) {
	t.Helper()
	bundle = first.Data["ca.crt"]
	for _, i := range holders {
		c.wantBundles(t, i, bundle)
	}
	c.idle(t, "crosswalk-ca")
	present := c.secret(t, "crosswalk-ca").Data["tls.crt"]
	if holds(bundle, present) == nil {
		return first, bundle
	}
	t.Log("cert-manager has issued the authority twice")
	leaf, bundle = c.renew(t, serving), slices.Concat(bundle, present)
	for _, i := range holders {
		c.wantBundles(t, i, bundle)
	}
	return leaf, bundle
}

// replaceAuthority makes cert-manager give the authority another key. Whoever
// knows the old certificate alone does not believe its leaves.
func (c cluster) replaceAuthority(t *testing.T) secret {
	t.Helper()
	const name = "crosswalk-ca"
	before := c.secret(t, name)
	c.kubectl(t, "delete", "secret", name, "-n", namespace)
	return c.reissued(t, name, before)
}

// reissued waits until cert-manager has issued another certificate than before, and has
// finished: what is asked for while it works may make it issue twice in a moment.
func (c cluster) reissued(t *testing.T, name string, before secret) secret {
	t.Helper()
	c.changed(t, name, before)
	c.idle(t, name)
	return c.secret(t, name)
}

// idle waits until a Certificate is ready and cert-manager has nothing left to do
// for it. A renewal that is asked for before would be taken for the one that is
// just ending.
func (c cluster) idle(t *testing.T, name string) {
	t.Helper()
	stage.Until(t, time.Minute, func(ctx context.Context) error {
		data, err := c.api.Get(ctx, "/apis/cert-manager.io/v1/namespaces/"+namespace+"/certificates/"+name)
		if err != nil {
			return err
		}
		var certificate struct {
			Status struct {
				Conditions []struct{ Type, Status, Message string }
			}
		}
		if err := json.Unmarshal(data, &certificate); err != nil {
			return err
		}
		ready := false
		for _, condition := range certificate.Status.Conditions {
			if condition.Type == "Issuing" || condition.Type == "Ready" && condition.Status != "True" {
				return fmt.Errorf("certificate %s: %s is %s: %s", name, condition.Type, condition.Status, condition.Message)
			}
			ready = ready || condition.Type == "Ready"
		}
		if !ready {
			return fmt.Errorf("certificate %s is not ready", name)
		}
		return nil
	})
}
