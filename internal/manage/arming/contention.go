package arming

import (
	"fmt"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crosswalk-dev/crosswalk/internal/manage/reach"
)

// Each write to a CRD makes the API server build that resource's storage and caches anew. If
// another client keeps writing a different conversion, ours is written at once a few times, and
// then only this often. A CRD without any conversion is restored without a limit, because it
// loses data until then.
const (
	writesAtOnce = 5
	writesWindow = time.Minute
)

func (r *reconciler) noteWrite(crd string, w conversionSpec) {
	r.mu.Lock()
	defer r.mu.Unlock()
	at := append(r.written[crd], r.Now())
	r.written[crd] = at[max(0, len(at)-writesAtOnce):]
	r.left[crd] = w
}

// asLeft reports whether a CRD is unchanged since it was last written. It then needs another
// table or another CA, and no client has interfered.
func (r *reconciler) asLeft(crd *apiextensionsv1.CustomResourceDefinition) bool {
	r.mu.Lock()
	w, known := r.left[crd.Name]
	r.mu.Unlock()
	return known && r.holds(crd, w)
}

// contended returns an obstacle if a CRD has been written too often.
func (r *reconciler) contended(crd *apiextensionsv1.CustomResourceDefinition) *reach.Obstacle {
	r.mu.Lock()
	defer r.mu.Unlock()
	at := r.written[crd.Name]
	if len(at) < writesAtOnce || r.Now().Sub(at[0]) > writesWindow {
		return nil
	}
	return &reach.Obstacle{Reason: "Contended", Message: fmt.Sprintf(
		"%s keeps writing another conversion into the CRD: it was corrected %d times within %s; remove spec.conversion from what that client applies, and check that Crosswalk is installed only once",
		disarmer(crd), writesAtOnce, writesWindow)}
}
