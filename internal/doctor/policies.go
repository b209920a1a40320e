package doctor

import (
	"context"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/internal/manage"
)

// checkPolicies looks at the conditions of every policy.
func (d *doctor) checkPolicies(ctx context.Context, c *Check) {
	ready, all := 0, 0
	for _, kind := range []string{v1alpha1.KindValidationPolicy, v1alpha1.KindMutationPolicy} {
		list, err := d.list(ctx, kind)
		if err != nil {
			c.failed(kind, err)
			continue
		}
		all += len(list)
		for i := range list {
			if d.checkPolicy(c, strings.ToLower(kind)+" "+list[i].GetName(), manage.Conditions(&list[i])) {
				ready++
			}
		}
	}
	c.Detail = fmt.Sprintf("%d of %d ready", ready, all)
}

// checkPolicy reports whether a policy is ready. One that is ready may have other faults: its
// expressions fail for every object, or for those that are scaled.
func (d *doctor) checkPolicy(c *Check, object string, conditions []metav1.Condition) bool {
	command := d.restore("kubectl describe " + object)
	if is := meta.FindStatusCondition(conditions, v1alpha1.ConditionReady); is.Status != metav1.ConditionTrue {
		c.find(Problem, object, unready(is), command)
		return false
	}
	if is := meta.FindStatusCondition(conditions, v1alpha1.ConditionFitsSchemas); is != nil && is.Status == metav1.ConditionFalse {
		c.find(Problem, object, "its expressions do not fit the schemas: "+is.Message, command)
	}
	if is := meta.FindStatusCondition(conditions, v1alpha1.ConditionPermitted); is != nil && is.Status == metav1.ConditionFalse {
		c.find(Problem, object, "it lacks rights: "+is.Message, command)
	}
	return true
}
