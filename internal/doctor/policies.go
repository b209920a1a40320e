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
			policy := &list[i]
			name := strings.ToLower(kind) + " " + policy.GetName()
			is := meta.FindStatusCondition(manage.Conditions(policy), v1alpha1.ConditionReady)
			if is.Status == metav1.ConditionTrue {
				ready++
				continue
			}
			c.find(Problem, name, unready(is), d.restore("kubectl describe "+name))
		}
	}
	c.Detail = fmt.Sprintf("%d of %d ready", ready, all)
}
