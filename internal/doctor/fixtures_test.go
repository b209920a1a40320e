package doctor

import (
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/crosswalk-dev/crosswalk/internal/certstest"
	"github.com/crosswalk-dev/crosswalk/internal/cluster"
	"github.com/crosswalk-dev/crosswalk/internal/manage"
	"github.com/crosswalk-dev/crosswalk/internal/rights"
)

// Paths of the objects of an installation.
const (
	here        = "/api/v1/namespaces/crosswalk-system/"
	service     = here + "services/crosswalk"
	secret      = here + "secrets/crosswalk-serving"
	servePod    = here + "pods/crosswalk-serve-0"
	managePod   = here + "pods/crosswalk-manage-0"
	apps        = "/apis/apps/v1/namespaces/crosswalk-system/"
	serveDeploy = apps + "deployments/crosswalk-serve"
	manDeploy   = apps + "deployments/crosswalk-manage"
	revision    = apps + "controllerrevisions/crontabs.stable.example.com-f1"
	lease       = "/apis/coordination.k8s.io/v1/namespaces/crosswalk-system/leases/crosswalk-manage"
	endpoints   = "/apis/discovery.k8s.io/v1/namespaces/crosswalk-system/endpointslices/crosswalk-0"
	crds        = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/"
	crontabs    = crds + "crontabs.stable.example.com"
	crontabsCW  = "/apis/crosswalk.dev/v1alpha1/crosswalks/crontabs.stable.example.com"
	policy      = "/apis/crosswalk.dev/v1alpha1/validationpolicies/images"
	webhooksAPI = "/apis/admissionregistration.k8s.io/v1/"
	cleanup     = "/apis/stable.example.com/v1/namespaces/default/crontabs/cleanup"
	canaries    = "POST /apis/crosswalk.dev/v1alpha1/namespaces/crosswalk-system/canaries"
)

type fields = map[string]any

// condition returns a condition of the current generation.
func condition(kind, status, reason, message string) fields {
	return fields{"type": kind, "status": status, "reason": reason, "message": message, "observedGeneration": 1, "lastTransitionTime": "2026-01-01T00:00:00Z"}
}

// installed returns a cluster with an installation that works.
func installed(t *testing.T) *fakeAPI {
	t.Helper()
	f := &fakeAPI{t: t, objects: map[string]map[string]any{}, answers: map[string]answer{
		"GET /version": {http.StatusOK, `{"gitVersion":"v1.36.3"}`},
		canaries:       {http.StatusCreated, `{"apiVersion":"crosswalk.dev/v1alpha1","kind":"Canary","metadata":{"name":"doctor-x"},"spec":{"ping":"doctor"}}`},
	}}
	f.ca = certstest.NewCA(t, nil, "a CA")
	f.certify("crosswalk.crosswalk-system.svc", 60*24*time.Hour)
	bundle := base64.StdEncoding.EncodeToString(f.ca.PEM())
	names := func(path string) fields {
		return fields{"service": fields{"namespace": "crosswalk-system", "name": "crosswalk", "path": path}, "caBundle": bundle}
	}
	crd := func(name string, versions ...string) {
		group := strings.SplitN(name, ".", 2)
		var all []fields
		for i, v := range versions {
			all = append(all, fields{"name": v, "served": true, "storage": i == 0})
		}
		f.put(crds+name, fields{"kind": "CustomResourceDefinition", "spec": fields{
			"group": group[1], "scope": "Namespaced", "names": fields{"plural": group[0], "kind": "CronTab"}, "versions": all,
		}, "status": fields{"storedVersions": versions[:1], "conditions": []fields{{"type": "Established", "status": "True"}}}})
	}
	for _, name := range []string{"crosswalks", "validationpolicies", "mutationpolicies"} {
		crd(name+".crosswalk.dev", "v1alpha1")
	}
	for _, name := range []string{cluster.CanaryCRD, "crontabs.stable.example.com"} {
		crd(name, "v1", "v1beta1")
		f.change(crds+name, func(object map[string]any) {
			object["spec"].(fields)["conversion"] = fields{"strategy": "Webhook", "webhook": fields{"clientConfig": names("/convert/f1"), "conversionReviewVersions": []string{"v1"}}}
		})
		f.put(apps+"controllerrevisions/"+name+"-f1", fields{"kind": "ControllerRevision", "revision": 1, "metadata": fields{"labels": fields{cluster.LabelFingerprint: "f1"}}})
		f.put("/apis/crosswalk.dev/v1alpha1/crosswalks/"+name, fields{"kind": "Crosswalk", "metadata": fields{"generation": 1}, "status": fields{"conditions": []fields{
			condition("Ready", "True", "Ready", "it converts"), condition("Armed", "True", "Armed", ""), condition("Guarded", "True", "Guarded", ""),
		}}})
	}
	f.put(policy, fields{"kind": "ValidationPolicy", "metadata": fields{"generation": 1}, "status": fields{"conditions": []fields{condition("Ready", "True", "Ready", "")}}})
	f.put(cleanup, fields{"kind": "CronTab"})
	f.put(strings.Replace(cleanup, "/v1/", "/v1beta1/", 1), fields{"kind": "CronTab"})
	f.roles()
	rules := []fields{{"operations": []string{"CREATE"}, "apiGroups": []string{"*"}, "apiVersions": []string{"*"}, "resources": []string{"crontabs"}}}
	hook := func(name string) fields { return fields{"name": name, "clientConfig": names("/x"), "rules": rules} }
	for name, hooks := range map[string][]fields{
		"mutatingwebhookconfigurations/0-crosswalk":          {hook("guard.crosswalk.dev"), hook("conversion.crosswalk.dev")},
		"validatingwebhookconfigurations/crosswalk":          {hook("strict.crosswalk.dev"), hook("configuration.crosswalk.dev")},
		"mutatingwebhookconfigurations/crosswalk-policies":   {},
		"validatingwebhookconfigurations/crosswalk-policies": {hook("0.policies.crosswalk.dev")},
	} {
		kind := "ValidatingWebhookConfiguration"
		if strings.HasPrefix(name, "mutating") {
			kind = "MutatingWebhookConfiguration"
		}
		f.put(webhooksAPI+name, fields{"kind": kind, "webhooks": hooks})
	}
	return f
}

// certify puts a serving certificate for a name, which lasts some time.
func (f *fakeAPI) certify(name string, lasts time.Duration) {
	leaf := certstest.Sign(f.t, f.ca, x509.Certificate{
		DNSNames: []string{name}, NotBefore: time.Now().Add(-24 * time.Hour), NotAfter: time.Now().Add(lasts),
	})
	f.put(secret, fields{"kind": "Secret", "data": map[string][]byte{"tls.crt": leaf.PEM(), "tls.key": leaf.KeyPEM(f.t), "ca.crt": f.ca.PEM()}})
}

// roles puts the Service and the Pods of both roles.
func (f *fakeAPI) roles() {
	of := func(role string) fields {
		return fields{"app.kubernetes.io/name": "crosswalk", "app.kubernetes.io/component": role}
	}
	f.put(service, fields{"kind": "Service", "metadata": fields{"labels": of("serve")}, "spec": fields{"clusterIP": "10.0.0.1", "selector": of("serve")}})
	f.put(endpoints, fields{"kind": "EndpointSlice", "addressType": "IPv4", "metadata": fields{"labels": fields{"kubernetes.io/service-name": "crosswalk"}},
		"ports": []fields{{"port": 8443}}, "endpoints": []fields{{"addresses": []string{"10.1.1.1"}, "conditions": fields{"ready": true}}}})
	for _, role := range []string{"serve", "manage"} {
		f.put(apps+"deployments/crosswalk-"+role, fields{"kind": "Deployment", "metadata": fields{"labels": of(role)}, "spec": fields{
			"replicas": 1, "template": fields{"spec": fields{"serviceAccountName": "crosswalk-" + role, "containers": []fields{{"name": role, "args": []string{role}}}}}}})
		f.put(here+"pods/crosswalk-"+role+"-0", fields{"kind": "Pod", "metadata": fields{"labels": of(role)},
			"spec":   fields{"containers": []fields{{"name": role, "ports": []fields{{"name": "health", "containerPort": 9090}}}}},
			"status": fields{"phase": "Running", "conditions": []fields{{"type": "Ready", "status": "True"}}}})
		f.answers["GET "+here+"pods/crosswalk-"+role+"-0:9090/proxy/readyz"] = answer{http.StatusOK, "[+]certificate ok\nok\n"}
	}
	f.put(lease, fields{"kind": "Lease", "spec": fields{"holderIdentity": "crosswalk-manage-0", "leaseDurationSeconds": 15, "renewTime": time.Now().UTC().Format("2006-01-02T15:04:05.000000Z07:00")}})
}

// fakeRoles are roles that need few rights.
type fakeRoles struct{}

func (fakeRoles) Manage(args []string, service cluster.Service) (manage.Options, error) {
	if len(args) > 1 {
		return manage.Options{}, fmt.Errorf("unknown flag: %s", args[1])
	}
	return manage.Options{Service: service, CertsSecret: "crosswalk-serving", LeaderElection: true, Authority: &manage.Authority{Secret: "crosswalk-authority"}}, nil
}

func (fakeRoles) Serve(_ []string, service cluster.Service) ([]rights.Right, error) {
	return rights.Parse(service.Namespace, "list,watch secrets crosswalk-serving"), nil
}

// examine walks through a cluster, and returns every check that is not fine as text.
func examine(t *testing.T, f *fakeAPI) (string, Report) {
	t.Helper()
	var text strings.Builder
	config := f.start()
	report, err := Run(t.Context(), Options{Config: config, Roles: fakeRoles{}, Checked: func(c Check) {
		if c.State != OK || len(c.Findings) > 0 {
			text.WriteString(c.Text())
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := json.Marshal(report); err != nil {
		t.Error(err)
	}
	dates := regexp.MustCompile(`\d{4}-\d\d-\d\dT[\d:]+Z`)
	return dates.ReplaceAllString(strings.ReplaceAll(text.String(), config.Host, "SERVER"), "DATE"), report
}

func spec(object map[string]any) fields { return object["spec"].(fields) }

func status(object map[string]any) fields { return object["status"].(fields) }

// conditions sets the conditions of a Crosswalk.
func (f *fakeAPI) conditions(path string, all ...fields) { status(f.objects[path])["conditions"] = all }

// container sets the status of a Pod's container.
func (f *fakeAPI) container(pod string, is fields) {
	status(f.objects[pod])["containerStatuses"] = []fields{is}
}

// expire makes the leader's Lease end.
func (f *fakeAPI) expire() {
	spec(f.objects[lease])["renewTime"] = time.Now().Add(-time.Minute).UTC().Format("2006-01-02T15:04:05.000000Z07:00")
}

// helm makes the installation one of Helm.
func (f *fakeAPI) helm() {
	metadata := f.objects[service]["metadata"].(fields)
	metadata["annotations"] = fields{"meta.helm.sh/release-name": "mine"}
	metadata["labels"].(fields)["app.kubernetes.io/managed-by"] = "Helm"
}

// annotate puts an annotation on the CronTab.
func (f *fakeAPI) annotate(name, value string) {
	f.objects[cleanup]["metadata"].(fields)["annotations"] = fields{name: value}
}

// failure is an internal error of the API server.
func rejected(message string) answer {
	return answer{http.StatusInternalServerError, fmt.Sprintf(`{"kind":"Status","apiVersion":"v1","status":"Failure","code":500,"message":%q}`, message)}
}
