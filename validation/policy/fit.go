package policy

import (
	"context"

	"k8s.io/apimachinery/pkg/runtime/schema"

	fitting "github.com/crosswalk-dev/crosswalk/validation/schema"
)

// Schemas knows which types the values of custom resources have.
type Schemas interface {
	// Fit compares an object, as JSON, with the schema of its resource in its version.
	// Where none is known everything fits, as do all kinds of Kubernetes itself, which
	// the API server has decoded before it asks.
	Fit(ctx context.Context, resource schema.GroupVersionResource, object []byte) fitting.Fit
}

// fit says how the object that is written, as it is by now, fits the schema of the
// version that it is written in, by which the API server judges it in the end. What did
// not fit before either is no mistake of the writer's, and the API server may let it
// stay: it fits.
func (s *subject) fit(ctx context.Context) fitting.Fit {
	r := s.request
	if s.cluster.Schemas == nil || r.SubResource != "" && r.SubResource != "status" {
		return fitting.Fits
	}
	if w := r.RequestKind; w != nil && w.Version != r.Kind.Version {
		if s = s.inServed(w.Version); s == nil {
			return fitting.Fits
		}
	}
	resource := schema.GroupVersionResource(s.request.Resource)
	fit := s.cluster.Schemas.Fit(ctx, resource, s.object.Text())
	if old := s.old.Text(); fit != fitting.Fits && len(old) > 0 && s.cluster.Schemas.Fit(ctx, resource, old) != fitting.Fits {
		return fitting.Fits
	}
	return fit
}
