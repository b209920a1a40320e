package authority

import (
	"bytes"
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
