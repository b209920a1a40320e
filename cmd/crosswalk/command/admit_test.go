package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const fourMistakes = `apiVersion: stable.example.com/v1beta1
kind: CronTab
metadata: {name: nightly}
spec: {cronSpec: "* 25 * * *", image: example.com/backup, replicas: 6, hostPort: "logs.example.com:0"}
`

const noMistake = `apiVersion: stable.example.com/v1
kind: CronTab
metadata: {name: hourly}
spec: {cronSpec: 0 * * * *, image: "example.com/report:2.0"}
`

// TestAdmit prints the verdict, and what has become of the object.
func TestAdmit(t *testing.T) {
	withoutPort := strings.Replace(noMistake, "spec: {", "spec: {host: logs.example.com, ", 1)
	crosswalk(t, fourMistakes+"---\n"+withoutPort, "admit", "--config", example, "-f", "-").expect(t, result{code: exitFailed, stdout: `CREATE of CronTab default/nightly (stable.example.com/v1beta1): denied
The CronTab "nightly" is invalid:
* spec.cronSpec: Invalid value: "* 25 * * *": a minute is at most 59, an hour 23, a day 31, a month 12 and a day of the week 7 (validationpolicy "crontabs")
* spec.image: Invalid value: "example.com/backup": name a tag other than latest, so that every run is of the same image (validationpolicy "crontabs")
* spec.replicas: Invalid value: 6: what runs every minute has at most 5 replicas (validationpolicy "crontabs")
* spec.hostPort: Invalid value: "logs.example.com:0": must be a number from 1 to 65535 (validationpolicy "crontabs")
asked: MutationPolicy crontabs, ValidationPolicy crontab-hints, ValidationPolicy crontabs

CREATE of CronTab default/hourly (stable.example.com/v1): allowed
asked: MutationPolicy crontabs, ValidationPolicy crontab-hints, ValidationPolicy crontabs
the object (- as sent, + as admitted):
  apiVersion: stable.example.com/v1
  kind: CronTab
  metadata:
    name: hourly
    namespace: default
  spec:
    cronSpec: 0 * * * *
    host: logs.example.com
    image: example.com/report:2.0
+   port: "514"
+   replicas: 1
`})
}

// TestAdmitGoesOn judges what can be judged, and names the rest.
func TestAdmitGoesOn(t *testing.T) {
	got := crosswalk(t, "apiVersion: v7\nkind: Pod\n---\n"+noMistake, "admit", "--config", example, "-f", "-")
	if got.code != exitFailed || !strings.HasPrefix(got.stdout, "CREATE of CronTab default/hourly (stable.example.com/v1): allowed\n") ||
		got.stderr != "crosswalk: standard input: document 1, line 1: there is no kind Pod in v7: add its CustomResourceDefinition to --config\n" {
		t.Errorf("got %+v", got)
	}
}

// TestAdmitDoubts warns of expressions that do not fit schemas, and judges all the same.
func TestAdmitDoubts(t *testing.T) {
	doubtful := file(t, "doubtful.yaml", `apiVersion: crosswalk.dev/v1alpha1
kind: MutationPolicy
metadata: {name: hosts}
spec:
  hub: true
  matchConstraints:
    resourceRules:
    - {apiGroups: [stable.example.com], apiVersions: ['*'], operations: [CREATE], resources: [crontabs]}
  matchConditions: [{name: new, expression: "!has(object.spec.hostPort)"}]
  mutations:
  - patchType: ApplyConfiguration
    applyConfiguration:
      expression: "Object{spec: Object.spec{replicas: '2'}}"
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: images}
spec:
  matchConstraints:
    resourceRules:
    - {apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments, daemonsets, deployments/scale]}
  variables:
  - {name: containers, expression: object.spec.template.spec.containers}
  validations:
  - expression: "variables.containers.all(c, c.images != '')"
  - expression: object.spec.replicas < 9
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: images}
spec: {policyName: images, validationActions: [Deny]}
`)
	got := crosswalk(t, noMistake, "admit", "--config", example, "--config", doubtful, "-f", "-")
	at := "crosswalk: warning: " + doubtful + ": document "
	want := at + `2, line 23: ValidatingAdmissionPolicy images: .spec.variables[0].expression: undefined field 'template' at 1:12, for Scale autoscaling/v1; if it is intended, put it in dyn()
` + at + `2, line 25: ValidatingAdmissionPolicy images: .spec.validations[0].expression: undefined field 'images' at 1:30, for DaemonSet apps/v1, Deployment apps/v1; if it is intended, put it in dyn()
` + at + `2, line 26: ValidatingAdmissionPolicy images: .spec.validations[1].expression: undefined field 'replicas' at 1:12, for DaemonSet apps/v1; if it is intended, put it in dyn()
` + at + `1, line 9: MutationPolicy hosts: .spec.matchConditions[0].expression: undefined field 'hostPort' at 1:5, for CronTab stable.example.com/v1; if it is intended, put it in dyn()
` + at + `1, line 13: MutationPolicy hosts: .spec.mutations[0].applyConfiguration.expression: expected type of field 'replicas' is 'int' but provided type is 'string' at 1:34, for CronTab stable.example.com/v1; if it is intended, put it in dyn()
`
	if got.stderr != want || !strings.Contains(got.stdout, "CREATE of CronTab default/hourly") {
		t.Errorf("got\n%s%s\nwant\n%s", got.stderr, got.stdout, want)
	}
}

func file(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestAdmitFlags: who writes, over what, where, and what else there is.
func TestAdmitFlags(t *testing.T) {
	old := file(t, "old.yaml", strings.Replace(noMistake, "spec: {", "spec: {replicas: 2, ", 1))
	more := strings.Replace(noMistake, "spec: {", "spec: {replicas: 6, ", 1)
	service := file(t, "service.yaml", "apiVersion: v1\nkind: Service\nmetadata: {name: logs}\n")
	reports := strings.Replace(noMistake, "spec: {", "spec: {host: logs, port: '80', ", 1)
	for name, test := range map[string]struct {
		stdin, args string
		code        int
		want        string
	}{
		"old":           {more, "-f - --old " + old, exitFailed, "Error from server (Forbidden): spec.replicas: Forbidden: at most twice as many as before, which is 4 (validationpolicy \"crontab-changes\")\n"},
		"group":         {more, "-f - --as-group admins --operation update --old " + old, exitOK, "UPDATE of CronTab default/hourly (stable.example.com/v1): allowed\n"},
		"deletion":      {"", "--old " + old, exitOK, "DELETE of CronTab default/hourly (stable.example.com/v1): allowed\nno policy matched\n"},
		"status":        {more, "-f - --subresource status --old " + old, exitOK, "UPDATE of its status of CronTab default/hourly (stable.example.com/v1): allowed\n"},
		"no context":    {reports, "-f -", exitFailed, "there is no Service logs in the namespace default (validationpolicy \"crontabs\")\n"},
		"context":       {reports, "-f - --context " + service, exitOK, ": allowed\n"},
		"namespace":     {reports, "-f - -n prod", exitFailed, "there is no Service logs in the namespace prod (validationpolicy \"crontabs\")\n"},
		"JSON":          {noMistake, "-f - -o json", exitOK, `"objects": 1,`},
		"cases":         {"", "--cases " + example + "/cases", exitOK, "14 cases passed\n"},
		"cases in JSON": {"", "-o json --cases " + example + "/cases/defaults.yaml", exitOK, `"failed": 0,`},
		"JUnit":         {"", "-o junit --cases " + example + "/cases", exitOK, `<testsuites name="crosswalk admit" tests="14" failures="0" errors="0">`},
		"a case fails": {"", "--cases " + file(t, "case.yaml", "object: {apiVersion: v1, kind: Pod, metadata: {name: a}}\nexpect: {allowed: false}\n"), exitFailed,
			"1 of 1 case failed"},
	} {
		t.Run(name, func(t *testing.T) {
			got := crosswalk(t, test.stdin, append([]string{"admit", "--config", example}, strings.Fields(test.args)...)...)
			if got.code != test.code || !strings.Contains(got.stdout, test.want) || got.stderr != "" {
				t.Errorf("got %+v\nwant %s", got, test.want)
			}
		})
	}
}

// TestAdmitAs: the user is who is named.
func TestAdmitAs(t *testing.T) {
	star := "apiVersion: cnstar.kubecto-kubernetes.info/v1\nkind: Star\nmetadata: {name: a}\nspec: {schedule: {cron: 0 2 * * *}, task: {command: a}, restartPolicy: Never}\n"
	got := crosswalk(t, star, "admit", "--config", "../../../examples/star", "-f", "-", "--as", "alice")
	if got.code != exitOK || !strings.Contains(got.stdout, "\n+   owner: alice\n") {
		t.Errorf("got %+v", got)
	}
}

// TestAdmitUnbound: a policy without a binding is never evaluated, and a line reports that.
func TestAdmitUnbound(t *testing.T) {
	policy := file(t, "policy.yaml", "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\nmetadata: {name: p}\nspec:\n"+
		"  matchConstraints: {resourceRules: [{apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*']}]}\n  validations: [{expression: 'false'}]\n")
	crosswalk(t, "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: b}\n", "admit", "--config", policy, "-f", "-").expect(t, result{
		stdout: "CREATE of ConfigMap b/a (v1): allowed\nno policy matched\n\nValidatingAdmissionPolicy p is never evaluated: it has no binding\n",
	})
}

func TestAdmitUsage(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{
		"two.yaml": noMistake + "---\n" + noMistake, "none.yaml": "# nothing\n", "text.yaml": "just text\n", "case.yaml": "objekt: {}\nexpect: {allowed: true}\n",
		"policy.yaml": "apiVersion: crosswalk.dev/v1alpha1\nkind: ValidationPolicy\nmetadata: {name: a}\nspec:\n  validations:\n  - expression: object.spec +\n",
		"pod.yaml":    "apiVersion: v7\nkind: Pod\n",
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct{ args, want string }{
		{"", "--config is missing: name the files or folders with the policies, CRDs and tables"},
		{"--config=", "a path is empty: name a file or folder"},
		{"--config EXAMPLE", "nothing to evaluate: name objects with -f, or cases with --cases"},
		{"--config EXAMPLE a.yaml", `unexpected argument "a.yaml": objects are given with -f, and cases with --cases`},
		{"--config EXAMPLE -f - -o yaml", "--output yaml: use text, json or, for cases, junit"},
		{"--config EXAMPLE -f - -o junit", "--output junit is for --cases; for objects use text or json"},
		{"--config EXAMPLE --cases FOLDER --as bob", "--as and --cases exclude each other: a case contains its own write"},
		{"--config EXAMPLE --cases FOLDER -n bob", "--namespace and --cases exclude each other: a case contains its own write"},
		{"--config EXAMPLE -f - --old -", "-f and --old are both standard input: name a file for one of them"},
		{"--config FOLDER/policy.yaml -f -", `FOLDER/policy.yaml: document 1, line 5: ValidationPolicy a: .spec.matchConstraints: it is missing: select with resourceRules what the policy matches
FOLDER/policy.yaml: document 1, line 6: ValidationPolicy a: .spec.validations[0].expression: ERROR: <input>:1:14: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}
 | object.spec +
 | .............^`},
		{"--config EXAMPLE -f FOLDER/two.yaml --old FOLDER/two.yaml", "-f has 2 objects and --old has 2: each must have one"},
		{"--config EXAMPLE -f FOLDER/none.yaml", "no object found in FOLDER/none.yaml"},
		{"--config EXAMPLE -f FOLDER/text.yaml -f FOLDER/nowhere.yaml", `FOLDER/text.yaml: document 1, line 1: it is no object of Kubernetes: it needs an apiVersion and a kind
FOLDER/nowhere.yaml: no such file or directory`},
		{"--config EXAMPLE -f FOLDER/pod.yaml", "FOLDER/pod.yaml: document 1, line 1: there is no kind Pod in v7: add its CustomResourceDefinition to --config"},
		{"--config EXAMPLE -f FOLDER/pod.yaml --operation CONNECT", `FOLDER/pod.yaml: document 1, line 1: a CONNECT needs a subresource: attach, exec, portforward or proxy`},
		{"--config EXAMPLE -f - --context -", "-: no such file or directory"},
		{"--config EXAMPLE --cases FOLDER/none.yaml", "no case found in FOLDER/none.yaml"},
		{"--config EXAMPLE --cases FOLDER/case.yaml", "FOLDER/case.yaml: document 1, line 1: .objekt: unknown field; did you mean object?"},
	} {
		t.Run(test.args, func(t *testing.T) {
			args := strings.Fields(strings.NewReplacer("EXAMPLE", example, "FOLDER", folder).Replace(test.args))
			got := crosswalk(t, noMistake, append([]string{"admit"}, args...)...)
			got.stderr = strings.ReplaceAll(got.stderr, folder, "FOLDER")
			got.expect(t, result{code: exitUsage, stderr: "crosswalk: " + test.want + "\nSee 'crosswalk admit --help'.\n"})
		})
	}
}
