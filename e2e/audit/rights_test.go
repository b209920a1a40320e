package audit

import (
	"reflect"
	"strings"
	"testing"

	authorizationv1 "k8s.io/api/authorization/v1"

	"github.com/crosswalk-dev/crosswalk/e2e/internal/stage"
	"github.com/crosswalk-dev/crosswalk/internal/audit"
)

// enough are the rights that docs/audit.md lists.
const enough = `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: auditor}
rules:
- {apiGroups: [crosswalk.dev], resources: [crosswalks, validationpolicies], verbs: [get, list]}
- {apiGroups: [apiextensions.k8s.io], resources: [customresourcedefinitions], verbs: [get, list]}
- {apiGroups: [""], resources: [namespaces, services], verbs: [get, list, watch]}
- {apiGroups: [stable.example.com], resources: [crontabs], verbs: [list]}
- {apiGroups: [""], resources: [configmaps], verbs: [list]}
- {apiGroups: [apps], resources: [deployments], verbs: [list]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: auditor}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: auditor}
subjects: [{kind: ServiceAccount, name: auditor, namespace: default}]
`

// testRights audits with few rights.
func (w *world) testRights(t *testing.T, all audit.Report) {
	kubeconfig, auditor := stage.Account(t, w.ControlPlane, "auditor")
	as := []string{"--kubeconfig", kubeconfig, "--context", "auditor"}
	beta, err := w.ControlPlane.API()
	if err != nil {
		t.Fatal(err)
	}
	grant := func(rules string, last authorizationv1.ResourceAttributes) {
		w.write(t, "rights.yaml", rules)
		w.run(t, "kubectl apply -f rights.yaml")
		stage.UntilAllowed(t, beta, auditor, last)
	}
	few := strings.NewReplacer("namespaces, services]", "namespaces]", "resources: [configmaps]", "resources: [nothing]").Replace(enough)
	grant(few, authorizationv1.ResourceAttributes{Verb: "list", Group: "apps", Resource: "deployments"})
	found, code := w.audit(t, as...)
	var got []string
	for _, o := range found.NotAudited {
		if o.Failed {
			got = append(got, o.Text())
		}
	}
	want := []string{
		`not audited: configmaps: listing the objects: configmaps is forbidden: User "system:serviceaccount:default:auditor" cannot list resource "configmaps" in API group "" at the cluster scope`,
		`not audited: validationpolicy "services": RBAC does not allow you to list services, for lookups.service; watch services, for lookups.service`,
	}
	if code != 1 || !reflect.DeepEqual(got, want) {
		t.Errorf("with few rights, the exit code is %d, and it prints\n%s\nwant\n%s", code, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if _, code := w.audit(t, append(as, "configmaps")...); code != 2 {
		t.Errorf("if nothing could be audited, the exit code is %d", code)
	}
	grant(enough, authorizationv1.ResourceAttributes{Verb: "list", Resource: "configmaps"})
	stage.UntilAllowed(t, beta, auditor, authorizationv1.ResourceAttributes{Verb: "watch", Resource: "services"})
	if found, _ := w.audit(t, as...); !reflect.DeepEqual(found, all) {
		t.Errorf("with enough rights it finds\n%+v\nwant\n%+v", found, all)
	}
}
