package faults

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/page"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/stage"
	"github.com/crosswalk-dev/crosswalk/internal/doctor"
)

// finds waits until doctor has a finding that begins with a text.
func (s *scene) finds(t *testing.T, check, text string) doctor.Finding {
	t.Helper()
	var found doctor.Finding
	stage.Until(t, soon, func(context.Context) error {
		d := stage.Doctor(t, s.ControlPlane.Env())
		f, err := d.Find(check, text)
		if err == nil && f.Severity == doctor.Problem && d.Code != 1 {
			return fmt.Errorf("the exit code is %d", d.Code)
		}
		found = f
		return err
	})
	return found
}

// mends runs the command of a finding, as a reader does in the repository.
func (s *scene) mends(t *testing.T, f doctor.Finding) {
	t.Helper()
	folder := page.Folder(t, s.programs)
	env := page.Env(t, s.ControlPlane)
	for i, variable := range env {
		if path, ok := strings.CutPrefix(variable, "PATH="); ok {
			env[i] = "PATH=" + filepath.Join(folder, "bin") + ":" + path
		}
	}
	if printed, err := page.Shell(t, folder, env, f.Command); err != nil {
		t.Fatalf("%s: %v: %s", f.Command, err, printed)
	}
}

// What is broken while manage does not run is found without it, and manage mends it.
func (s *scene) testWithoutManage(t *testing.T) {
	s.Manage.Kill()
	defer s.ControlPlane.ExpectRefusals()()
	s.finds(t, "manage", "lease crosswalk-system/crosswalk-manage: no process holds it, so crosswalk manage does not run")
	s.kubectl(t, "patch", "crd", "crontabs.stable.example.com", "--type=json", "-p", `[{"op": "remove", "path": "/spec/conversion/webhook/clientConfig/caBundle"}]`)
	s.finds(t, "certificate", "customresourcedefinition crontabs.stable.example.com: the API server trusts nobody with its caBundle")
	s.kubectl(t, "delete", "mutatingwebhookconfiguration", "0-crosswalk")
	s.finds(t, "webhooks", "mutatingwebhookconfiguration 0-crosswalk: it does not exist")
	s.kubectl(t, "delete", "clusterrolebinding", "crosswalk-manage")
	missing := s.finds(t, "rights", "serviceaccount crosswalk-system/crosswalk-manage: crosswalk manage may not get,list,watch")
	s.longChain(t)
	s.finds(t, "certificate", "secret crosswalk-system/crosswalk-serving: clients do not accept the certificate: tls.crt holds 21 certificates")
	s.kubectl(t, "delete", "secret", "-n", "crosswalk-system", "crosswalk-serving")
	s.finds(t, "certificate", "secret crosswalk-system/crosswalk-serving: it does not exist")

	s.mends(t, missing)
	if err := s.Manage.Start(stage.Within(t, time.Minute)); err != nil {
		t.Fatal(err)
	}
	s.shows(t, time.Minute, dependent("True"))
	stage.Healthy(t, s.ControlPlane.Env())
}

// longChain appends so many certificates to the serving certificate that no client accepts it.
func (s *scene) longChain(t *testing.T) {
	t.Helper()
	const path = "/api/v1/namespaces/crosswalk-system/secrets/crosswalk-serving"
	data, err := s.api.Get(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	var secret struct{ Data map[string][]byte }
	if err := json.Unmarshal(data, &secret); err != nil {
		t.Fatal(err)
	}
	chain := secret.Data["tls.crt"]
	for range 20 {
		chain = append(chain, secret.Data["ca.crt"]...)
	}
	s.kubectl(t, "patch", "secret", "-n", "crosswalk-system", "crosswalk-serving", "-p", `{"data":{"tls.crt":"`+base64.StdEncoding.EncodeToString(chain)+`"}}`)
}

// Policies that never take effect are found, with the object that makes them do so.
func (s *scene) testPolicies(t *testing.T) {
	const policy = `
apiVersion: crosswalk.dev/v1alpha1
kind: ValidationPolicy
metadata: {name: %s}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [stable.example.com], apiVersions: [v1], operations: [CREATE], resources: [%s]}]
  lookups: [{name: it, apiVersion: v1, kind: %s, nameExpression: "'x'"}]
  validations: [{expression: "%s && lookups.it == null", message: denied}]
---
`
	manifest := fmt.Sprintf(policy, "right", "crontabs", "PersistentVolumeClaim", "true") +
		fmt.Sprintf(policy, "resource", "crontrabs", "Service", "true") +
		fmt.Sprintf(policy, "field", "crontabs", "Service", "has(object.spec.cronSpecs)")
	if _, err := s.ControlPlane.KubectlWith(t.Context(), manifest, "apply", "-f", "-"); err != nil {
		t.Fatal(err)
	}
	s.finds(t, "policies", "validationpolicy resource: not ready: NoSuchResource: ")
	s.finds(t, "policies", "validationpolicy field: its expressions do not fit the schemas: ")
	s.finds(t, "policies", "validationpolicy right: not ready: MissingRights: ")
	s.kubectl(t, "delete", "validationpolicies", "right", "resource", "field")
	stage.Healthy(t, s.ControlPlane.Env())
}

// A Crosswalk that is needed cannot be deleted; one that was deleted by force can be applied
// again from its revision.
func (s *scene) testDeletion(t *testing.T) {
	const name = "crontabs.stable.example.com"
	s.kubectl(t, "delete", "crosswalk", name, "--wait=false")
	s.finds(t, "tables", "crosswalk "+name+": not ready: StillNeeded: this Crosswalk is being deleted, but its CRD still needs it")
	s.Manage.Kill()
	defer s.ControlPlane.ExpectRefusals()()
	s.kubectl(t, "patch", "crosswalk", name, "--type=merge", "-p", `{"metadata": {"finalizers": null}}`)
	s.mends(t, s.finds(t, "tables", "customresourcedefinition "+name+": it names Crosswalk, and there is no Crosswalk "+name))
	if err := s.Manage.Start(stage.Within(t, time.Minute)); err != nil {
		t.Fatal(err)
	}
	s.shows(t, time.Minute, dependent("True"))
	stage.Healthy(t, s.ControlPlane.Env())
}

// TestDoctor plants faults that no status reports, or that no status can report.
func TestDoctor(t *testing.T) {
	programs := stage.Programs(t)
	s := &scene{programs: programs, Scene: stage.StartWith(t, programs, harness.SceneOptions{Refused: []string{"serve watch persistentvolumeclaims", "serve list persistentvolumeclaims"}})}
	var err error
	if s.api, err = s.ControlPlane.API(); err != nil {
		t.Fatal(err)
	}
	stage.AggregateRoles(t, s.Scene)
	stage.Healthy(t, s.ControlPlane.Env())
	crontab := filepath.Join(programs.Root, "examples", "crontab")
	s.kubectl(t, "apply", "-f", filepath.Join(crontab, "crd.yaml"))
	s.kubectl(t, "wait", "--for=condition=Established", "crd/crontabs.stable.example.com")
	s.kubectl(t, "patch", "crd", "crontabs.stable.example.com", "--subresource=status", "--type=merge", "-p", `{"status": {"storedVersions": ["v1beta1", "v1"]}}`)
	// Nothing guards these annotations yet.
	object := func(name, annotation, value string) string {
		return fmt.Sprintf(`{"apiVersion": "stable.example.com/v1", "kind": "CronTab", "metadata": {"name": %q, "annotations": {%q: %q}},
			"spec": {"cronSpec": "30 4 * * 0", "image": "example.com/backup:1"}}`+"\n", name, annotation, value)
	}
	objects := object("lost", "crosswalk.dev/incomplete", "[]") + object("old", "stash.crosswalk.dev/v1alpha1", "{}") + object("broken", "stash.crosswalk.dev/v1beta1", "{")
	if _, err := s.ControlPlane.KubectlWith(t.Context(), objects, "create", "-f", "-"); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"crosswalk.yaml", "policies.yaml"} {
		s.kubectl(t, "apply", "-f", filepath.Join(crontab, file))
	}
	s.shows(t, time.Minute, dependent("True"))
	s.testObjects(t)
	s.testWithoutManage(t)
	s.testPolicies(t)
	s.testDeletion(t)

	// manage's account may not read everything.
	defer s.ControlPlane.ExpectRefusals()()
	d := stage.Doctor(t, s.ControlPlane.Env(), "--kubeconfig", filepath.Join(filepath.Dir(s.Log("x")), "manage.kubeconfig"))
	if d.Code != 2 || d.State != doctor.NotChecked {
		t.Errorf("with the rights of manage: exit code %d, %s", d.Code, d.State)
	}
}

// What is left in objects and in storedVersions is found.
func (s *scene) testObjects(t *testing.T) {
	s.finds(t, "stashes", "crontab default/lost: its annotations had no room")
	s.mends(t, s.finds(t, "stashes", "crontab default/old: its annotation stash.crosswalk.dev/v1alpha1 keeps values of v1alpha1"))
	s.mends(t, s.finds(t, "stashes", "crontab default/broken: its annotation stash.crosswalk.dev/v1beta1 cannot be read"))
	stored := s.finds(t, "stored versions", "customresourcedefinition crontabs.stable.example.com: objects may still be stored in v1beta1")
	if stored.Severity != doctor.Advice {
		t.Errorf("it is a %s", stored.Severity)
	}
	s.mends(t, stored)
	s.kubectl(t, "delete", "crontab", "lost")
	stage.Healthy(t, s.ControlPlane.Env())
	if d := stage.Doctor(t, s.ControlPlane.Env()); strings.Contains(fmt.Sprint(d.Checks), "v1alpha1 keeps") {
		t.Errorf("%+v", d)
	}
}
