package reach

import (
	"context"
	"errors"
	"net/http"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	"github.com/crosswalk-dev/crosswalk/certs"
	"github.com/crosswalk-dev/crosswalk/internal/cluster"
)

// restarting is an API server that does not answer for a while.
type restarting struct {
	client.Reader
	down atomic.Bool
}

func (r *restarting) Get(ctx context.Context, key client.ObjectKey, object client.Object, options ...client.GetOption) error {
	if r.down.Load() {
		return errors.New("connection refused")
	}
	return r.Reader.Get(ctx, key, object, options...)
}

func TestFollow(t *testing.T) {
	authority, err := certs.NewAuthority(certs.AuthorityOptions{Dir: t.TempDir(), Names: []string{"crosswalk.crosswalk-system.svc"}})
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now() // synctest has another clock
	synctest.Test(t, func(t *testing.T) {
		source := &changing{Source: authority, changed: make(chan struct{})}
		live := &restarting{Reader: fake.NewFakeClient(&corev1.Service{
			ObjectMeta: metav1.ObjectMeta{Namespace: "crosswalk-system", Name: "crosswalk"}, Spec: corev1.ServiceSpec{ClusterIP: "10.0.0.7"},
		})}
		s := &Serve{
			Service: cluster.Service{Namespace: "crosswalk-system", Name: "crosswalk"}, Port: 443, Replicas: []string{"10.1.0.1:8443", "10.1.0.2:8443"},
			Certs: source, Live: live, Cached: live, Now: func() time.Time { return now },
		}
		var hangs atomic.Value // the address of the server that does
		hangs.Store("")
		var asked atomic.Int32
		probe := func(ctx context.Context, client *http.Client, address string) error {
			asked.Add(1)
			if address != hangs.Load() {
				return nil
			}
			time.Sleep(client.Timeout)
			return errors.New("no answer")
		}
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		go func() { _ = s.Follow(ctx, probe) }()
		synctest.Wait() // for the first round, whose result is a change, too
		// within waits for another result.
		within := func(limit time.Duration, want string) {
			t.Helper()
			select {
			case <-s.Changed():
			case <-time.After(limit):
				t.Fatalf("still %v after %v", s.Obstacle(), limit)
			}
			got := ""
			if obstacle := s.Obstacle(); obstacle != nil {
				got = obstacle.Reason + ": " + obstacle.Message
			}
			if got != want {
				t.Errorf("got %s\nwant %s", got, want)
			}
		}
		for address, want := range map[string]string{
			"10.1.0.2:8443": "WaitingForReplicas: the replica 10.1.0.2:8443 does not answer: no answer",
			"10.0.0.7:443":  "ServiceUnreachable: the Service crosswalk-system/crosswalk does not answer: no answer",
		} {
			hangs.Store(address)
			within(9*time.Second, want)
			before := asked.Load()
			if problem, err := s.AskAll(ctx, func(ctx context.Context, address string) error { return probe(ctx, nil, address) }); problem != s.Obstacle() || err != nil || asked.Load() != before {
				t.Errorf("%v, %v: asks again what is known", problem, err)
			}
			hangs.Store("")
			within(pulseTime+pulseOften, "")
		}

		// One request without an answer changes nothing.
		unchanged := func(d time.Duration, when string) {
			t.Helper()
			select {
			case <-s.Changed():
				t.Errorf("%s: %v", when, s.Obstacle())
			case <-time.After(d):
			}
		}
		time.Sleep(pulseEvery)
		synctest.Wait()
		hangs.Store("10.1.0.1:8443")
		time.Sleep(pulseEvery) // it is asked
		synctest.Wait()
		hangs.Store("")
		unchanged(time.Minute, "after one failure")
		live.down.Store(true)
		unchanged(time.Minute, "without the API server")
		live.down.Store(false)

		// A new bundle is used at once.
		time.Sleep(pulseEvery)
		synctest.Wait()
		before, last := asked.Load(), source.changed
		source.changed = make(chan struct{})
		close(last)
		synctest.Wait()
		if asked.Load() == before {
			t.Error("nobody is asked with the new bundle")
		}
	})
}
