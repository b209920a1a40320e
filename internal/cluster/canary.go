package cluster

import (
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
)

// CanaryCRD is the CRD by which it is tried whether the API server reaches the
// serving processes. It and its Crosswalk come with deploy/base.
const CanaryCRD = "canaries." + v1alpha1.GroupName

// CanaryKind is the version of the canary that is not stored: whatever goes
// through it is converted.
func CanaryKind() schema.GroupVersionKind {
	return schema.GroupVersionKind{Group: v1alpha1.GroupName, Version: "v1alpha1", Kind: "Canary"}
}
