package authority

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/events"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/crosswalk-dev/crosswalk/certs"
	"github.com/crosswalk-dev/crosswalk/internal/cluster"
)

const (
	namespace = "crosswalk-system"
	day       = 24 * time.Hour
	overlap   = time.Hour
)

// world is a fake API server with a keeper and a clock.
type world struct {
	t      *testing.T
	client client.Client
	keeper *keeper
	now    time.Time
	log    bytes.Buffer
	events *events.FakeRecorder

	writes int
	before func(write int) error     // is asked before every write, from 1
	gate   func(bundle []byte) error // nil is open
	asked  int                       // how often the gate was
	names  []string
}

func newWorld(t *testing.T, objects ...client.Object) *world {
	t.Helper()
	scheme, err := cluster.Scheme()
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), names: certs.ServiceNames("crosswalk", namespace)}
	w.client = fake.NewClientBuilder().WithScheme(scheme).WithObjects(objects...).WithInterceptorFuncs(interceptor.Funcs{
		Create: func(ctx context.Context, c client.WithWatch, o client.Object, opts ...client.CreateOption) error {
			if err := w.write(); err != nil {
				return err
			}
			return c.Create(ctx, o, opts...)
		},
		Update: func(ctx context.Context, c client.WithWatch, o client.Object, opts ...client.UpdateOption) error {
			if err := w.write(); err != nil {
				return err
			}
			return c.Update(ctx, o, opts...)
		},
	}).Build()
	w.restart()
	return w
}

func (w *world) write() error {
	w.writes++
	if w.before != nil {
		return w.before(w.writes)
	}
	return nil
}

// restart plays another process.
func (w *world) restart() {
	w.events = events.NewFakeRecorder(1000)
	w.keeper = newKeeper(w.client, w.client, Options{
		Namespace: namespace, Names: w.names, Overlap: overlap,
		Injected: func(_ context.Context, bundle []byte) error {
			w.asked++
			if !bytes.Equal(bundle, w.serving().Data["ca.crt"]) {
				w.t.Error("the gate is asked for a bundle that is not published")
			}
			if w.gate == nil {
				return nil
			}
			return w.gate(bundle)
		},
		Events: w.events,
		Logger: slog.New(slog.NewTextHandler(&w.log, nil)),
		Now:    func() time.Time { return w.now },
	})
}

// look reconciles once.
func (w *world) look() {
	w.t.Helper()
	result, err := w.keeper.Reconcile(w.t.Context(), reconcile.Request{})
	if err != nil {
		w.t.Fatal(err)
	}
	if result.RequeueAfter == 0 || result.RequeueAfter > interval {
		w.t.Errorf("looks again after %v", result.RequeueAfter)
	}
}

// wantExpiry compares the metric with when the CA expires, to the minute, or with 0.
func (w *world) wantExpiry(want time.Time) {
	w.t.Helper()
	got := time.Unix(int64(testutil.ToFloat64(&w.keeper.expiry)), 0)
	if want.IsZero() {
		want = time.Unix(0, 0)
	}
	if got.Sub(want).Abs() > time.Minute {
		w.t.Errorf("the CA expires %v, want %v", got, want)
	}
}

// wantState compares what the keeper reports to others; "" is no obstacle.
func (w *world) wantState(want string) {
	w.t.Helper()
	got := ""
	if o := w.keeper.State.Obstacle(); o != nil {
		got = o.Reason + ": " + o.Message
	}
	if got != want || !w.keeper.State.Known() {
		w.t.Errorf("the state is %q, want %q", got, want)
	}
}

// idle looks and wants no write.
func (w *world) idle() {
	w.t.Helper()
	before := w.writes
	w.look()
	if w.writes != before {
		w.t.Errorf("%d needless writes", w.writes-before)
	}
}

func (w *world) get(name string) *corev1.Secret {
	w.t.Helper()
	secret := &corev1.Secret{}
	if err := w.client.Get(w.t.Context(), client.ObjectKey{Namespace: namespace, Name: name}, secret); err != nil {
		w.t.Fatal(err)
	}
	return secret
}

func (w *world) authority() *corev1.Secret { w.t.Helper(); return w.get("crosswalk-authority") }
func (w *world) serving() *corev1.Secret   { w.t.Helper(); return w.get("crosswalk-serving") }

// change plays somebody else, whose writes are not counted.
func (w *world) change(secret *corev1.Secret, do func(*corev1.Secret)) {
	w.t.Helper()
	do(secret)
	if err := w.client.Update(w.t.Context(), secret); err != nil {
		w.t.Fatal(err)
	}
	w.writes--
}

func (w *world) remove(secret *corev1.Secret) {
	w.t.Helper()
	if err := w.client.Delete(w.t.Context(), secret); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) rotate(text string) {
	w.t.Helper()
	w.change(w.authority(), func(s *corev1.Secret) { s.Annotations = map[string]string{certs.AnnotationRotate: text} })
}

// recorded returns the Events since the last call.
func (w *world) recorded() []string {
	var all []string
	for {
		select {
		case event := <-w.events.Events:
			all = append(all, event)
		default:
			return all
		}
	}
}

func (w *world) wantEvents(wants ...string) {
	w.t.Helper()
	got := w.recorded()
	if len(got) != len(wants) {
		w.t.Errorf("events %q, want %q", got, wants)
		return
	}
	for i := range wants {
		if !strings.HasPrefix(got[i], wants[i]) {
			w.t.Errorf("event %q, want %q", got[i], wants[i])
		}
	}
}

// trusts reports whether a client with this bundle accepts this leaf now.
func (w *world) trusts(bundle, leaf []byte) bool {
	w.t.Helper()
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(bundle)
	block, _ := pem.Decode(leaf)
	if block == nil {
		w.t.Fatal("no leaf")
	}
	c, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		w.t.Fatal(err)
	}
	_, err = c.Verify(x509.VerifyOptions{Roots: roots, DNSName: "crosswalk.crosswalk-system.svc", CurrentTime: w.now})
	return err == nil
}

// wantGood checks that what is served is what clients accept.
func (w *world) wantGood() {
	w.t.Helper()
	s := w.serving()
	if !w.trusts(s.Data["ca.crt"], s.Data["tls.crt"]) {
		w.t.Error("the bundle does not trust the leaf")
	}
	if !bytes.Equal(s.Data["ca.crt"], w.authority().Data["ca.crt"]) {
		w.t.Error("the bundle is not the authority's")
	}
}

func authorities(bundle []byte) int { return bytes.Count(bundle, []byte("BEGIN CERTIFICATE")) }

var errDown = errors.New("the API server is unavailable")

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
