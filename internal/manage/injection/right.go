package injection

import (
	"context"
	"fmt"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"

	"github.com/crosswalk-dev/crosswalk/internal/rights"
)

// retryRight is how soon to check again for a right that somebody was asked to grant.
const retryRight = 15 * time.Second

// right asks the API server whether we may write an object. The obstacle explains how to grant
// the right. Asking first keeps denials, which alarm people, out of the audit log.
func (i *Injector) right(ctx context.Context, t target) (*obstacle, error) {
	resource, _ := meta.UnsafeGuessKindToResource(t.GroupVersionKind)
	may, err := rights.May(ctx, i.access, rights.Right{Verb: "patch", Group: resource.Group, Version: resource.Version, Resource: resource.Resource, Name: t.Name})
	if err != nil {
		return nil, fmt.Errorf("asking the API server for the right to write %s: %w", t, err)
	}
	if may {
		return nil, nil
	}
	subject, err := i.subject(ctx)
	if err != nil {
		return nil, err
	}
	// An Event has little room, and a name may have 253 characters.
	const longest = 40
	role := "crosswalk-injects-" + strings.TrimSuffix(strings.ToLower(t.Kind), "configuration") + "-" + t.Name[:min(len(t.Name), longest)]
	return &obstacle{reasonRight, fmt.Sprintf("Crosswalk may not write this object; allow it with "+
		"`kubectl create clusterrole %s --verb=patch --resource=%s --resource-name=%s` and `kubectl create clusterrolebinding %s --clusterrole=%s %s`; "+
		"or for all annotated objects with deploy/components/injection (Helm: injection.enabled)",
		role, resource.GroupResource(), t.Name, role, role, subject), retryRight}, nil
}
