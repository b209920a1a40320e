package migrate

import (
	"strings"
	"testing"

	authorizationv1 "k8s.io/api/authorization/v1"

	"github.com/crosswalk-dev/crosswalk/e2e/internal/stage"
)

// enough are the rules of docs/migrate.md: all that a migration needs.
const enough = `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: migrator}
rules:
- {apiGroups: [rights.example.com], resources: [crontabs], verbs: [get, list]}
- {apiGroups: [rights.example.com], resources: [crontabs/status], verbs: [patch]}
- {apiGroups: [apiextensions.k8s.io], resources: [customresourcedefinitions, customresourcedefinitions/status], verbs: [get, patch], resourceNames: [crontabs.rights.example.com]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: migrator}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: migrator}
subjects: [{kind: ServiceAccount, name: migrator, namespace: default}]
`

// testRights migrates as somebody with few rights, who is named by a context of
// a kubeconfig of its own.
func testRights(t *testing.T, w *world) {
	w.fill(t, 3)
	w.store(t, "v1")
	w.waitStored(t, "v1")
	kubeconfig, migrator := stage.Account(t, w.scene.ControlPlane, "migrator")
	as := []string{w.crd, "--kubeconfig", kubeconfig, "--context", "migrator", "--quiet"}

	before := w.states(t)
	got := w.migrate(t, as...)
	if got.code != 1 || got.out != "" || !strings.Contains(got.errors, "cannot get resource \"customresourcedefinitions\"") {
		t.Errorf("without any right: %+v", got)
	}
	w.apply(t, strings.ReplaceAll(enough, "verbs: [patch]", "verbs: [watch]"))
	stage.UntilAllowed(t, w.beta.API, migrator, authorizationv1.ResourceAttributes{Verb: "get", Group: "apiextensions.k8s.io", Resource: "customresourcedefinitions", Name: w.crd})
	w.migrate(t, as...).want(t, ended{code: 1, errors: "crosswalk: crontabs.rights.example.com: RBAC does not allow you to patch crontabs in the group rights.example.com: a ClusterRole with these rules and a ClusterRoleBinding do\n"})
	wantUntouched(t, before, w.states(t))

	w.apply(t, enough)
	stage.UntilAllowed(t, w.beta.API, migrator, authorizationv1.ResourceAttributes{Verb: "patch", Group: "rights.example.com", Resource: "crontabs", Subresource: "status"})
	w.migrate(t, as...).want(t, ended{out: `crontabs.rights.example.com: 3 objects are stored in v1: 3 rewritten, 0 already stored in it; 0 deleted meanwhile, 0 failed
crontabs.rights.example.com: status.storedVersions is trimmed from v1beta1, v1 to v1
`})
	wantMigrated(t, before, w.states(t), "v1")
}
