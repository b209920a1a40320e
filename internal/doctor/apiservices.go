package doctor

import (
	"context"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"

	admissionv1alpha1 "github.com/crosswalk-dev/crosswalk/api/admission/v1alpha1"
	conversionv1alpha1 "github.com/crosswalk-dev/crosswalk/api/conversion/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/internal/cluster"
)

// checkAPIServices checks that Crosswalk's own API groups are available, if they are installed.
// Policies may be called through them.
func (d *doctor) checkAPIServices(ctx context.Context, c *Check) {
	for _, group := range []string{admissionv1alpha1.GroupName, conversionv1alpha1.GroupName} {
		service := new(unstructured.Unstructured)
		service.SetGroupVersionKind(cluster.APIService())
		name := "v1alpha1." + group
		err := d.client.Get(ctx, client.ObjectKey{Name: name}, service)
		if client.IgnoreNotFound(err) != nil {
			c.failed("APIServices", err)
			return
		}
		conditions, _, _ := unstructured.NestedSlice(service.Object, "status", "conditions")
		for _, one := range conditions {
			condition, _ := one.(map[string]any)
			if condition["type"] == "Available" && condition["status"] != "True" {
				message, _ := condition["message"].(string)
				c.find(Problem, "apiservice "+name, "it is not available: "+message, "kubectl describe apiservice "+name)
			}
		}
	}
}
