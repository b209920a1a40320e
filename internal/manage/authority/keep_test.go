package authority

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/crosswalk-dev/crosswalk/certs"
)

func TestCreates(t *testing.T) {
	w := newWorld(t)
	w.look()
	w.wantGood()
	if w.writes != 2 {
		t.Errorf("%d writes", w.writes)
	}
	authority, serving := w.authority(), w.serving()
	if authority.Type != corev1.SecretTypeOpaque || serving.Type != corev1.SecretTypeTLS {
		t.Errorf("types %q and %q", authority.Type, serving.Type)
	}
	for _, s := range []*corev1.Secret{authority, serving} {
		if !maps.Equal(s.Labels, labels()) {
			t.Errorf("%s has the labels %v", s.Name, s.Labels)
		}
	}
	if len(serving.Data) != 3 || bytes.Contains(serving.Data["tls.key"], authority.Data["ca.key"]) {
		t.Error("the serving Secret holds more than it should")
	}
	w.wantEvents("Normal CACreated made a CA", "Normal CertificateIssued issued a serving certificate: there is none")
	w.idle()
	w.restart()
	w.idle()
	w.wantEvents()
	if strings.Contains(w.log.String(), "BEGIN") || strings.Contains(w.log.String(), "PRIVATE") {
		t.Errorf("a key is in the log:\n%s", w.log.String())
	}
}

// TestFillsEmptySecrets: whoever does not let us create Secrets makes them.
func TestFillsEmptySecrets(t *testing.T) {
	w := newWorld(t,
		&corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "crosswalk-authority", Labels: map[string]string{"a": "b"}}},
		&corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "crosswalk-serving"}, Type: corev1.SecretTypeTLS,
			Data: map[string][]byte{"tls.crt": {}, "tls.key": {}, "other": []byte("x")}})
	w.look()
	w.wantGood()
	if string(w.serving().Data["other"]) != "x" || w.authority().Labels["a"] != "b" {
		t.Error("what others keep there is gone")
	}
	w.idle()
}

// TestRepairs: the leaf is nobody's to keep but ours, and the CA stays.
func TestRepairs(t *testing.T) {
	tests := []struct {
		name   string
		change func(w *world)
		want   string // of the reason
	}{
		{"deleted", func(w *world) { w.remove(w.serving()) }, "there is none"},
		{"emptied", func(w *world) {
			w.change(w.serving(), func(s *corev1.Secret) { s.Data = nil })
		}, "there is none"},
		{"a broken certificate", func(w *world) {
			w.change(w.serving(), func(s *corev1.Secret) { s.Data["tls.crt"] = []byte("x") })
		}, "tls: failed to find any PEM data in certificate input"},
		{"no key", func(w *world) {
			w.change(w.serving(), func(s *corev1.Secret) { delete(s.Data, "tls.key") })
		}, "tls: failed to find any PEM data in key input"},
		{"a third of its life left", func(w *world) { w.now = w.now.Add(61 * day) }, "it expires on 2026-05-30T12:00:00Z"},
		{"expired", func(w *world) { w.now = w.now.Add(91 * day) }, "the certificate expired on 2026-05-30T12:00:00Z"},
		{"other names", func(w *world) { w.names = certs.ServiceNames("crosswalk", namespace)[:1]; w.restart() },
			`the names are now ["crosswalk.crosswalk-system.svc"]`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(t)
			w.look()
			ca, leaf := w.authority().Data["ca.key"], w.serving().Data["tls.crt"]
			test.change(w)
			w.recorded()
			w.look()
			w.wantGood()
			w.wantEvents("Normal CertificateIssued issued a serving certificate: " + test.want)
			if !bytes.Equal(w.authority().Data["ca.key"], ca) {
				t.Error("another CA")
			}
			if bytes.Equal(w.serving().Data["tls.crt"], leaf) {
				t.Error("the same leaf")
			}
			w.idle()
		})
	}
}

// TestRestoresTheBundle: without a need, the leaf stays.
func TestRestoresTheBundle(t *testing.T) {
	w := newWorld(t)
	w.look()
	leaf, bundle := w.serving().Data["tls.crt"], w.serving().Data["ca.crt"]
	w.change(w.serving(), func(s *corev1.Secret) { delete(s.Data, "ca.crt") })
	w.look()
	if !bytes.Equal(w.serving().Data["tls.crt"], leaf) || !bytes.Equal(w.serving().Data["ca.crt"], bundle) {
		t.Error("not as it was")
	}
	w.idle()
}

func TestRotates(t *testing.T) {
	w := newWorld(t)
	w.look()
	first := w.serving().Data
	w.recorded()
	w.gate = func([]byte) error { return errors.New("crd a lacks it") }
	w.rotate("2026-03-01")
	w.look()
	w.wantEvents("Normal CAPublished")
	if n := authorities(w.serving().Data["ca.crt"]); n != 2 {
		t.Errorf("%d CAs are published", n)
	}
	if w.asked != 0 {
		t.Error("the gate is asked before the bundle is published")
	}
	w.wantGood()
	published := w.serving().Data["ca.crt"]

	// It waits, says so once, and writes nothing.
	for range 10 {
		w.now = w.now.Add(overlap)
		w.idle()
	}
	w.wantEvents("Normal CAWaits the rotation waits for a caBundle: crd a lacks it")
	if !bytes.Equal(w.serving().Data["tls.crt"], first["tls.crt"]) {
		t.Error("the leaf has changed")
	}

	w.gate = nil
	w.look()
	w.wantEvents("Normal CAInjected")
	w.now = w.now.Add(overlap - time.Second)
	w.idle()
	w.now = w.now.Add(time.Second)
	w.look()
	w.wantEvents("Normal CAPromoted", "Normal CertificateIssued issued a serving certificate: another CA signs now")
	w.wantGood()
	after := w.serving().Data
	if !bytes.Equal(after["ca.crt"], published) {
		t.Error("the bundle has changed, so every CRD must")
	}
	if w.trusts(first["ca.crt"], after["tls.crt"]) || !w.trusts(published, first["tls.crt"]) {
		t.Error("the old CA still signs, or is no longer trusted")
	}
	asked := w.asked
	w.idle()
	if w.asked != asked {
		t.Error("the gate is asked, but nothing waits for it")
	}

	w.now = w.now.Add(91 * day)
	w.look()
	w.wantEvents("Normal CARetired", "Normal CertificateIssued")
	if n := authorities(w.serving().Data["ca.crt"]); n != 1 {
		t.Errorf("%d CAs are left", n)
	}
	w.wantGood()
	w.idle()
	w.rotate("2026-09-01")
	w.look()
	w.wantEvents("Normal CAPublished")
}

func TestExpired(t *testing.T) {
	w := newWorld(t)
	w.look()
	w.recorded()
	w.gate = func([]byte) error { return errors.New("no") }
	w.now = w.now.Add(11 * 365 * day)
	w.look()
	w.wantEvents("Normal CAPublished", "Warning CAReplaced the next CA signs at once", "Normal CARetired", "Normal CertificateIssued")
	w.wantGood()
	w.idle()
}

// TestBroken: an error that only a person can fix is reported once, and nothing is written.
func TestBroken(t *testing.T) {
	tests := []struct {
		name   string
		change func(w *world)
		want   string
		remedy func(w *world)
	}{
		{"the CA is of tomorrow", func(w *world) { w.now = w.now.Add(-day) },
			"secret crosswalk-system/crosswalk-authority: ca.crt: it is not valid before 2026-03-01T11:00:00Z; is the clock right?",
			func(w *world) { w.now = w.now.Add(day) }},
		{"another issuer serves", func(w *world) {
			w.change(w.serving(), func(s *corev1.Secret) { s.Data = issuedElsewhere(w.t, w.now) })
		}, "secret crosswalk-system/crosswalk-serving: another issuer has signed the serving certificate: stop what writes that Secret, such as a Certificate of cert-manager, and delete the Secret: a certificate of the built-in authority follows at once",
			func(w *world) { w.remove(w.serving()) }},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(t)
			w.look()
			w.wantExpiry(w.now.Add(10 * 365 * 24 * time.Hour))
			w.recorded()
			test.change(w)
			for range 5 {
				w.idle()
			}
			w.wantExpiry(time.Time{})
			w.wantState("AuthorityUnusable: " + test.want)
			w.wantEvents("Warning AuthorityUnusable " + test.want)
			if n := strings.Count(w.log.String(), "level=ERROR"); n != 1 || !strings.Contains(w.log.String(), test.want) {
				t.Errorf("%d errors logged, want 1 of %s:\n%s", n, test.want, w.log.String())
			}
			test.remedy(w)
			w.look()
			w.wantGood()
			w.wantState("")
			if !strings.Contains(w.log.String(), "the authority is good again") {
				t.Errorf("the log does not report that it works again:\n%s", w.log.String())
			}
		})
	}
}

// issuedElsewhere returns what another issuer, such as cert-manager, has written.
func issuedElsewhere(t *testing.T, now time.Time) map[string][]byte {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		Subject: pkix.Name{CommonName: "another issuer"}, NotBefore: now.Add(-day), NotAfter: now.Add(day),
		DNSNames: []string{"crosswalk.crosswalk-system.svc"}, IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	certificate := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	return map[string][]byte{
		"tls.crt": certificate, "ca.crt": certificate,
		"tls.key": pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private}),
	}
}

// damages are ways to lose the authority's key, or a part of its Secret, with what the Event
// adds.
func damages() map[string]struct {
	change func(w *world)
	told   string
} {
	broken := func(change func(*corev1.Secret)) func(*world) {
		return func(w *world) { w.change(w.authority(), change) }
	}
	return map[string]struct {
		change func(w *world)
		told   string
	}{
		"the Secret is deleted": {func(w *world) { w.remove(w.authority()) }, "the Secret does not exist"},
		"the Secret is emptied": {broken(func(s *corev1.Secret) { s.Data = nil }), ""},
		"the key is deleted":    {broken(func(s *corev1.Secret) { delete(s.Data, "ca.key") }), "ca.crt: its key, ca.key, is missing"},
		"the key is broken":     {broken(func(s *corev1.Secret) { s.Data["ca.key"] = []byte("x") }), "ca.key: there is no PEM private key"},
		"the key is another": {func(w *world) {
			other := newWorld(w.t)
			other.look()
			w.change(w.authority(), func(s *corev1.Secret) { s.Data["ca.key"] = other.authority().Data["ca.key"] })
		}, "ca.crt: no certificate in it is for ca.key"},
		"the Secret is that of another cluster": {func(w *world) {
			other := newWorld(w.t)
			other.look()
			w.change(w.authority(), func(s *corev1.Secret) { s.Data = other.authority().Data })
		}, ""},
	}
}

// TestLost: what is served stays, and stays trusted, until every caBundle has held a next CA for
// the overlap.
func TestLost(t *testing.T) {
	for name, damage := range damages() {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.look()
			first := w.serving().Data
			w.recorded()
			w.gate = func([]byte) error { return errors.New("crd a lacks it") }
			damage.change(w)
			w.look()
			text := certs.StepLost.String()
			if damage.told != "" {
				text += " (" + damage.told + ")"
			}
			w.wantEvents("Warning CALost " + text)
			w.wantExpiry(time.Time{})
			w.wantState("AuthorityLost: the key of the CA in the Secret crosswalk-system/crosswalk-authority is lost, so the serving certificate cannot be renewed; " +
				"a next CA signs as soon as every caBundle has held it for 1h0m0s; see kubectl -n crosswalk-system events --for secret/crosswalk-authority")
			published := w.serving().Data
			if !bytes.Equal(published["tls.crt"], first["tls.crt"]) || !w.trusts(published["ca.crt"], first["tls.crt"]) {
				t.Error("what is served has changed, or is not trusted any more")
			}
			if n := authorities(published["ca.crt"]); n != 2 {
				t.Errorf("%d CAs in the bundle, want 2", n)
			}
			w.now = w.now.Add(10 * overlap)
			w.idle()
			w.wantEvents("Normal CAWaits")
			w.gate = nil
			w.look()
			w.wantEvents("Normal CAInjected")
			w.now = w.now.Add(overlap)
			w.look()
			w.wantEvents("Normal CAPromoted", "Normal CertificateIssued issued a serving certificate: another CA signs now")
			w.wantGood()
			if !w.trusts(published["ca.crt"], w.serving().Data["tls.crt"]) || w.trusts(first["ca.crt"], w.serving().Data["tls.crt"]) {
				t.Error("the next CA has not signed")
			}
			w.wantExpiry(w.now.Add(10*365*day - 11*overlap))
			w.wantState("")
			w.idle()
		})
	}
}

// TestLostCertificates: without its certificates, the key goes on signing.
func TestLostCertificates(t *testing.T) {
	for name, content := range map[string][]byte{"deleted": nil, "broken": []byte("x")} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.look()
			w.rotate("x")
			w.look()
			w.look()
			w.now = w.now.Add(overlap)
			w.look() // two CAs, the first retired
			before, authority := w.serving().Data, w.authority().Data
			w.recorded()
			w.change(w.authority(), func(s *corev1.Secret) {
				if delete(s.Data, "ca.crt"); content != nil {
					s.Data["ca.crt"] = content
				}
			})
			w.look()
			w.wantEvents("Warning CARecovered")
			if !maps.EqualFunc(before, w.serving().Data, bytes.Equal) || !bytes.Equal(authority["ca.crt"], w.authority().Data["ca.crt"]) {
				t.Error("not as it was")
			}
			w.idle()
		})
	}
}

// TestLostBeforeTheEnd: a leaf that cannot be renewed is replaced before it expires, whether the
// bundles hold the next CA or not.
func TestLostBeforeTheEnd(t *testing.T) {
	w := newWorld(t)
	w.look()
	w.gate = func([]byte) error { return errors.New("no") }
	w.remove(w.authority())
	w.look()
	w.now = w.now.Add(90*day - 2*time.Hour)
	w.recorded()
	w.idle()
	w.wantEvents("Normal CAWaits")
	w.now = w.now.Add(time.Hour)
	w.look()
	w.wantEvents("Warning CAReplaced", "Normal CertificateIssued")
	w.wantGood()
}

// TestLostWithItsCertificate: if nothing is served either, a new CA signs at once.
func TestLostWithItsCertificate(t *testing.T) {
	w := newWorld(t)
	w.look()
	w.remove(w.authority())
	w.remove(w.serving())
	w.recorded()
	w.look()
	w.wantEvents("Normal CACreated", "Normal CertificateIssued")
	w.wantGood()
	w.remove(w.authority())
	w.look()
	w.remove(w.serving()) // and this during the rotation
	w.recorded()
	w.look()
	w.wantEvents("Warning CAReplaced", "Normal CertificateIssued")
	w.wantGood()
}

// TestLostInLoop: a client that deletes the Secret again and again does not fill every caBundle.
func TestLostInLoop(t *testing.T) {
	w := newWorld(t)
	w.look()
	first := w.serving().Data["tls.crt"]
	for range 50 {
		w.remove(w.authority())
		w.look()
		w.now = w.now.Add(time.Minute)
		w.look()
	}
	bundle := w.serving().Data["ca.crt"]
	if n := authorities(bundle); n > 10 || !w.trusts(bundle, first) {
		t.Errorf("%d CAs in the bundle; the leaf is trusted: %v", n, w.trusts(bundle, first))
	}
}

// TestLostBetweenSteps loses the authority after each write of everything that it does. A
// client accepts what is served at any time, if it follows its caBundle within the overlap.
func TestLostBetweenSteps(t *testing.T) {
	for name, damage := range damages() {
		t.Run(name, func(t *testing.T) {
			for at := 1; ; at++ {
				if !lostAt(t, at, damage.change) {
					if at < 8 {
						t.Errorf("only %d writes", at)
					}
					return
				}
			}
		})
	}
}

// lostAt rotates, loses the authority after a number of writes, and goes on until nothing is
// left to do. It reports whether there were so many writes.
func lostAt(t *testing.T, at int, lose func(w *world)) bool {
	t.Helper()
	w := newWorld(t)
	w.look()
	w.writes = 0
	held := []heldBundle{{w.serving().Data["ca.crt"], w.now}} // by clients, the latest last
	lost := false
	w.before = func(int) error {
		if lost || w.writes <= at {
			return nil
		}
		return errDown // the process ends before this write
	}
	look := func() {
		t.Helper()
		_, err := w.keeper.Reconcile(t.Context(), reconcile.Request{})
		if err != nil && !errors.Is(err, errDown) {
			t.Fatal(err)
		}
		if !lost && w.writes >= at {
			lost = true
			w.restart()
			lose(w)
			w.look()
		}
		serving := w.serving().Data
		if !bytes.Equal(serving["ca.crt"], held[len(held)-1].text) {
			held = append(held, heldBundle{serving["ca.crt"], w.now})
		}
		for i, bundle := range held {
			if i+1 < len(held) && w.now.Sub(held[i+1].since) >= overlap {
				continue // every client has heard of a later one
			}
			if !w.trusts(bundle.text, serving["tls.crt"]) {
				t.Errorf("lost after %d writes: at %s, a client with bundle %d of %d rejects what is served", at, w.now, i+1, len(held))
			}
		}
	}
	w.rotate("x")
	for range 4 {
		look()
		look()
		w.now = w.now.Add(overlap)
	}
	w.now = w.now.Add(61 * day)
	look()
	for range 4 {
		look()
		look()
		w.now = w.now.Add(overlap)
	}
	w.now = w.now.Add(30 * day)
	look()
	look()
	w.wantGood()
	w.idle()
	return lost
}

type heldBundle struct {
	text  []byte
	since time.Time
}

// TestInterrupted ends the process before each write of everything that it does.
// The next one repairs it, and a client with the old bundle trusts what
// is served at any time.
func TestInterrupted(t *testing.T) {
	tests := []struct {
		name    string
		prepare func(w *world)
		writes  int
		keeps   bool
	}{
		{"create", func(*world) {}, 2, false},
		{"renew", func(w *world) { w.look(); w.now = w.now.Add(61 * day) }, 1, true},
		{"publish", func(w *world) { w.look(); w.rotate("x") }, 2, true},
		{"promote", func(w *world) {
			w.look()
			w.rotate("x")
			w.look()
			w.look()
			w.now = w.now.Add(overlap)
		}, 2, true},
		{"retire", func(w *world) {
			w.look()
			w.rotate("x")
			w.look()
			w.look()
			w.now = w.now.Add(overlap)
			w.look()
			w.now = w.now.Add(61 * day)
			w.look()
			w.now = w.now.Add(30 * day)
		}, 2, true},
		{"replace", func(w *world) { w.look(); w.now = w.now.Add(11 * 365 * day) }, 4, false},
	}
	for _, test := range tests {
		for allowed := range test.writes + 1 {
			t.Run(fmt.Sprintf("%s after %d writes", test.name, allowed), func(t *testing.T) {
				w := newWorld(t)
				test.prepare(w)
				var before map[string][]byte
				if test.keeps {
					before = w.serving().Data
				}
				first := w.writes
				w.before = func(write int) error {
					if write-first > allowed {
						return errDown
					}
					return nil
				}
				_, err := w.keeper.Reconcile(t.Context(), reconcile.Request{})
				if allowed < test.writes != errors.Is(err, errDown) {
					t.Fatalf("%d writes allowed of %d: %v", allowed, test.writes, err)
				}
				if test.keeps && !w.trusts(w.serving().Data["ca.crt"], before["tls.crt"]) {
					t.Error("the bundle does not trust the old leaf")
				}
				w.before = nil
				w.restart()
				w.look()
				w.wantGood()
				if test.keeps && !w.trusts(before["ca.crt"], w.serving().Data["tls.crt"]) {
					t.Error("the old bundle does not trust the leaf")
				}
				if test.name != "publish" { // whose overlap begins with the next look
					w.idle()
				}
			})
		}
	}
}

// TestTwoAtOnce lets another manager do everything between a manager's reading
// and its writing, at each of its writes.
func TestTwoAtOnce(t *testing.T) {
	tests := []struct {
		name    string
		prepare func(w *world)
	}{
		{"create", func(*world) {}},
		{"renew", func(w *world) { w.look(); w.now = w.now.Add(61 * day) }},
		{"publish", func(w *world) { w.look(); w.rotate("x") }},
		{"promote", func(w *world) {
			w.look()
			w.rotate("x")
			w.look()
			w.look()
			w.now = w.now.Add(overlap)
		}},
	}
	for _, test := range tests {
		for at := 1; at <= 2; at++ {
			t.Run(fmt.Sprintf("%s, at write %d", test.name, at), func(t *testing.T) {
				w := newWorld(t)
				test.prepare(w)
				other := newKeeper(w.client, w.client, w.keeper.Options)
				first := w.writes
				var settled map[string][]byte
				w.before = func(write int) error {
					if write-first != at {
						return nil
					}
					w.before = nil
					if _, err := other.Reconcile(t.Context(), reconcile.Request{}); err != nil {
						t.Error(err)
					}
					settled = w.authority().Data
					return nil
				}
				w.look() // a conflict is no error
				w.before = nil
				if settled != nil && !maps.EqualFunc(settled, w.authority().Data, bytes.Equal) {
					t.Error("the loser has written over what the winner made")
				}
				w.look()
				w.wantGood()
				if strings.Contains(w.log.String(), "level=ERROR") {
					t.Errorf("a race is told as an error:\n%s", w.log.String())
				}
			})
		}
	}
}
