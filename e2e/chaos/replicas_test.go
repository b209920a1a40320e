package chaos

import (
	"context"
	"fmt"
	"net/http"
	"path/filepath"
	"time"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
)

// followReplica asks a replica, whenever it becomes ready, for every CRD that is
// armed: directly, at its own port.
func (o *observer) followReplica(ctx context.Context, replica *harness.Role) {
	was := false
	for pause(ctx, 50*time.Millisecond) {
		now := ready(ctx, replica)
		if now && !was {
			o.tryReplica(ctx, replica)
		}
		was = now
	}
}

// tryReplica takes no excuse but that the replica has ended meanwhile, that the CRD
// has changed, or that the test has taken away the CA that CRDs believe.
func (o *observer) tryReplica(ctx context.Context, replica *harness.Role) {
	for name, a := range o.armedNow() {
		err := a.ask(ctx, replica.Port)
		now, still := o.armedNow()[name]
		if err != nil && (ctx.Err() != nil || !still || !now.same(a) || !ready(ctx, replica)) {
			continue
		}
		if err != nil && o.w.strangers.Load() {
			o.mu.Lock()
			o.excused++
			o.mu.Unlock()
			continue
		}
		if err != nil {
			o.complain("%s is ready, but does not answer for %s at %s: %v", filepath.Base(replica.Log()), name, a.path, err)
			continue
		}
		o.mu.Lock()
		o.asked++
		o.mu.Unlock()
	}
}

// ready reports whether a role says that it is.
func ready(ctx context.Context, role *harness.Role) bool {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, fmt.Sprintf("http://127.0.0.1:%d/readyz", role.Health), nil)
	if err != nil {
		return false
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return false
	}
	response.Body.Close()
	return response.StatusCode == http.StatusOK
}
