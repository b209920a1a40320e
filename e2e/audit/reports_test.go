package audit

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	_ "github.com/openreports/reports-api/apis/openreports.io/v1alpha1" // its module has the CustomResourceDefinitions
)

// testReports stores the reports in kinds that openreports.io defines. The API server rejects
// fields that these do not have.
func (w *world) testReports(t *testing.T) {
	list := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Dir}}", "github.com/openreports/reports-api")
	dir, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	w.run(t, "kubectl create -f "+filepath.Join(strings.TrimSpace(string(dir)), "config", "crd"))
	w.run(t, `kubectl wait --for=condition=Established --timeout=1m crd/reports.openreports.io crd/clusterreports.openreports.io
kubectl create -f - <<'EOF'
apiVersion: crosswalk.dev/v1alpha1
kind: ValidationPolicy
metadata: {name: namespaces}
spec:
  matchConstraints: {resourceRules: [{apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [namespaces]}]}
  validations: [{expression: "object.metadata.name != 'kube-public'", message: not this one}]
  validationActions: [Audit]
EOF`)
	for range 2 { // the second time, they replace the first
		w.run(t, `bin/crosswalk audit --quiet --output reports 2>/dev/null | kubectl apply --server-side --validate=strict -f -`)
	}
	got := w.run(t, `kubectl get reports.openreports.io,clusterreports.openreports.io -A -o 'jsonpath={range .items[*]}{.kind} {.metadata.namespace} {.metadata.name} {.summary} {.results[*].resources[*].name}{"\n"}{end}'`)
	for _, want := range []string{
		`Report default crosswalk-configmaps {"error":0,"fail":1,"pass":`,
		`Report default crosswalk-crontabs.stable.example.com {"error":0,"fail":9,"pass":41,"skip":0,"warn":1} both both many more-02 more-03 more-06 more-07 more-10 more-11 partial`,
		`ClusterReport  crosswalk-namespaces {"error":0,"fail":0,"pass":`,
		`"warn":1} kube-public`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the reports are\n%swithout\n%s", got, want)
		}
	}
	page, err := os.ReadFile(filepath.Join(w.programs.Root, "docs", "audit.md"))
	if err != nil {
		t.Fatal(err)
	}
	const remove = "kubectl delete reports,clusterreports -A -l app.kubernetes.io/managed-by=crosswalk"
	if !strings.Contains(string(page), remove) {
		t.Errorf("docs/audit.md has no %s", remove)
	}
	w.run(t, remove)
	if left := w.run(t, "kubectl get reports,clusterreports -A -o name"); strings.TrimSpace(left) != "" {
		t.Errorf("not deleted: %s", left)
	}
}
