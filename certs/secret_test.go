package certs

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes/fake"
	corev1client "k8s.io/client-go/kubernetes/typed/core/v1"
	clienttesting "k8s.io/client-go/testing"
)

const namespace = "crosswalk-system"

// scene is a fake API server and a Secret source that runs.
type scene struct {
	t      *testing.T
	server *fake.Clientset
	source *Secret
	clock  *shifted
	log    *syncBuffer

	mu   sync.Mutex
	fail error // what lists and watches answer with
}

// newScene starts a source in a bubble of virtual time.
func newScene(t *testing.T, objects ...runtime.Object) *scene {
	s := &scene{t: t, server: fake.NewClientset(objects...), clock: &shifted{}, log: &syncBuffer{}}
	refuse := func() (bool, error) {
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.fail != nil, s.fail
	}
	s.server.PrependReactor("list", "secrets", func(clienttesting.Action) (bool, runtime.Object, error) {
		stop, err := refuse()
		return stop, nil, err
	})
	s.source = NewSecret(SecretOptions{
		Client: listing{s.server.CoreV1()}, Namespace: namespace, Name: "crosswalk-serving",
		Logger: slog.New(slog.NewTextHandler(s.log, nil)), Now: s.clock.now,
	})
	return s
}

// listing reports what the fake API server's typed client does not: that it cannot stream a
// list.
type listing struct{ corev1client.SecretsGetter }

func (listing) IsWatchListSemanticsUnSupported() bool { return true }

func (s *scene) failWith(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fail = err
}

func (s *scene) run() { runs(s.t, s.source) }

// settle lets everything happen that happens within some minutes.
func (s *scene) settle() {
	time.Sleep(5 * time.Minute)
	synctest.Wait()
}

func (s *scene) logged(text string) int { return strings.Count(s.log.String(), text) }

func (s *scene) wantLogged(text string, times int) {
	s.t.Helper()
	if n := s.logged(text); n != times {
		s.t.Errorf("%q was logged %d times, want %d:\n%s", text, n, times, s.log.String())
	}
}

func (s *scene) wantNone(why string) {
	s.t.Helper()
	_, err := s.source.Current()
	wantError(s.t, err, "secret crosswalk-system/crosswalk-serving: "+why)
}

func (s *scene) put(secret *corev1.Secret) {
	s.t.Helper()
	secrets := s.server.CoreV1().Secrets(secret.Namespace)
	_, err := secrets.Update(s.t.Context(), secret, metav1.UpdateOptions{})
	if apierrors.IsNotFound(err) {
		_, err = secrets.Create(s.t.Context(), secret, metav1.CreateOptions{})
	}
	if err != nil {
		s.t.Fatal(err)
	}
	synctest.Wait()
}

func servingSecret(name string, data map[string][]byte) *corev1.Secret {
	return &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}, Data: data}
}

// servedBy makes the data of a serving Secret, of an authority of its own.
func servedBy(t *testing.T, now time.Time) map[string][]byte {
	t.Helper()
	k, _ := advanced(t, &Keyring{}, now, Conditions{})
	data, _ := leafOf(t, k, now, nil)
	return data
}

const missing = "it does not exist; `crosswalk manage` or cert-manager makes it: check that the one you use runs"

func TestSecretComesAndChanges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t, servingSecret("crosswalk-authority", servedBy(t, time.Now())))
		s.wantNone("the API server has not been asked for it yet")
		s.run()
		s.settle()
		s.wantNone(missing)
		s.wantLogged("there is no usable certificate", 1)
		s.wantLogged("the last good one stays", 0)

		changed := s.source.Changed()
		first := servedBy(t, time.Now())
		s.put(servingSecret("crosswalk-serving", first))
		<-changed
		if p := current(t, s.source); string(p.CABundle) != string(first["ca.crt"]) {
			t.Error("another bundle")
		}
		s.wantLogged("the certificate is good again", 1)

		// A change is served as soon as it is seen, and told once.
		second := servedBy(t, time.Now())
		s.put(servingSecret("crosswalk-serving", second))
		if p := current(t, s.source); string(p.CABundle) != string(second["ca.crt"]) {
			t.Error("the change is not served")
		}
		s.settle()
		s.wantLogged("msg=\"serving certificate\"", 2)
		// What is does not concern the Secret changes nothing.
		s.put(servingSecret("crosswalk-authority", first))
		s.settle()
		s.wantLogged("msg=\"serving certificate\"", 2)
		if s.logged("PRIVATE KEY") > 0 || s.logged("BEGIN") > 0 {
			t.Errorf("a key is in the log:\n%s", s.log.String())
		}
	})
}

// TestSecretBad: whatever happens to the Secret, the last good pair stays, and the log names
// the fault once.
func TestSecretBad(t *testing.T) {
	other := func(t *testing.T) map[string][]byte { return servedBy(t, time.Now()) }
	tests := []struct {
		name   string
		change func(t *testing.T, s *scene, data map[string][]byte)
		want   string
	}{
		{"no certificate", func(_ *testing.T, _ *scene, d map[string][]byte) { delete(d, "tls.crt") }, "it has no tls.crt"},
		{"an empty key", func(_ *testing.T, _ *scene, d map[string][]byte) { d["tls.key"] = []byte{} }, "it has no tls.key"},
		{"another key", func(t *testing.T, _ *scene, d map[string][]byte) { d["tls.key"] = other(t)["tls.key"] },
			"tls: private key does not match public key"},
		{"another CA", func(t *testing.T, _ *scene, d map[string][]byte) { d["ca.crt"] = other(t)["ca.crt"] },
			"the certificate is not signed by the CA bundle: x509: certificate signed by unknown authority (possibly because of \"x509: ECDSA verification failure\" while trying to verify candidate authority certificate \"Crosswalk built-in authority\")"},
		{"a long chain", func(_ *testing.T, _ *scene, d map[string][]byte) { d["tls.crt"] = bytes.Repeat(d["tls.crt"], 11) },
			"tls.crt holds 11 certificates, and clients accept 10: keep the serving certificate and its intermediates there, nothing else"},
		{"no CA in the bundle", func(_ *testing.T, _ *scene, d map[string][]byte) { d["ca.crt"] = []byte("x") }, "the CA bundle has no certificate"},
		{"time", func(_ *testing.T, s *scene, _ map[string][]byte) { s.clock.shift(91 * day) },
			"the certificate expired on 2000-03-31T00:00:00Z"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				data := servedBy(t, time.Now())
				s := newScene(t, servingSecret("crosswalk-serving", data))
				s.run()
				s.settle()
				good := current(t, s.source)

				bad := servingSecret("crosswalk-serving", data).DeepCopy()
				test.change(t, s, bad.Data)
				s.put(bad)
				s.settle()
				if current(t, s.source) != good {
					t.Error("the last good pair is gone")
				}
				s.wantLogged("the certificate is not usable; the last good one stays", 1)
				wantError(t, s.source.Refresh(), "secret crosswalk-system/crosswalk-serving: "+test.want)

				s.put(servingSecret("crosswalk-serving", servedBy(t, s.clock.now())))
				s.settle()
				if current(t, s.source) == good {
					t.Error("the mended pair is not served")
				}
				s.wantLogged("the certificate is good again", 1)
			})
		})
	}
}

func TestSecretDeleted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t, servingSecret("crosswalk-serving", servedBy(t, time.Now())))
		s.run()
		s.settle()
		good := current(t, s.source)
		if err := s.server.CoreV1().Secrets(namespace).Delete(t.Context(), "crosswalk-serving", metav1.DeleteOptions{}); err != nil {
			t.Fatal(err)
		}
		s.settle()
		if current(t, s.source) != good {
			t.Error("the last good pair is gone")
		}
		s.wantLogged("it does not exist", 1)
	})
}

// TestSecretServerUnavailable: the API server fails at first, and again later.
func TestSecretServerUnavailable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t, servingSecret("crosswalk-serving", servedBy(t, time.Now())))
		s.failWith(errors.New("connection refused"))
		s.run()
		s.settle()
		s.wantNone("connection refused")
		s.wantLogged("there is no usable certificate", 1)
		s.failWith(apierrors.NewForbidden(schema.GroupResource{Resource: "secrets"}, "crosswalk-serving", errors.New("no")))
		s.settle()
		s.wantNone(`secrets "crosswalk-serving" is forbidden: no`)
		s.wantLogged("there is no usable certificate", 2)
		s.failWith(nil)
		s.settle()
		good := current(t, s.source)
		s.wantLogged("the certificate is good again", 1)
		s.wantLogged("cannot be watched", 0)
		if current(t, s.source) != good {
			t.Error("the pair has changed")
		}
	})
}

// TestSecretServerLeaves: if there is a pair, a watch that breaks is reported as an error of
// the watch, not of the certificate.
func TestSecretServerLeaves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t, servingSecret("crosswalk-serving", servedBy(t, time.Now())))
		watches := make(chan *watch.FakeWatcher, 100)
		s.server.PrependWatchReactor("secrets", func(clienttesting.Action) (bool, watch.Interface, error) {
			w := watch.NewFake()
			watches <- w
			return true, w, nil
		})
		s.run()
		s.settle()
		good := current(t, s.source)
		// The API server ends watches regularly. That is not reported.
		(<-watches).Stop()
		s.settle()
		s.wantLogged("watched", 0)

		s.failWith(errors.New("connection refused"))
		w := <-watches
		w.Error(&metav1.Status{Reason: metav1.StatusReasonExpired, Code: 410})
		w.Stop()
		s.settle()
		if current(t, s.source) != good {
			t.Error("the last good pair is gone")
		}
		s.wantLogged("the Secret cannot be watched", 1)
		s.wantLogged("not usable", 0)

		changed := s.source.Changed()
		s.put(servingSecret("crosswalk-serving", servedBy(t, time.Now()))) // nobody sees it
		s.failWith(nil)
		s.settle()
		<-changed
		s.wantLogged("the Secret is watched again", 1)
	})
}

// TestSecretWithoutCA: an issuer that clients know anyway needs no bundle.
func TestSecretWithoutCA(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		data := servedBy(t, time.Now())
		data["ca.crt"] = nil
		s := newScene(t, servingSecret("crosswalk-serving", data))
		s.run()
		s.settle()
		if p := current(t, s.source); p.CABundle != nil {
			t.Errorf("CA bundle %q", p.CABundle)
		}
	})
}

// TestSecretSelects: both the list and the watch must name the Secret, or RBAC
// with resourceNames refuses them.
func TestSecretSelects(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		s.run()
		s.settle()
		verbs := map[string]int{}
		for _, action := range s.server.Actions() {
			var selector string
			switch a := action.(type) {
			case clienttesting.ListAction:
				selector = a.GetListRestrictions().Fields.String()
			case clienttesting.WatchAction:
				selector = a.GetWatchRestrictions().Fields.String()
			}
			if selector != "metadata.name=crosswalk-serving" || action.GetNamespace() != namespace {
				t.Errorf("%s in %q with the selector %q", action.GetVerb(), action.GetNamespace(), selector)
			}
			verbs[action.GetVerb()]++
		}
		if verbs["list"] == 0 || verbs["watch"] == 0 {
			t.Errorf("requests: %v", verbs)
		}
	})
}

func TestSecretRunEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		s.failWith(errors.New("connection refused"))
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- s.source.Run(ctx) }()
		s.settle()
		start := time.Now()
		cancel()
		if err := <-done; err != nil || time.Since(start) > 0 {
			t.Errorf("ended after %v with %v", time.Since(start), err)
		}
	})
}
