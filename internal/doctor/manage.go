package doctor

import (
	"context"
	"fmt"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/crosswalk-dev/crosswalk/internal/manage"
)

// checkManage looks at the replicas of manage and at the Lease of the leader. Without a leader,
// no status is current.
func (d *doctor) checkManage(ctx context.Context, c *Check) {
	configuration, err := d.Roles.Manage(args(d.deployments[manageRole], manageRole), d.Service)
	if err != nil {
		c.find(Problem, "crosswalk manage", fmt.Sprintf("its arguments are wrong: %v", err), d.reinstall())
	}
	d.manage = configuration
	if d.outside() {
		c.Detail = "runs outside of the cluster"
	} else {
		d.checkReplicas(ctx, c, manageRole)
	}
	if !d.manage.LeaderElection {
		return
	}
	lease := new(coordinationv1.Lease)
	err = d.client.Get(ctx, client.ObjectKey{Namespace: d.Service.Namespace, Name: manage.LeaseName}, lease)
	if err != nil && !apierrors.IsNotFound(err) {
		c.failed("the Lease "+manage.LeaseName, err)
		return
	}
	holder := ptr.Deref(lease.Spec.HolderIdentity, "")
	// The leader renews its Lease seven times while it lasts (client-go's leaderelection,
	// RetryPeriod). If it has not for half of the time, it has ended, or soon will.
	lasts := time.Duration(ptr.Deref(lease.Spec.LeaseDurationSeconds, 0)) * time.Second / 2
	if holder != "" && lease.Spec.RenewTime != nil && d.time().Before(lease.Spec.RenewTime.Add(lasts)) {
		c.Detail = join(c.Detail, "leader "+holder)
		return
	}
	d.down = true
	cause := "no process holds it, so crosswalk manage does not run: statuses may be wrong, no certificate is renewed, and what other clients change is not restored"
	if d.outside() {
		cause += "; start it again, outside of the cluster"
	}
	c.find(Problem, d.in("lease", manage.LeaseName), cause, d.start(manageRole))
}
