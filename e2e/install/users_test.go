package install

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/stage"
)

// What the roles for people let them do. The first two are what crosswalk-view and
// crosswalk-edit have; whoever has Kubernetes' own role view has what crosswalk-view has,
// and whoever has admin may not write tables and policies.
var people = map[string][]right{
	"crosswalk-view": read,
	"crosswalk-edit": slices.Concat(read, write),
	"view":           read,
	"admin":          read,
}

var (
	read = []right{
		"get,list,watch crosswalks.crosswalk.dev */*",
		"get,list,watch validationpolicies.crosswalk.dev */*",
		"get,list,watch mutationpolicies.crosswalk.dev */*",
	}
	write = []right{
		"create,update,patch,delete,deletecollection crosswalks.crosswalk.dev */*",
		"create,update,patch,delete,deletecollection validationpolicies.crosswalk.dev */*",
		"create,update,patch,delete,deletecollection mutationpolicies.crosswalk.dev */*",
	}
	// neither is what is left to Crosswalk itself, and to who administers the cluster.
	neither = []right{
		"patch crosswalks/status.crosswalk.dev */*",
		"patch validationpolicies/status.crosswalk.dev */*",
		"patch customresourcedefinitions.apiextensions.k8s.io */*",
		"patch validatingwebhookconfigurations.admissionregistration.k8s.io */*",
	}
)

// testUsers asks the real authorizer what people may do whom somebody gives a role.
func (c *cluster) testUsers(t *testing.T, scene *harness.Scene) {
	stage.AggregateRoles(t, scene)
	for role, wanted := range people {
		c.kubectl(t, "create", "clusterrolebinding", "people-"+role, "--clusterrole="+role, "--group=people:"+role)
		t.Run(role, func(t *testing.T) {
			stage.Until(t, 30*time.Second, func(context.Context) error { // Kubernetes' own roles hear of it
				for _, r := range single(slices.Concat(read, write, neither)) {
					if may, want := c.allowed(t, "somebody", []string{"people:" + role, "system:authenticated"}, r), slices.Contains(single(wanted), r); may != want {
						return fmt.Errorf("may %s: %t, want %t", r, may, want)
					}
				}
				return nil
			})
		})
	}
}
