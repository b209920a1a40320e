package command

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/crosswalk-dev/crosswalk/internal/cluster"
	"github.com/crosswalk-dev/crosswalk/internal/rights"
)

func TestDoctorUsage(t *testing.T) {
	for args, want := range map[string]string{
		"doctor crontabs":             `unexpected argument "crontabs": doctor checks the whole installation`,
		"doctor --output yaml":        "--output yaml: use text or json",
		"doctor --kubeconfig nowhere": "the kubeconfig: stat nowhere: no such file or directory",
	} {
		crosswalk(t, "", strings.Fields(args)...).expect(t, result{code: exitUsage, stderr: "crosswalk: " + want + "\nSee 'crosswalk doctor --help'.\n"})
	}
}

// Without an answer of the API server nothing is known.
func TestDoctorWithoutCluster(t *testing.T) {
	kubeconfig := writeKubeconfig(t, "http://127.0.0.1:1")
	got := crosswalk(t, "", "doctor", "--kubeconfig", kubeconfig)
	if want := "not checked: the API server at http://127.0.0.1:1 does not answer: "; got.code != exitUnsure || got.stderr != "" || !strings.Contains(got.stdout, want) {
		t.Errorf("%+v", got)
	}
	got = crosswalk(t, "", "doctor", "--kubeconfig", kubeconfig, "-o", "json")
	var found struct {
		State  string
		Checks []struct{ Name, State string }
	}
	if err := json.Unmarshal([]byte(got.stdout), &found); err != nil || got.code != exitUnsure || found.State != "not checked" || len(found.Checks) != 1 || found.Checks[0].Name != "API server" {
		t.Errorf("%v: %+v", err, got)
	}
}

// The rights of the roles follow the arguments of their containers.
func TestDoctorReadsRoles(t *testing.T) {
	service := cluster.Service{Namespace: "here", Name: "convert"}
	roles := roles{}
	o, err := roles.Manage(nil, service)
	if err != nil || o.Authority == nil || o.CertsSecret != "crosswalk-serving" || !o.LeaderElection || o.Service != service || o.Authority.Names[0] != "convert.here.svc" {
		t.Errorf("by default: %v, %+v", err, o)
	}
	o, err = roles.Manage(strings.Fields("manage --certs=secret --certs-secret tls --leader-elect=false --cert-manager-certificate tls --namespace other"), service)
	if err != nil || o.Authority != nil || o.CertsSecret != "tls" || o.LeaderElection || o.CertManagerCertificate != "tls" || o.Service != service {
		t.Errorf("with cert-manager: %v, %+v", err, o)
	}
	if _, err := roles.Manage([]string{"manage", "--nonsense"}, service); err == nil {
		t.Error("a flag that does not exist is accepted")
	}
	for args, want := range map[string]string{
		"":                                "list,watch secrets crosswalk-serving in here",
		"serve --certs-secret tls":        "list,watch secrets tls in here",
		"serve --aggregated-listen :8444": "create subjectaccessreviews.authorization.k8s.io",
	} {
		needed, err := roles.Serve(strings.Fields(args), service)
		if err != nil || !slices.Contains(rights.Texts(needed), want) {
			t.Errorf("%s: %v, %q", args, err, rights.Texts(needed))
		}
	}
}
