package lookup

import (
	"context"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	authorizationv1client "k8s.io/client-go/kubernetes/typed/authorization/v1"

	"github.com/crosswalk-dev/crosswalk/internal/rights"
	"github.com/crosswalk-dev/crosswalk/validation/policy"
)

// Rights asks the API server for the rights of this process. It implements [policy.Rights].
type Rights struct {
	client authorizationv1client.SelfSubjectAccessReviewsGetter
	kinds  *kinds
	now    func() time.Time

	mu    sync.Mutex
	known map[right]answered
}

type right struct {
	verb     string
	resource schema.GroupResource
}

type answered struct {
	at  time.Time
	may bool
}

var _ policy.Rights = (*Rights)(nil)

// remembered is how long an answer is cached. All policies that need a right are asked about it
// together.
const remembered = 3 * time.Second

// May implements [policy.Rights]. An answer is cached for a while.
func (r *Rights) May(ctx context.Context, verb string, resource schema.GroupResource) (bool, error) {
	what := right{verb, resource}
	r.mu.Lock()
	last := r.known[what]
	r.mu.Unlock()
	if r.now().Sub(last.at) < remembered {
		return last.may, nil
	}
	may, err := rights.May(ctx, r.client, rights.Right{Verb: verb, Group: resource.Group, Resource: resource.Resource})
	if err != nil {
		return false, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for old, is := range r.known {
		if r.now().Sub(is.at) >= remembered {
			delete(r.known, old)
		}
	}
	r.known[what] = answered{r.now(), may}
	return may, nil
}

// Resource implements [policy.Rights].
func (r *Rights) Resource(ctx context.Context, kind schema.GroupVersionKind) (schema.GroupResource, error) {
	mapping, err := r.kinds.resource(ctx, kind)
	if err != nil {
		return schema.GroupResource{}, err
	}
	return mapping.Resource.GroupResource(), nil
}
