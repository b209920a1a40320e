package command

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestMigrateUsage(t *testing.T) {
	tests := []struct{ args, want string }{
		{"migrate", "name the CustomResourceDefinitions to migrate: kubectl get crds lists them"},
		{"migrate crontabs --page-size 0", "--page-size 0: want 1 or more"},
		{"migrate crontabs --parallel 0", "--parallel 0: want 1 or more"},
		{"migrate crontabs --qps=-1", "--qps -1: want 0 or more"},
		{"migrate crontabs --qps=NaN", "--qps NaN: want 0 or more"},
		{"migrate crontabs --kubeconfig nowhere", "the kubeconfig: stat nowhere: no such file or directory"},
	}
	for _, test := range tests {
		t.Run(test.args, func(t *testing.T) {
			crosswalk(t, "", strings.Fields(test.args)...).expect(t, result{code: exitUsage,
				stderr: "crosswalk: " + test.want + "\nSee 'crosswalk migrate --help'.\n"})
		})
	}
	crosswalk(t, "", "migrate", "").expect(t, result{code: exitUsage,
		stderr: "crosswalk: the name of a CustomResourceDefinition is empty\nSee 'crosswalk migrate --help'.\n"})
}

// oneCRD is an API server with an established CRD and no objects.
func oneCRD(t *testing.T) *httptest.Server {
	t.Helper()
	const crd = `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
"metadata":{"name":"stars.example.com","uid":"u","generation":1,"resourceVersion":"7"},
"spec":{"group":"example.com","scope":"Namespaced","names":{"plural":"stars","kind":"Star","shortNames":["st"]},
"versions":[{"name":"v1","served":true,"storage":true}]},
"status":{"storedVersions":["v1"],"conditions":[{"type":"Established","status":"True"}]}}`
	answers := map[string]string{
		"GET /apis/apiextensions.k8s.io/v1/customresourcedefinitions":                   `{"items":[` + crd + `]}`,
		"GET /apis/apiextensions.k8s.io/v1/customresourcedefinitions/stars.example.com": crd,
		"POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews":                   `{"status":{"allowed":true}}`,
		"GET /apis/example.com/v1/stars":                                                `{"items":[]}`,
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.UserAgent(), "crosswalk/") {
			t.Errorf("the user agent is %s", r.UserAgent())
		}
		w.Header().Set("Content-Type", "application/json")
		answer, ok := answers[r.Method+" "+r.URL.Path]
		if !ok {
			w.WriteHeader(http.StatusNotFound)
			answer = `{"kind":"Status","apiVersion":"v1","status":"Failure","code":404,"reason":"NotFound","message":"` + r.URL.Path + ` is not here"}`
		}
		fmt.Fprint(w, answer)
	}))
	t.Cleanup(server.Close)
	return server
}

func writeKubeconfig(t *testing.T, server string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "kubeconfig")
	text := fmt.Sprintf(`
apiVersion: v1
kind: Config
clusters: [{name: here, cluster: {server: %q}}, {name: unreachable, cluster: {server: "http://127.0.0.1:1"}}]
contexts: [{name: here, context: {cluster: here}}, {name: unreachable, context: {cluster: unreachable}}]
current-context: here
`, server)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

const starsMigrated = `stars.example.com: 0 objects are stored in v1: 0 rewritten, 0 already stored in it; 0 deleted meanwhile, 0 failed
stars.example.com: status.storedVersions is v1 already
`

// The cluster is found as kubectl finds it.
func TestMigrateFindsTheCluster(t *testing.T) {
	kubeconfig := writeKubeconfig(t, oneCRD(t).URL)
	t.Setenv("KUBECONFIG", "nowhere")
	crosswalk(t, "", "migrate", "st", "--quiet", "--kubeconfig", kubeconfig).expect(t, result{stdout: starsMigrated})

	t.Setenv("KUBECONFIG", kubeconfig)
	crosswalk(t, "", "migrate", "star", "stars.example.com", "--quiet").expect(t, result{stdout: starsMigrated})
	crosswalk(t, "", "migrate", "st").expect(t, result{stdout: starsMigrated, stderr: "stars.example.com: rewrites objects to v1 through v1\n"})
	crosswalk(t, "", "migrate", "st", "--context", "here", "-q").expect(t, result{stdout: starsMigrated})
	crosswalk(t, "", "migrate", "st", "--context", "nowhere").expect(t, result{code: exitUsage,
		stderr: "crosswalk: the kubeconfig: context \"nowhere\" does not exist\nSee 'crosswalk migrate --help'.\n"})
	crosswalk(t, "", "migrate", "moons").expect(t, result{code: exitUsage,
		stderr: "crosswalk: no CustomResourceDefinition has the name, plural, short name or kind \"moons\": kubectl get crds lists them\nSee 'crosswalk migrate --help'.\n"})

	t.Setenv("KUBECONFIG", filepath.Join(t.TempDir(), "none"))
	t.Setenv("KUBERNETES_SERVICE_HOST", "")
	if got := crosswalk(t, "", "migrate", "st"); got.code != exitUsage || !strings.Contains(got.stderr, "no cluster found: name a kubeconfig with --kubeconfig or $KUBECONFIG, or run this command in the cluster") {
		t.Errorf("without any kubeconfig: %+v", got)
	}
}
