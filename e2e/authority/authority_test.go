package authority

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/crosswalk-dev/crosswalk/certs"
	"github.com/crosswalk-dev/crosswalk/e2e/harness"
)

// TestAuthority shares one control plane, because starting one takes longer than
// most of the tests.
func TestAuthority(t *testing.T) {
	plane := startControlPlane(t)
	t.Run("bundles", func(t *testing.T) { testInjection(t, plane) })
	t.Run("Secrets", func(t *testing.T) { testSecrets(t, plane) }) // and it restarts the API server
}

// testSecrets takes the two roles through the life of a cluster.
func testSecrets(t *testing.T, plane *harness.ControlPlane) {
	s := start(t, plane)
	s.testForbidden()
	s.testComesLater()
	s.testRepaired("deleted", func() { s.kubectl("delete", "secret", "crosswalk-serving") })
	s.testRepaired("damaged", func() {
		s.kubectl("patch", "secret", "crosswalk-serving", "--type=merge", "-p", `{"data":{"tls.crt":"eA=="}}`)
	})
	s.testRotation()
	s.testAPIServerRestart()
	s.testLost()
	if text := s.log.String(); strings.Contains(text, "PRIVATE KEY") || strings.Contains(text, "BEGIN") {
		t.Error("a key is in the log")
	}
}

// testForbidden: the Roles of this test are as narrow as they look.
func (s *scene) testForbidden() {
	s.t.Helper()
	ctx := within(s.t, time.Minute)
	serve, manage := s.secrets("serve").Secrets(namespace), s.secrets("manage").Secrets(namespace)
	for name, err := range map[string]error{
		"serve reads the authority":  third(serve.Get(ctx, "crosswalk-authority", metav1.GetOptions{})),
		"serve lists Secrets":        third(serve.List(ctx, metav1.ListOptions{})),
		"manage lists Secrets":       third(manage.List(ctx, metav1.ListOptions{})),
		"manage reads other Secrets": third(manage.Get(ctx, "other", metav1.GetOptions{})),
	} {
		if !apierrors.IsForbidden(err) {
			s.t.Errorf("%s: %v", name, err)
		}
	}
}

func third[T any](_ T, err error) error { return err }

// testComesLater starts what reads before what writes, and two that write at
// once.
func (s *scene) testComesLater() {
	s.t.Helper()
	s.serve()
	s.eventually("the source says that there is no Secret", func() bool {
		_, err := s.source.Current()
		return err != nil && strings.Contains(err.Error(), "it does not exist")
	})
	stop := s.manage(2)
	pair := s.until("there is a certificate", func(*certs.Pair) bool { return true })
	if want := certs.ServiceNames("crosswalk", namespace); !slices.Equal(pair.Leaf().DNSNames, want) {
		s.t.Errorf("DNS names %q", pair.Leaf().DNSNames)
	}
	stop()
	authority, serving := s.get("crosswalk-authority"), s.get("crosswalk-serving")
	if serving.Type != corev1.SecretTypeTLS || !bytes.Equal(authority.Data["ca.crt"], serving.Data["ca.crt"]) {
		s.t.Error("the Secrets are not in step")
	}
	if n := strings.Count(s.log.String(), "msg=\"made a CA\""); n != 1 {
		s.t.Errorf("%d CAs were made", n)
	}
	// Another process finds nothing to do: what it does first, it would do at
	// once.
	s.manage(2)
	s.inject()
}

// testRepaired: a watch sees what becomes of the leaf, and the CA stays.
func (s *scene) testRepaired(what string, do func()) {
	s.t.Helper()
	authority, leaf := s.get("crosswalk-authority"), s.pair().Leaf()
	started := time.Now()
	do()
	pair := s.until("the leaf is issued anew that was "+what, func(p *certs.Pair) bool { return !p.Leaf().Equal(leaf) })
	// The managers look every minute anyway: that must not be what did it.
	if took := time.Since(started); took > 30*time.Second {
		s.t.Errorf("%s: repaired after %v", what, took)
	}
	if !bytes.Equal(pair.CABundle, authority.Data["ca.crt"]) {
		s.t.Errorf("%s: another bundle", what)
	}
	if now := s.get("crosswalk-authority"); now.ResourceVersion != authority.ResourceVersion {
		s.t.Errorf("%s: the authority's Secret was written", what)
	}
}

// testRotation rotates on request while somebody calls all the time.
func (s *scene) testRotation() {
	s.t.Helper()
	s.mu.Lock()
	s.open = false
	s.mu.Unlock()
	stop := s.callAllTheTime()
	defer stop()
	before := s.pair()

	s.kubectl("annotate", "secret", "crosswalk-authority", certs.AnnotationRotate+"=first")
	published := s.until("the next CA is published", func(p *certs.Pair) bool { return !bytes.Equal(p.CABundle, before.CABundle) })
	if !published.Leaf().Equal(before.Leaf()) || !bytes.Contains(published.CABundle, before.CABundle) {
		s.t.Error("more than the bundle has changed")
	}
	s.eventually("an Event says what the rotation waits for", func() bool {
		events, err := s.controlPlane.Kubectl(within(s.t, time.Minute), "-n", namespace, "get", "events", "-o", "jsonpath={.items[*].reason}")
		if err != nil {
			s.t.Fatal(err)
		}
		return strings.Contains(events, "CAWaits")
	})
	s.inject()
	// Nothing tells the managers: they ask the gate again when they look.
	s.kubectl("label", "secret", "crosswalk-serving", "look=again")
	promoted := s.rotated(published)
	if !bytes.Equal(promoted.CABundle, published.CABundle) {
		s.t.Error("the bundle has changed with the leaf")
	}
	if err := promoted.Leaf().CheckSignatureFrom(issuer(s.t, before)); err == nil {
		s.t.Error("the old CA still signs")
	}
	// The request is answered.
	after := s.get("crosswalk-authority")
	s.testRepaired("deleted after a rotation", func() { s.kubectl("delete", "secret", "crosswalk-serving") })
	if now := s.get("crosswalk-authority"); now.ResourceVersion != after.ResourceVersion {
		s.t.Error("the authority goes on rotating")
	}
}

// rotated waits for the leaf of the next CA. The overlap may end just after a
// manager has looked, and the next look is a minute off: it is asked to.
func (s *scene) rotated(published *certs.Pair) *certs.Pair {
	s.t.Helper()
	s.eventually("the next CA signs", func() bool {
		s.kubectl("label", "--overwrite", "secret", "crosswalk-serving", "look="+time.Now().Format("150405.000"))
		return !s.pair().Leaf().Equal(published.Leaf())
	})
	return s.pair()
}

// testAPIServerRestart: the source goes on with what it has, and hears again of
// what changes.
func (s *scene) testAPIServerRestart() {
	s.t.Helper()
	stop := s.callAllTheTime()
	defer stop()
	server := s.controlPlane.Server
	if err := s.controlPlane.RestartAPIServer(within(s.t, 2*time.Minute)); err != nil {
		s.t.Fatal(err)
	}
	if s.controlPlane.Server != server {
		s.t.Log("the API server has another address now; what follows it cannot be tested")
		return
	}
	s.testRepaired("deleted after a restart of the API server", func() { s.kubectl("delete", "secret", "crosswalk-serving") })
}

// testLost: the CA is deleted, and later an older one is restored from a backup.
func (s *scene) testLost() {
	s.t.Helper()
	backup := s.get("crosswalk-authority")
	s.lose(1, func() { s.kubectl("delete", "secret", "crosswalk-authority") })
	s.lose(2, func() {
		restored := s.get("crosswalk-authority")
		restored.Data = backup.Data
		if _, err := s.admin.Update(within(s.t, time.Minute), restored, metav1.UpdateOptions{}); err != nil {
			s.t.Fatal(err)
		}
	})
	s.testRepaired("deleted after a loss", func() { s.kubectl("delete", "secret", "crosswalk-serving") })
}

// lose loses the CA, for a number of times until now. Clients follow as in a rotation, and no call fails.
func (s *scene) lose(losses int, how func()) {
	s.t.Helper()
	s.mu.Lock()
	s.open = false
	s.mu.Unlock()
	stop := s.callAllTheTime()
	defer stop()
	before := s.pair()
	how()
	s.eventually("an Event reports it", func() bool {
		events, err := s.controlPlane.Kubectl(within(s.t, time.Minute), "-n", namespace, "events", "--for", "secret/crosswalk-authority")
		if err != nil {
			s.t.Fatal(err)
		}
		return strings.Count(events, "CALost") == losses
	})
	now := s.pair()
	if !now.Leaf().Equal(before.Leaf()) {
		s.t.Error("what is served has changed before every bundle holds the next CA")
	}
	s.inject()
	promoted := s.rotated(now)
	if bytes.Equal(promoted.Leaf().AuthorityKeyId, before.Leaf().AuthorityKeyId) {
		s.t.Error("the lost CA still signs")
	}
}

// eventually asks until the answer is yes.
func (s *scene) eventually(what string, ok func() bool) {
	s.t.Helper()
	ticker := time.NewTicker(200 * time.Millisecond)
	defer ticker.Stop()
	timeout := time.After(90 * time.Second)
	for !ok() {
		select {
		case <-ticker.C:
		case <-timeout:
			s.t.Fatalf("waited in vain until %s", what)
		}
	}
}
