package typed

import (
	"context"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// requestKey is the key of the request in the context of a validator.
type requestKey struct{}

// RequestFrom returns the request that a validator or defaulter was called for: the writer,
// whether it is a dry run, the subresource. It panics if ctx is not the context of that call.
func RequestFrom(ctx context.Context) *admissionv1.AdmissionRequest {
	return ctx.Value(requestKey{}).(*admissionv1.AdmissionRequest)
}

// kindOf returns the kind of the request's objects.
func kindOf(request *admissionv1.AdmissionRequest) schema.GroupVersionKind {
	return schema.GroupVersionKind{Group: request.Kind.Group, Version: request.Kind.Version, Kind: request.Kind.Kind}
}
