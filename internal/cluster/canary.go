package cluster

import (
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
)

// CanaryCRD is a CRD for testing whether the API server reaches the serving processes.
// deploy/base contains it and its Crosswalk.
const CanaryCRD = "canaries." + v1alpha1.GroupName

// CanaryKind is a version of the canary that is not stored, so every request for it is
// converted.
func CanaryKind() schema.GroupVersionKind {
	return schema.GroupVersionKind{Group: v1alpha1.GroupName, Version: "v1alpha1", Kind: "Canary"}
}
