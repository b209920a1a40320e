package doctor

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/crosswalk-dev/crosswalk/internal/certstest"
)

// fault is something that breaks an installation, and what doctor prints about it.
type fault struct {
	name  string
	plant func(f *fakeAPI)
	want  string
}

// find tests that every fault is found, with its cause and a command, and nothing else.
func find(t *testing.T, faults []fault) {
	t.Helper()
	for _, test := range faults {
		t.Run(test.name, func(t *testing.T) {
			f := installed(t)
			test.plant(f)
			if got, _ := examine(t, f); got != strings.TrimPrefix(test.want, "\n") {
				t.Errorf("found\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}

func TestFaultsOfTheInstallation(t *testing.T) {
	find(t, []fault{
		{"no answer from the API server", func(f *fakeAPI) {
			f.answers["GET /version"] = answer{http.StatusServiceUnavailable, ""}
		}, `
not checked  API server
  not checked: the API server at SERVER does not answer: GET /version: 503 Service Unavailable
  not checked: everything else
`},
		{"not installed", func(f *fakeAPI) {
			delete(f.objects, crds+"crosswalks.crosswalk.dev")
		}, `
problem      API server       Kubernetes v1.36.3 at SERVER
  problem: customresourcedefinition crosswalks.crosswalk.dev: it does not exist: Crosswalk is not installed, or not completely
    $ kubectl apply -k deploy/base
  not checked: everything else
`},
		{"a CRD that is not served", func(f *fakeAPI) {
			status(f.objects[crds+"validationpolicies.crosswalk.dev"])["conditions"] = []any{fields{"type": "Established", "status": "False", "message": "not all names are accepted"}}
		}, `
problem      API server       Kubernetes v1.36.3 at SERVER
  problem: customresourcedefinition validationpolicies.crosswalk.dev: the API server does not serve it: not all names are accepted
    $ kubectl describe crd validationpolicies.crosswalk.dev
`},
		{"two installations", func(f *fakeAPI) {
			f.put("/api/v1/namespaces/other/services/crosswalk", f.objects[service])
		}, `
problem      Service          crosswalk-system/crosswalk, 1 ready
  problem: services crosswalk-system/crosswalk, other/crosswalk: Crosswalk is installed more than once, and both installations write the same objects; remove one. Only the first is checked
    $ kubectl get services --all-namespaces -l app.kubernetes.io/name=crosswalk
`},
		{"no Service", func(f *fakeAPI) {
			delete(f.objects, service)
		}, `
problem      Service
  problem: service crosswalk-system/crosswalk: it does not exist, so the API server cannot call Crosswalk
    $ kubectl apply -k deploy/base
`},
		{"a headless Service", func(f *fakeAPI) {
			spec(f.objects[service])["clusterIP"] = "None"
		}, `
problem      Service          crosswalk-system/crosswalk
  problem: service crosswalk-system/crosswalk: it has no clusterIP, so the API server cannot call it
    $ kubectl -n crosswalk-system delete service crosswalk && kubectl apply -k deploy/base
`},
		{"a wrong selector", func(f *fakeAPI) {
			spec(f.objects[service])["selector"] = fields{"app": "crosswalk"}
		}, `
problem      Service          crosswalk-system/crosswalk
  problem: service crosswalk-system/crosswalk: its selector app=crosswalk selects no Pod of crosswalk serve
    $ kubectl apply -k deploy/base
`},
		{"a wrong port", func(f *fakeAPI) {
			delete(f.objects, endpoints)
		}, `
problem      Service          crosswalk-system/crosswalk, 0 ready
  problem: service crosswalk-system/crosswalk: it has no endpoint, although 1 of its Pods are ready: its targetPort may be wrong
    $ kubectl apply -k deploy/base
`},
		{"no Deployment, by Helm", func(f *fakeAPI) {
			delete(f.objects, serveDeploy)
			delete(f.objects, servePod)
			f.helm()
		}, `
problem      serve
  problem: crosswalk serve: there is no Deployment with the label app.kubernetes.io/component=serve in crosswalk-system
    $ helm get manifest mine --namespace crosswalk-system | kubectl apply -f -
`},
		{"no replicas", func(f *fakeAPI) {
			spec(f.objects[serveDeploy])["replicas"] = 0
			delete(f.objects, servePod)
		}, `
problem      serve            0 of 0 replicas ready
  problem: deployment crosswalk-system/crosswalk-serve: it has no replicas
    $ kubectl -n crosswalk-system scale deployment/crosswalk-serve --replicas=2
`},
		{"a quota", func(f *fakeAPI) {
			delete(f.objects, servePod)
			f.objects[serveDeploy]["status"] = fields{"conditions": []fields{{"type": "ReplicaFailure", "status": "True", "message": "exceeded quota: small"}}}
		}, `
problem      serve            0 of 1 replicas ready
  problem: deployment crosswalk-system/crosswalk-serve: 0 of 1 Pods exist: exceeded quota: small
    $ kubectl -n crosswalk-system describe deployment,replicaset -l app.kubernetes.io/component=serve
`},
		{"no room", func(f *fakeAPI) {
			status(f.objects[servePod])["phase"] = "Pending"
			status(f.objects[servePod])["conditions"] = []fields{{"type": "PodScheduled", "status": "False", "message": "0/3 nodes are available"}}
		}, `
problem      serve            0 of 1 replicas ready
  problem: pod crosswalk-system/crosswalk-serve-0: no node has room for it: 0/3 nodes are available
    $ kubectl -n crosswalk-system describe pod crosswalk-serve-0
`},
		{"no image", func(f *fakeAPI) {
			f.container(servePod, fields{"state": fields{"waiting": fields{"reason": "ImagePullBackOff", "message": "not found"}}})
		}, `
problem      serve            0 of 1 replicas ready
  problem: pod crosswalk-system/crosswalk-serve-0: ImagePullBackOff: not found
    $ kubectl -n crosswalk-system describe pod crosswalk-serve-0
`},
		{"a crash loop", func(f *fakeAPI) {
			f.container(servePod, fields{"restartCount": 7, "state": fields{"waiting": fields{"reason": "CrashLoopBackOff", "message": "back-off 5m0s"}}, "lastState": fields{"terminated": fields{"exitCode": 2, "reason": "Error"}}})
		}, `
problem      serve            0 of 1 replicas ready
  problem: pod crosswalk-system/crosswalk-serve-0: CrashLoopBackOff, the last time with exit code 2: back-off 5m0s
    $ kubectl -n crosswalk-system logs crosswalk-serve-0 -c serve --previous
`},
		{"too little memory", func(f *fakeAPI) {
			f.container(servePod, fields{"restartCount": 1, "lastState": fields{"terminated": fields{"exitCode": 137, "reason": "OOMKilled", "finishedAt": time.Now().UTC().Format(time.RFC3339)}}})
		}, `
problem      serve            0 of 1 replicas ready
  problem: pod crosswalk-system/crosswalk-serve-0: it was restarted 1 time, because it needed more memory than its limit; raise the limit and, if it is set, GOMEMLIMIT
    $ kubectl -n crosswalk-system describe pod crosswalk-serve-0
`},
		{"not ready", func(f *fakeAPI) {
			status(f.objects[servePod])["conditions"] = []fields{{"type": "Ready", "status": "False"}}
			f.answers["GET "+servePod+":9090/proxy/readyz"] = answer{http.StatusServiceUnavailable, "[+]tables ok\n[-]certificate failed: it does not exist\nnot ready: certificate\n"}
		}, `
problem      serve            0 of 1 replicas ready
  problem: pod crosswalk-system/crosswalk-serve-0: it is not ready: certificate failed: it does not exist
    $ kubectl -n crosswalk-system logs crosswalk-serve-0 -c serve
`},
		{"no way to the Pod", func(f *fakeAPI) {
			f.answers["GET "+managePod+":9090/proxy/readyz"] = answer{http.StatusBadGateway, "dial tcp: i/o timeout"}
		}, `
problem      manage           0 of 1 replicas ready, leader crosswalk-manage-0
  problem: pod crosswalk-system/crosswalk-manage-0: its readiness cannot be asked for: an error on the server ("unknown") has prevented the request from succeeding
    $ kubectl -n crosswalk-system logs crosswalk-manage-0 -c manage
`},
		{"a rollout", func(f *fakeAPI) {
			spec(f.objects[serveDeploy])["replicas"] = 1
			status(f.objects[servePod])["conditions"] = []fields{{"type": "Ready", "status": "False"}}
		}, `
ok           serve            0 of 1 replicas ready
  advice: deployment crosswalk-system/crosswalk-serve: 0 of 1 Pods are ready yet
    $ kubectl -n crosswalk-system rollout status deployment/crosswalk-serve --timeout=2m
`},
		{"no leader", func(f *fakeAPI) {
			f.expire()
		}, `
problem      manage           1 of 1 replicas ready
  problem: lease crosswalk-system/crosswalk-manage: no process holds it, so crosswalk manage does not run: statuses may be wrong, no certificate is renewed, and what other clients change is not restored
    $ kubectl -n crosswalk-system rollout restart deployment/crosswalk-manage
`},
		{"wrong arguments", func(f *fakeAPI) {
			spec(f.objects[manDeploy])["template"].(fields)["spec"].(fields)["containers"] = []fields{{"name": "manage", "args": []string{"manage", "--nonsense"}}}
		}, `
problem      manage           1 of 1 replicas ready
  problem: crosswalk manage: its arguments are wrong: unknown flag: --nonsense
    $ kubectl apply -k deploy/base
`},
		{"no certificate", func(f *fakeAPI) {
			delete(f.objects, secret)
		}, `
problem      certificate      7 caBundles
  problem: secret crosswalk-system/crosswalk-serving: it does not exist: there is no serving certificate for replicas that start now
    $ kubectl -n crosswalk-system events --for secret/crosswalk-serving
`},
		{"no certificate and no leader", func(f *fakeAPI) {
			delete(f.objects, secret)
			f.expire()
		}, `
problem      manage           1 of 1 replicas ready
  problem: lease crosswalk-system/crosswalk-manage: no process holds it, so crosswalk manage does not run: statuses may be wrong, no certificate is renewed, and what other clients change is not restored
    $ kubectl -n crosswalk-system rollout restart deployment/crosswalk-manage
problem      certificate      7 caBundles
  problem: secret crosswalk-system/crosswalk-serving: it does not exist: there is no serving certificate for replicas that start now
    $ kubectl -n crosswalk-system rollout restart deployment/crosswalk-manage
`},
		{"no key", func(f *fakeAPI) {
			delete(f.objects[secret]["data"].(fields), "tls.key")
		}, `
problem      certificate      7 caBundles
  problem: secret crosswalk-system/crosswalk-serving: clients do not accept the certificate: it has no tls.key
    $ kubectl -n crosswalk-system events --for secret/crosswalk-serving
`},
		{"a certificate that ends soon", func(f *fakeAPI) {
			f.certify("crosswalk.crosswalk-system.svc", time.Hour)
		}, `
problem      certificate      valid until DATE, 7 caBundles
  problem: secret crosswalk-system/crosswalk-serving: the certificate has less than a tenth of its time left, so renewing it fails
    $ kubectl -n crosswalk-system events --for secret/crosswalk-serving
`},
		{"another name", func(f *fakeAPI) {
			f.certify("elsewhere.svc", 60*24*time.Hour)
		}, `
problem      certificate      valid until DATE, 7 caBundles
  problem: secret crosswalk-system/crosswalk-serving: the API server asks for crosswalk.crosswalk-system.svc: x509: certificate is valid for elsewhere.svc, not crosswalk.crosswalk-system.svc
    $ kubectl -n crosswalk-system events --for secret/crosswalk-serving
`},
		{"a certificate of another CA", func(f *fakeAPI) {
			f.ca = certstest.NewCA(f.t, nil, "another CA")
			f.certify("crosswalk.crosswalk-system.svc", 60*24*time.Hour)
		}, `
problem      certificate      valid until DATE, 7 caBundles
  problem: customresourcedefinition canaries.crosswalk.dev, customresourcedefinition crontabs.stable.example.com, mutatingwebhookconfiguration 0-crosswalk and 2 others: the API server does not trust the serving certificate with its caBundle, so calls fail
    $ kubectl describe crosswalk canaries.crosswalk.dev
`},
		{"no caBundle", func(f *fakeAPI) {
			delete(spec(f.objects[crontabs])["conversion"].(fields)["webhook"].(fields)["clientConfig"].(fields), "caBundle")
		}, `
problem      certificate      valid until DATE, 7 caBundles
  problem: customresourcedefinition crontabs.stable.example.com: the API server trusts nobody with its caBundle, so calls fail: there is no PEM certificate
    $ kubectl describe crosswalk crontabs.stable.example.com
`},
		{"a CA that cannot be renewed", func(f *fakeAPI) {
			f.conditions(crontabsCW, condition("Ready", "True", "AuthorityLost", ""), condition("Renewable", "False", "AuthorityLost", "the key of the CA is lost"))
		}, `
problem      certificate      valid until DATE, 7 caBundles
  problem: secret crosswalk-system/crosswalk-serving: AuthorityLost: the key of the CA is lost
    $ kubectl -n crosswalk-system events --for secret/crosswalk-serving
`},
	})
}
