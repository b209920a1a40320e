package webhook

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	admissionv1 "k8s.io/api/admission/v1"

	"github.com/crosswalk-dev/crosswalk/conversion"
	"github.com/crosswalk-dev/crosswalk/validation"
)

// waiting is a converter that works until nobody waits for it.
type waiting struct {
	fake
	begun, ended atomic.Int32
}

func (w *waiting) ConvertNoting(ctx context.Context, dst, _ []byte, _ string, _ *conversion.Notes) ([]byte, error) {
	w.begun.Add(1)
	<-ctx.Done()
	w.ended.Add(1)
	return dst, context.Cause(ctx)
}

// forever is a handler with a waiting converter.
func forever(t *testing.T) (*waiting, http.Handler) {
	t.Helper()
	w, tables := new(waiting), NewTables(nil)
	if err := tables.Replace([]Converter{w}); err != nil {
		t.Fatal(err)
	}
	return w, NewHandler(Options{Tables: tables})
}

// TestClientGoneWhileConverting: neither the object that is being converted nor those
// behind it keep a server that drains.
func TestClientGoneWhileConverting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, h := forever(t)
		r := start(t, h, 0, 0)
		ctx, hangUp := context.WithCancel(t.Context())
		request, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://host/convert", strings.NewReader(review1(slices.Repeat([]string{star}, 100)...)))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Content-Type", "application/json")
		go func() { _, _ = r.webhook.Do(request) }() // fails: it hangs up
		synctest.Wait()
		begin := time.Now()
		r.stop()
		time.Sleep(3 * time.Second)
		if w.ended.Load() != 0 {
			t.Error("a conversion ended whose caller waited")
		}
		hangUp()
		if err := <-r.stopped; err != nil {
			t.Error(err)
		}
		if took := time.Since(begin); took > 10*time.Second {
			t.Errorf("the server took %v to drain", took)
		}
		if w.begun.Load() != 1 || w.ended.Load() != 1 {
			t.Errorf("%d objects were begun, and %d ended", w.begun.Load(), w.ended.Load())
		}
	})
}

// TestDrainEndsConversions: what a server cuts off when it has drained stops working.
func TestDrainEndsConversions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, h := forever(t)
		r := start(t, h, 0, 0)
		go func() { _, _ = ask(r.webhook, http.MethodPost, "https://host/convert", review1(star, star)) }() // fails: it is cut off
		synctest.Wait()
		r.stop()
		if err := <-r.stopped; err == nil || err.Error() != "requests in flight were cut off: context deadline exceeded" {
			t.Error(err)
		}
		synctest.Wait()
		if w.begun.Load() != 1 || w.ended.Load() != 1 {
			t.Errorf("%d objects were begun, and %d ended", w.begun.Load(), w.ended.Load())
		}
	})
}

// TestWritesOfWhoHasGone: neither reviewer allows what it has not looked at to the end.
func TestWritesOfWhoHasGone(t *testing.T) {
	tables := guardedCrontabs(t)
	const body = `"metadata":{"name":"a","annotations":{"stash.crosswalk.dev/v1beta1":"{\"format\":1,\"entries\":[{\"at\":[\"spec\",\"shell\"],\"value\":\"s\"}]}"}},"spec":{"image":"i"}`
	request := write(admissionv1.Create, "v1", body, "")
	gone, leave := context.WithCancel(t.Context())
	leave()
	late, cancel := context.WithTimeout(t.Context(), 0)
	defer cancel()
	for name, reviewer := range map[string]validation.Reviewer{"guard": Guard(tables), "strict": StrictWrites(tables)} {
		if _, err := reviewer.Review(t.Context(), request); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := reviewer.Review(gone, request); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := reviewer.Review(late, request); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
