package doctor

import (
	"net/http"
	"testing"
)

func TestFaultsOfCallsAndObjects(t *testing.T) {
	find(t, []fault{
		{"refused connections", func(f *fakeAPI) {
			f.answers[canaries] = rejected("conversion webhook for crosswalk.dev/v1, Kind=Canary failed: Post \"https://crosswalk.crosswalk-system.svc:443/convert/f1?timeout=30s\": dial tcp 10.0.0.1:443: connect: connection refused")
		}, `
problem      conversion
  problem: customresourcedefinition canaries.crosswalk.dev: no replica of crosswalk serve answers: conversion webhook for crosswalk.dev/v1, Kind=Canary failed: Post "https://crosswalk.crosswalk-system.svc:443/convert/f1?timeout=30s": dial tcp 10.0.0.1:443: connect: connection refused
    $ kubectl -n crosswalk-system rollout restart deployment/crosswalk-serve
not checked  stashes
  not checked: conversions fail: see conversion
`},
		{"an unknown CA", func(f *fakeAPI) {
			f.answers[canaries] = rejected("conversion webhook for crosswalk.dev/v1, Kind=Canary failed: Post \"https://x\": tls: failed to verify certificate: x509: certificate signed by unknown authority")
		}, `
problem      conversion
  problem: customresourcedefinition canaries.crosswalk.dev: the API server does not trust the serving certificate: conversion webhook for crosswalk.dev/v1, Kind=Canary failed: Post "https://x": tls: failed to verify certificate: x509: certificate signed by unknown authority
    $ kubectl describe crosswalks
not checked  stashes
  not checked: conversions fail: see conversion
`},
		{"a timeout", func(f *fakeAPI) {
			f.answers[canaries] = rejected("conversion webhook for crosswalk.dev/v1, Kind=Canary failed: Post \"https://x\": context deadline exceeded")
		}, `
problem      conversion
  problem: customresourcedefinition canaries.crosswalk.dev: there is no answer within 5s: a replica of crosswalk serve hangs, or a NetworkPolicy or a firewall between the API server and the Pods drops packets: conversion webhook for crosswalk.dev/v1, Kind=Canary failed: Post "https://x": context deadline exceeded
    $ kubectl -n crosswalk-system rollout restart deployment/crosswalk-serve
not checked  stashes
  not checked: conversions fail: see conversion
`},
		{"another failure", func(f *fakeAPI) {
			f.answers[canaries] = rejected("conversion webhook for crosswalk.dev/v1, Kind=Canary failed: the table is not loaded")
		}, `
problem      conversion
  problem: customresourcedefinition canaries.crosswalk.dev: the conversion fails: conversion webhook for crosswalk.dev/v1, Kind=Canary failed: the table is not loaded
    $ kubectl -n crosswalk-system logs deployment/crosswalk-serve --all-pods
not checked  stashes
  not checked: conversions fail: see conversion
`},
		{"another webhook", func(f *fakeAPI) {
			f.answers[canaries] = rejected("admission webhook \"other\" denied the request")
		}, `
problem      conversion
  problem: customresourcedefinition canaries.crosswalk.dev: the API server rejects the request: admission webhook "other" denied the request
    $ kubectl get mutatingwebhookconfigurations,validatingwebhookconfigurations
not checked  stashes
  not checked: conversions fail: see conversion
`},
		{"not converted", func(f *fakeAPI) {
			f.answers[canaries] = answer{http.StatusCreated, `{"apiVersion":"crosswalk.dev/v1alpha1","kind":"Canary","metadata":{"name":"doctor-x"},"spec":{}}`}
		}, `
problem      conversion
  problem: customresourcedefinition canaries.crosswalk.dev: the API server does not ask Crosswalk to convert, because spec.conversion of the CRD does not name it
    $ kubectl describe crosswalk canaries.crosswalk.dev
`},
		{"no webhook configuration", func(f *fakeAPI) {
			delete(f.objects, webhooksAPI+"mutatingwebhookconfigurations/0-crosswalk")
		}, `
problem      webhooks         3 webhooks in 4 configurations
  problem: mutatingwebhookconfiguration 0-crosswalk: it does not exist, so the API server does not ask Crosswalk about writes
    $ kubectl apply -k deploy/base
`},
		{"no guard", func(f *fakeAPI) {
			hooks := f.objects[webhooksAPI+"mutatingwebhookconfigurations/0-crosswalk"]
			hooks["webhooks"] = hooks["webhooks"].([]any)[1:]
		}, `
problem      webhooks         4 webhooks in 4 configurations
  problem: mutatingwebhookconfiguration 0-crosswalk: the webhook guard.crosswalk.dev is missing, so the API server does not ask Crosswalk about these writes
    $ kubectl describe crosswalks
`},
		{"another Service", func(f *fakeAPI) {
			f.objects[webhooksAPI+"validatingwebhookconfigurations/crosswalk-policies"]["webhooks"].([]any)[0].(fields)["clientConfig"] = fields{"url": "https://elsewhere"}
		}, `
problem      webhooks         5 webhooks in 4 configurations
  problem: validatingwebhookconfiguration crosswalk-policies: the webhook 0.policies.crosswalk.dev does not name the Service crosswalk-system/crosswalk
    $ kubectl describe crosswalks
`},
		{"an API group", func(f *fakeAPI) {
			f.put("/apis/apiregistration.k8s.io/v1/apiservices/v1alpha1.admission.crosswalk.dev", fields{"kind": "APIService", "status": fields{"conditions": []fields{{"type": "Available", "status": "False", "message": "no response"}}}})
		}, `
problem      webhooks         5 webhooks in 4 configurations
  problem: apiservice v1alpha1.admission.crosswalk.dev: it is not available: no response
    $ kubectl describe apiservice v1alpha1.admission.crosswalk.dev
`},
		{"no rights", func(f *fakeAPI) {
			f.lacks = []string{"crosswalk-serve list secrets", "crosswalk-manage patch customresourcedefinitions", "crosswalk-manage get services"}
		}, `
problem      rights           58 rights of two ServiceAccounts
  problem: serviceaccount crosswalk-system/crosswalk-serve: crosswalk serve may not list secrets crosswalk-serving in crosswalk-system
    $ kubectl apply -k deploy/base
  problem: serviceaccount crosswalk-system/crosswalk-manage: crosswalk manage may not get services in crosswalk-system, patch customresourcedefinitions.apiextensions.k8s.io
    $ kubectl apply -k deploy/base
`},
		{"a table that is not ready", func(f *fakeAPI) {
			f.conditions(crontabsCW, condition("Ready", "False", "InvalidTable", "row 1: a mistake\nrow 2: another one"))
		}, `
problem      tables           1 of 2 ready
  problem: crosswalk crontabs.stable.example.com: not ready: InvalidTable: row 1: a mistake
      row 2: another one
    $ kubectl describe crosswalk crontabs.stable.example.com
`},
		{"a table that was not handled", func(f *fakeAPI) {
			f.objects[crontabsCW]["metadata"].(fields)["generation"] = 2
		}, `
problem      tables           1 of 2 ready
  problem: crosswalk crontabs.stable.example.com: not ready: crosswalk manage has not handled its current form yet
    $ kubectl describe crosswalk crontabs.stable.example.com
`},
		{"writes that are not guarded", func(f *fakeAPI) {
			f.conditions(crontabsCW, condition("Ready", "True", "Ready", ""), condition("Guarded", "False", "Contended", "kubectl-edit keeps writing"))
		}, `
problem      tables           1 of 2 ready
  problem: crosswalk crontabs.stable.example.com: writes are not guarded: Contended: kubectl-edit keeps writing
    $ kubectl describe crosswalk crontabs.stable.example.com
`},
		{"no conversion", func(f *fakeAPI) {
			spec(f.objects[crontabs])["conversion"] = fields{"strategy": "None"}
			f.expire()
		}, `
problem      manage           1 of 1 replicas ready
  problem: lease crosswalk-system/crosswalk-manage: no process holds it, so crosswalk manage does not run: statuses may be wrong, no certificate is renewed, and what other clients change is not restored
    $ kubectl -n crosswalk-system rollout restart deployment/crosswalk-manage
problem      tables           2 of 2 ready
  problem: customresourcedefinition crontabs.stable.example.com: its spec.conversion does not name Crosswalk, so the API server changes only apiVersion and drops fields
    $ kubectl -n crosswalk-system rollout restart deployment/crosswalk-manage
`},
		{"no revision", func(f *fakeAPI) {
			delete(f.objects, revision)
		}, `
problem      tables           2 of 2 ready
  problem: customresourcedefinition crontabs.stable.example.com: the revision crontabs.stable.example.com-f1 of the table that it names is missing: replicas that start now convert its objects only if they compile the same table
    $ kubectl describe crosswalk crontabs.stable.example.com
`},
		{"no Crosswalk", func(f *fakeAPI) {
			delete(f.objects, crontabsCW)
		}, `
problem      tables           1 of 1 ready
  problem: customresourcedefinition crontabs.stable.example.com: it names Crosswalk, and there is no Crosswalk crontabs.stable.example.com: nothing keeps its conversion, and nothing guards writes. The command applies the last table again, which is kept as a revision
    $ kubectl -n crosswalk-system get controllerrevision crontabs.stable.example.com-f1 -o jsonpath='{.data.crosswalk}' | kubectl apply -f -
`},
		{"neither Crosswalk nor revision", func(f *fakeAPI) {
			delete(f.objects, crontabsCW)
			delete(f.objects, revision)
		}, `
problem      tables           1 of 1 ready
  problem: customresourcedefinition crontabs.stable.example.com: it names Crosswalk, and there is no Crosswalk crontabs.stable.example.com, and no revision of its table: its objects cannot be converted until you apply the Crosswalk again
`},
		{"a path without a table, which manage replaces", func(f *fakeAPI) {
			withoutTable(f)
		}, ``},
		{"a path without a table, and no Crosswalk", func(f *fakeAPI) {
			withoutTable(f)
			delete(f.objects, crontabsCW)
		}, `
problem      tables           1 of 1 ready
  problem: customresourcedefinition crontabs.stable.example.com: it names Crosswalk, and there is no Crosswalk crontabs.stable.example.com, and no revision of its table: its objects cannot be converted until you apply the Crosswalk again
`},
		{"a policy that is not ready", func(f *fakeAPI) {
			f.objects[policy]["status"] = fields{"conditions": []fields{condition("Ready", "False", "NoSuchResource", "no such resource")}}
		}, `
problem      policies         0 of 1 ready
  problem: validationpolicy images: not ready: NoSuchResource: no such resource
    $ kubectl describe validationpolicy images
`},
		{"a policy with an unknown field", func(f *fakeAPI) {
			f.objects[policy]["status"] = fields{"conditions": []fields{
				condition("Ready", "True", "Registered", ""),
				condition("FitsSchemas", "False", "Misfits", "spec.validations[0].expression: undefined field 'imgae'"),
				condition("Permitted", "False", "MissingRights", "crosswalk serve may not get crontabs"),
			}}
		}, `
problem      policies         1 of 1 ready
  problem: validationpolicy images: its expressions do not fit the schemas: spec.validations[0].expression: undefined field 'imgae'
    $ kubectl describe validationpolicy images
  problem: validationpolicy images: it lacks rights: crosswalk serve may not get crontabs
    $ kubectl describe validationpolicy images
`},
		{"an older version", func(f *fakeAPI) {
			status(f.objects[crontabs])["storedVersions"] = []string{"v1beta1", "v1"}
		}, `
ok           stored versions  2 CustomResourceDefinitions
  advice: customresourcedefinition crontabs.stable.example.com: objects may still be stored in v1beta1 (status.storedVersions), and v1beta1 cannot be removed before they are rewritten to v1
    $ crosswalk migrate crontabs.stable.example.com
`},
		{"a stash without room", func(f *fakeAPI) {
			f.annotate("crosswalk.dev/incomplete", `{"v1beta1":[".spec.shell"]}`)
		}, `
problem      stashes          1 object of 1 resource
  problem: crontab default/cleanup: its annotations had no room for every value that another version can't represent, and the rest is lost; the annotation crosswalk.dev/incomplete lists the fields. Write them again
    $ kubectl get crontabs.stable.example.com cleanup -n default -o jsonpath='{.metadata.annotations.crosswalk\.dev/incomplete}'
`},
		{"a stash of a version that was removed", func(f *fakeAPI) {
			f.annotate("stash.crosswalk.dev/v1alpha1.status", "{}")
		}, `
ok           stashes          1 object of 1 resource
  advice: crontab default/cleanup: its annotation stash.crosswalk.dev/v1alpha1.status keeps values of v1alpha1, which the CRD does not have any more; remove it if nobody needs them
    $ kubectl annotate crontabs.stable.example.com cleanup -n default stash.crosswalk.dev/v1alpha1.status-
`},
		{"a stash that cannot be read", func(f *fakeAPI) {
			f.annotate("stash.crosswalk.dev/v1beta1", "{")
		}, `
problem      stashes          1 object of 1 resource
  problem: crontab default/cleanup: its annotation stash.crosswalk.dev/v1beta1 cannot be read, so conversions to v1beta1 restore nothing
    $ kubectl annotate crontabs.stable.example.com cleanup -n default stash.crosswalk.dev/v1beta1-
`},
		{"values without a place", func(f *fakeAPI) {
			f.annotate("stash.crosswalk.dev/v1beta1", `{"format":1,"table":"x.v1beta1","entries":[{"at":["spec","shell"],"value":"dash"},{"at":["spec","jobs",{"key":{"name":"a"}},"zone"],"value":"UTC","table":"earlier","unplaced":"v1"}]}`)
		}, `
ok           stashes          1 object of 1 resource
  advice: crontab default/cleanup: its annotation stash.crosswalk.dev/v1beta1 keeps values of an earlier table, for which this one has no place, so v1beta1 does not show them: .spec.jobs[{"name":"a"}].zone
    $ kubectl get crontabs.stable.example.com cleanup -n default -o jsonpath='{.metadata.annotations.stash\.crosswalk\.dev/v1beta1}'
`},
		{"no conversion of objects", func(f *fakeAPI) {
			f.answers["GET /apis/stable.example.com/v1beta1/crontabs"] = rejected("conversion webhook for stable.example.com/v1, Kind=CronTab failed: the object has no kind")
		}, `
problem      stashes          1 object of 1 resource
  problem: customresourcedefinition crontabs.stable.example.com: its objects cannot be read in v1beta1: the conversion fails: conversion webhook for stable.example.com/v1, Kind=CronTab failed: the object has no kind
    $ kubectl -n crosswalk-system logs deployment/crosswalk-serve --all-pods
`},
		{"no right to read", func(f *fakeAPI) {
			f.refused = []string{"/secrets/", "/pods", "/crontabs", "subjectaccessreviews", "/canaries", "/controllerrevisions"}
		}, `
not checked  API server       Kubernetes v1.36.3 at SERVER
  not checked: you may not read /apis/apiextensions.k8s.io/v1/customresourcedefinitions/canaries.crosswalk.dev
not checked  Service          crosswalk-system/crosswalk, 1 ready
  not checked: you may not read /api/v1/namespaces/crosswalk-system/pods
not checked  serve
  not checked: the Pods of crosswalk serve: see Service
not checked  manage           leader crosswalk-manage-0
  not checked: the Pods of crosswalk manage: see Service
not checked  certificate      7 caBundles
  not checked: you may not read /api/v1/namespaces/crosswalk-system/secrets/crosswalk-serving
not checked  conversion
  not checked: you may not read /apis/crosswalk.dev/v1alpha1/namespaces/crosswalk-system/canaries
not checked  rights
  not checked: the rights of the ServiceAccount crosswalk-system/crosswalk-serve: you may not read /apis/authorization.k8s.io/v1/subjectaccessreviews
not checked  tables           2 of 2 ready
  not checked: you may not read /apis/apps/v1/namespaces/crosswalk-system/controllerrevisions
not checked  stashes          0 objects of 1 resource
  not checked: you may not read /apis/stable.example.com/v1/crontabs
`},
	})
}

// withoutTable makes the CRD call Crosswalk under a path that names no table.
func withoutTable(f *fakeAPI) {
	webhook := spec(f.objects[crds+"crontabs.stable.example.com"])["conversion"].(fields)["webhook"].(fields)
	webhook["clientConfig"].(fields)["service"].(fields)["path"] = "/convert"
}
