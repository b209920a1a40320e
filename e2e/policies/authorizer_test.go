package policies

import (
	"context"
	"strings"
	"time"

	"github.com/crosswalk-dev/crosswalk/e2e/internal/stage"
)

const rbac = "/apis/rbac.authorization.k8s.io/v1/"

// What the writer may do besides is for the API server's authorizer to say.
func (p play) testAuthorizer() {
	p.policy("ValidationPolicy", "secretive", about+`validations:
- expression: authorizer.group('').resource('secrets').namespace(request.namespace).check('get').allowed()
  fieldPath: .spec.image
  message: is for who may read Secrets`)
	stage.Until(p.T, 20*time.Second, func(ctx context.Context) error { return create(ctx, p.v1, "asked", "") })

	p.post(rbac+"clusterroles", "writer", `{"metadata":{"name":"writer"},"rules":[{"apiGroups":["stable.example.com"],"resources":["crontabs"],"verbs":["create","get"]}]}`)
	p.post(rbac+"clusterrolebindings", "writer", `{"metadata":{"name":"writer"},"roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole","name":"writer"},
		"subjects":[{"apiGroup":"rbac.authorization.k8s.io","kind":"User","name":"writer"}]}`)
	stage.Until(p.T, 20*time.Second, func(context.Context) error { // until the API server knows the role
		said, err := p.combined(string(crontab(p.v1, "asked", "")), "create", "--as=writer", "-f", "-")
		if err == nil {
			p.Fatal("who may not read Secrets is let pass")
		}
		if strings.Contains(said, "spec.image: Forbidden") || strings.Contains(said, "is for who may read Secrets") {
			return nil
		}
		return err
	})
}
