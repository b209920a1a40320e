package command

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestAuditUsage(t *testing.T) {
	for args, want := range map[string]string{
		"audit --output yaml":           "--output yaml: use text, json or reports",
		"audit --as-group admins":       "--as-group needs --as, the user with that group",
		"audit --page-size 0":           "--page-size 0: want 1 or more",
		"audit --qps=-1":                "--qps -1: want 0 or more",
		"audit --kubeconfig nowhere":    "the kubeconfig: stat nowhere: no such file or directory",
		"audit --qps=NaN crontabs pods": "--qps NaN: want 0 or more",
	} {
		crosswalk(t, "", strings.Fields(args)...).expect(t, result{code: exitUsage, stderr: "crosswalk: " + want + "\nSee 'crosswalk audit --help'.\n"})
	}
	crosswalk(t, "", "audit", "").expect(t, result{code: exitUsage, stderr: "crosswalk: the name of a resource is empty\nSee 'crosswalk audit --help'.\n"})
}

func TestAuditWithoutCrosswalk(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(http.NotFound))
	defer server.Close()
	crosswalk(t, "", "audit", "--kubeconfig", writeKubeconfig(t, server.URL)).expect(t, result{
		code: exitUnsure, stderr: "crosswalk: the API server does not know Crosswalks: is Crosswalk installed in this cluster?\n",
	})
}

func TestAuditWithoutCluster(t *testing.T) {
	t.Parallel()
	got := crosswalk(t, "", "audit", "--kubeconfig", writeKubeconfig(t, "http://127.0.0.1:1"))
	if got.code != exitUnsure || got.stdout != "" || !strings.HasPrefix(got.stderr, "crosswalk: reading the Crosswalks: ") {
		t.Errorf("%+v", got)
	}
}
