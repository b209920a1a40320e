package arming

import (
	"fmt"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// Each write to a CRD makes the API server build that resource's storage and
// caches anew. So where somebody else keeps writing another conversion, ours is
// written at once a few times, and then only as often as this. A CRD that has
// been disarmed is restored without limit: it loses data until then.
const (
	writesAtOnce = 5
	writesWindow = time.Minute
)

func (r *reconciler) noteWrite(crd string, w wanted) {
	r.mu.Lock()
	defer r.mu.Unlock()
	at := append(r.written[crd], r.Now())
	r.written[crd] = at[max(0, len(at)-writesAtOnce):]
	r.left[crd] = w
}

// asLeft reports whether a CRD is as it was written last, so that it waits for
// another table or another CA, and for nobody's going away.
func (r *reconciler) asLeft(crd *apiextensionsv1.CustomResourceDefinition) bool {
	r.mu.Lock()
	w, known := r.left[crd.Name]
	r.mu.Unlock()
	return known && r.holds(crd, w)
}

// contended reports whether a CRD has been written too often already.
func (r *reconciler) contended(crd *apiextensionsv1.CustomResourceDefinition) *obstacle {
	r.mu.Lock()
	defer r.mu.Unlock()
	at := r.written[crd.Name]
	if len(at) < writesAtOnce || r.Now().Sub(at[0]) > writesWindow {
		return nil
	}
	return &obstacle{"Contended", fmt.Sprintf(
		"%s keeps writing another conversion into the CRD: it was corrected %d times within %s; take spec.conversion out of what that applies, and see that there is one installation of Crosswalk",
		disarmer(crd), writesAtOnce, writesWindow)}
}
