package admit

import (
	"context"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/client-go/applyconfigurations"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/crosswalk-dev/crosswalk/validation/policy"
)

// types holds the types of CRDs, and of Kubernetes itself.
type types struct{ custom policy.Types }

// TypeConverter implements [policy.Types].
func (t types) TypeConverter(ctx context.Context, kind schema.GroupVersionKind) (managedfields.TypeConverter, error) {
	if scheme.Scheme.Recognizes(kind) {
		return applyconfigurations.NewTypeConverter(scheme.Scheme), nil
	}
	return t.custom.TypeConverter(ctx, kind)
}
