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
	for pause(ctx, 10*time.Millisecond) {
		now := ready(ctx, replica)
		if now && !was {
			o.tryReplica(ctx, replica)
		}
		was = now
	}
}

func (o *observer) tryReplica(ctx context.Context, replica *harness.Role) {
	for name, a := range o.armedNow() {
		since := time.Now()
		err := a.ask(ctx, replica.Port)
		if now, still := o.armedNow()[name]; err != nil && (!still || !now.same(a)) {
			continue // the CRD has changed meanwhile
		}
		o.judge(ctx, err, since, fmt.Sprintf("%s is ready, but does not answer for %s at %s", filepath.Base(replica.Log()), name, a.path))
	}
}

// ready says whether a role says that it is.
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
