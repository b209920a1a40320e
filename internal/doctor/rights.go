package doctor

import (
	"context"
	"fmt"
	"strings"

	"github.com/crosswalk-dev/crosswalk/internal/rights"
)

// checkRights asks the API server for the rights of both roles.
func (d *doctor) checkRights(ctx context.Context, c *Check) {
	serve, err := d.Roles.Serve(args(d.deployments[serveRole], serveRole), d.Service)
	if err != nil {
		c.find(Problem, "crosswalk serve", fmt.Sprintf("its arguments are wrong: %v", err), d.reinstall())
	}
	n := 0
	for _, role := range []struct {
		name   string
		needed []rights.Right
	}{{serveRole, serve}, {manageRole, d.manage.Rights()}} {
		account := rights.Account{Namespace: d.Service.Namespace, Name: d.account(role.name)}
		missing, err := rights.MissingOf(ctx, d.reviews, account, role.needed)
		if err != nil {
			c.failed("rights", err)
			return
		}
		if len(missing) > 0 {
			c.find(Problem, d.in("serviceaccount", account.Name), fmt.Sprintf("crosswalk %s may not %s", role.name, strings.Join(rights.Texts(missing), ", ")), d.reinstall())
		}
		n += len(role.needed)
	}
	c.Detail = count(n, "right") + " of two ServiceAccounts"
}
