package removal

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/stage"
)

// traffic writes and reads objects of one version, again and again, each request once.
type traffic struct {
	api     *harness.API
	version string
	denied  bool // policies deny an object
	end     context.CancelFunc
	running sync.WaitGroup

	mu     sync.Mutex
	rounds int
	failed []string
}

// startTraffic starts traffic, until stop is called. denied reports that policies are in force.
func startTraffic(t *testing.T, api *harness.API, version string, denied bool) *traffic {
	t.Helper()
	ctx, end := context.WithCancel(context.WithoutCancel(t.Context()))
	f := &traffic{api: api, version: version, denied: denied, end: end}
	t.Cleanup(end)
	f.running.Go(func() {
		for n := 0; ctx.Err() == nil; n++ {
			for _, failure := range f.round(ctx, n) {
				if ctx.Err() == nil {
					f.mu.Lock()
					f.failed = append(f.failed, time.Now().Format("15:04:05.000 ")+failure)
					f.mu.Unlock()
				}
			}
			f.mu.Lock()
			f.rounds++
			f.mu.Unlock()
		}
	})
	return f
}

// round creates, changes, reads and deletes an object. It returns what failed.
func (f *traffic) round(ctx context.Context, n int) (failed []string) {
	all := "/apis/stable.example.com/" + f.version + "/namespaces/default/crontabs"
	name := fmt.Sprintf("%s-%d", f.version, n)
	object := fmt.Appendf(nil, `{"apiVersion": "stable.example.com/%s", "kind": "CronTab", "metadata": {"name": %q},
		"spec": {"cronSpec": "30 4 * * 0", "image": "example.com/backup:1", "replicas": 1}}`, f.version, name)
	for _, r := range []struct {
		method, path, kind string
		body               []byte
	}{
		{http.MethodPost, all, harness.JSONType, object},
		{http.MethodPatch, all + "/" + name, harness.MergePatchType, []byte(`{"spec": {"replicas": 2}}`)},
		{http.MethodGet, all + "/" + name, "", nil},
		{http.MethodDelete, all + "/" + name, harness.JSONType, nil},
	} {
		if _, err := f.api.Do(ctx, r.method, r.path, r.kind, r.body); err != nil {
			failed = append(failed, err.Error())
		}
	}
	if f.denied {
		object = bytes.Replace(object, []byte("backup:1"), []byte("backup:latest"), 1)
		var denial *harness.StatusError
		if _, err := f.api.Do(ctx, http.MethodPost, all, harness.JSONType, object); !errors.As(err, &denial) || !strings.Contains(denial.Body, "name a tag other than latest") {
			failed = append(failed, fmt.Sprintf("no policy denies an object: %v", err))
		}
	}
	return failed
}

// moved waits for ten more rounds.
func (f *traffic) moved(t *testing.T) {
	t.Helper()
	f.mu.Lock()
	before := f.rounds
	f.mu.Unlock()
	stage.Until(t, 20*time.Second, func(context.Context) error {
		f.mu.Lock()
		defer f.mu.Unlock()
		if f.rounds < before+10 {
			return fmt.Errorf("%s: %d rounds", f.version, f.rounds-before)
		}
		return nil
	})
}

// stop wants that no request has failed.
func (f *traffic) stop(t *testing.T) {
	t.Helper()
	f.end()
	f.running.Wait()
	if f.rounds < 20 {
		t.Errorf("%s: only %d rounds", f.version, f.rounds)
	}
	if len(f.failed) > 0 {
		t.Errorf("%s: %d requests failed in %d rounds, the first and the last:\n%s\n%s", f.version, len(f.failed), f.rounds, f.failed[0], f.failed[len(f.failed)-1])
	}
	t.Logf("%s: %d rounds", f.version, f.rounds)
}
