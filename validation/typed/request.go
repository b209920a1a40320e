package typed

import (
	"context"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// requestKey is the key of the request in the context of a validator.
type requestKey struct{}

// RequestFrom is the request that a validator or defaulter is asked about: who
// writes, whether it is a dry run, which subresource. It panics where ctx is not the
// context that a validator or defaulter was called with.
func RequestFrom(ctx context.Context) *admissionv1.AdmissionRequest {
	return ctx.Value(requestKey{}).(*admissionv1.AdmissionRequest)
}

// kindOf is the kind of the request's objects.
func kindOf(request *admissionv1.AdmissionRequest) schema.GroupVersionKind {
	return schema.GroupVersionKind{Group: request.Kind.Group, Version: request.Kind.Version, Kind: request.Kind.Kind}
}
