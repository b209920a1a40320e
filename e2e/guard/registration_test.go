package guard

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/stage"
)

const (
	crontabs = "crontabs.stable.example.com"
	example  = "examples/crontab/"
)

// play is a scene in which the example's table is one of several.
type play struct {
	*testing.T
	scene    *harness.Scene
	programs harness.Programs
}

// testRegistration sees what the API server is told to ask.
func testRegistration(t *testing.T, programs harness.Programs, scene *harness.Scene) {
	p := play{t, scene, programs}
	p.waitFor("Guarded")
	for _, act := range []struct {
		name string
		play func(play)
	}{
		{"rules", play.testRules},
		{"a wrong table", play.testWrongTable},
		{"a table without a CRD", play.testTableWithoutCRD},
		{"an installer", play.testInstaller},
		{"drift", play.testDrift},
		{"manifests", play.testManifests},
		{"opting out", play.testOptOut},
		{"going", play.testGoing},
	} {
		t.Run(act.name, func(t *testing.T) {
			p.T = t
			act.play(p)
		})
	}
}

func (p play) kubectl(args ...string) string {
	p.Helper()
	said, err := p.scene.ControlPlane.Kubectl(p.Context(), args...)
	if err != nil {
		p.Fatal(err)
	}
	return said
}

// refused is what kubectl says to something that is not accepted.
func (p play) refused(stdin string, args ...string) string {
	p.Helper()
	_, err := p.scene.ControlPlane.KubectlWith(p.Context(), stdin, args...)
	if err == nil {
		p.Fatalf("kubectl %s is accepted", strings.Join(args, " "))
	}
	return err.Error()
}

func (p play) waitFor(condition string) {
	p.Helper()
	p.kubectl("wait", "--for=condition="+condition, "--timeout=30s", "crosswalk", crontabs)
}

func (p play) file(name string) string { return filepath.Join(p.programs.Root, example+name) }

// rules are those of a webhook, as "resources versions operations". Of rules about
// kinds with tables, they are those about the example's.
func (p play) rules(configuration, webhook, group string) string {
	p.Helper()
	return p.kubectl("get", configuration, "-o", fmt.Sprintf(
		`jsonpath={range .webhooks[?(@.name=="%s")].rules[?(@.apiGroups[0]=="%s")]}{.resources} {.apiVersions} {.operations};{end}`, webhook, group))
}

func (p play) wantRules(want string) {
	p.Helper()
	stage.Until(p.T, 20*time.Second, func(context.Context) error {
		guard := p.rules("mutatingwebhookconfiguration/0-crosswalk", "guard.crosswalk.dev", "stable.example.com")
		strict := p.rules("validatingwebhookconfiguration/crosswalk", "strict.crosswalk.dev", "stable.example.com")
		if got := guard + strict; got != want {
			return fmt.Errorf("got %s, want %s", got, want)
		}
		return nil
	})
}

const guarded = `["crontabs"] ["v1","v1beta1"] ["CREATE","UPDATE"];["crontabs","crontabs/status"] ["v1","v1beta1"] ["CREATE","UPDATE"];`

func (p play) testRules() {
	p.wantRules(guarded)
	for _, own := range []struct{ configuration, webhook, group string }{
		{"mutatingwebhookconfiguration/0-crosswalk", "conversion.crosswalk.dev", "apiextensions.k8s.io"},
		{"validatingwebhookconfiguration/crosswalk", "configuration.crosswalk.dev", "crosswalk.dev"},
	} {
		stage.Until(p.T, 20*time.Second, func(context.Context) error {
			if p.rules(own.configuration, own.webhook, own.group) == "" {
				return fmt.Errorf("%s has no rule", own.webhook)
			}
			return nil
		})
	}
	// The canary has a table, and no rule.
	if got := p.rules("mutatingwebhookconfiguration/0-crosswalk", "guard.crosswalk.dev", "crosswalk.dev") +
		p.rules("validatingwebhookconfiguration/crosswalk", "strict.crosswalk.dev", "crosswalk.dev"); got != "" {
		p.Errorf("the canary is guarded: %s", got)
	}
}

func (p play) table() string {
	p.Helper()
	text, err := os.ReadFile(p.file("crosswalk.yaml"))
	if err != nil {
		p.Fatal(err)
	}
	return string(text)
}

// kubectl prints what the compiler says, with fields.
func (p play) testWrongTable() {
	wrong := strings.Replace(p.table(), "spoke: .spec.hostPort,", "spoke: .spec.hostPorts,", 1) +
		"    - {spoke: .spec.shell, each: {rows: [{spok: .a}]}}\n"
	said := p.refused(wrong, "apply", "-f", "-")
	if want := `spec.versions[0].rows[1].each.rows[0].spok: unknown field; did you mean spoke?`; !strings.Contains(said, want) {
		p.Errorf("kubectl says\n%s\nwant %s", said, want)
	}
	wrong = strings.Replace(p.table(), "spoke: .spec.hostPort,", "spoke: .spec.hostPorts,", 1) + "    - {spoke: .spec.image, hub: .spec.images}\n"
	said = p.refused(wrong, "apply", "-f", "-")
	for _, want := range []string{
		`The Crosswalk "` + crontabs + `" is invalid: `,
		`* spec.versions[0].rows[0]: v1beta1 (.spec.hostPorts <-> .spec.host, .spec.port): spoke path .spec.hostPorts is not in the v1beta1 schema; did you mean .spec.hostPort?`,
		`* spec.versions[0].rows[1]: v1beta1 (.spec.image <-> .spec.images): hub path .spec.images is not in the v1 schema; did you mean .spec.image?`,
	} {
		if !strings.Contains(said, want) {
			p.Errorf("kubectl says\n%s\nwant %s", said, want)
		}
	}
}

func (p play) testTableWithoutCRD() {
	table := "apiVersion: crosswalk.dev/v1alpha1\nkind: Crosswalk\nmetadata: {name: things.example.com}\nspec: {hub: v1}\n"
	command := exec.CommandContext(p.Context(), p.programs.Kubectl, "--kubeconfig", p.scene.ControlPlane.Kubeconfig, "apply", "-f", "-")
	command.Stdin = strings.NewReader(table)
	said, err := command.CombinedOutput()
	if err != nil || !strings.Contains(string(said), "Warning: there is no CustomResourceDefinition things.example.com yet") {
		p.Errorf("kubectl says %s, %v", said, err)
	}
	p.kubectl("delete", "crosswalk", "things.example.com")
}

// An installer replaces the CRD by the one that it came with.
func (p play) testInstaller() {
	before := p.kubectl("get", "crd", crontabs, "-o", "jsonpath={.spec.conversion}")
	said := p.kubectl("replace", "-f", p.file("crd.yaml"))
	if after := p.kubectl("get", "crd", crontabs, "-o", "jsonpath={.spec.conversion}"); after != before {
		p.Errorf("kubectl says %s, and the conversion is %s, want %s", said, after, before)
	}
	if events := p.kubectl("get", "events", "--field-selector", "reason=Restored", "-o", "name"); events != "" {
		p.Errorf("it was taken away for a moment: %s", events)
	}
	// Anything else is the installer's.
	p.kubectl("label", "crd", crontabs, "installed-by=somebody")
}

// A changed or deleted configuration is restored, and an Event names the client.
func (p play) testDrift() {
	p.kubectl("patch", "mutatingwebhookconfiguration", "0-crosswalk", "--type=json", "--field-manager=meddler", "-p", `[{"op": "replace", "path": "/webhooks/0/rules/0/operations", "value": ["CREATE"]}]`)
	p.wantRules(guarded)
	name := p.kubectl("get", "mutatingwebhookconfiguration", "0-crosswalk", "-o", "jsonpath={.webhooks[0].name}")
	p.waitTold("mutatingwebhookconfiguration", "0-crosswalk",
		`meddler changed webhooks[name="`+name+`"].rules of the MutatingWebhookConfiguration 0-crosswalk, and it has been restored`)
	p.kubectl("delete", "mutatingwebhookconfiguration/0-crosswalk", "validatingwebhookconfiguration/crosswalk")
	stage.Until(p.T, 20*time.Second, func(ctx context.Context) error {
		_, err := p.scene.ControlPlane.Kubectl(ctx, "get", "mutatingwebhookconfiguration/0-crosswalk", "validatingwebhookconfiguration/crosswalk")
		return err
	})
	p.wantRules(guarded)
	p.waitTold("validatingwebhookconfiguration", "crosswalk", "another client deleted the ValidatingWebhookConfiguration crosswalk, and it has been restored")
}

// waitTold waits until an Event of an object has a text.
func (p play) waitTold(kind, name, text string) {
	p.Helper()
	stage.Until(p.T, 20*time.Second, func(ctx context.Context) error {
		described, err := p.scene.ControlPlane.Kubectl(ctx, "describe", kind, name)
		if err == nil && !strings.Contains(described, text) {
			err = fmt.Errorf("no Event has %q:\n%s", text, described)
		}
		return err
	})
}

// The API server takes what GitOps would apply.
func (p play) testManifests() {
	text, err := exec.CommandContext(p.Context(), p.programs.Crosswalk, "manifests", "--config", p.file("")).Output()
	if err != nil {
		p.Fatal(err)
	}
	if _, err := p.scene.ControlPlane.KubectlWith(p.Context(), string(text), "apply", "--server-side", "--force-conflicts", "--dry-run=server", "-f", "-"); err != nil {
		p.Error(err)
	}
}

func (p play) testOptOut() {
	p.kubectl("patch", "crosswalk", crontabs, "--type=merge", "-p", `{"spec": {"admission": "None"}}`)
	p.wantRules("")
	p.kubectl("wait", "--for=jsonpath={.status.conditions[?(@.type==\"Guarded\")].reason}=OptedOut", "--timeout=20s", "crosswalk", crontabs)
	p.kubectl("patch", "crosswalk", crontabs, "--type=json", "-p", `[{"op": "remove", "path": "/spec/admission"}]`)
	p.wantRules(guarded)
	p.waitFor("Guarded")
}

// Manage itself may take the conversion away.
func (p play) testGoing() {
	p.kubectl("patch", "crd", crontabs, "--type=json", "-p", `[{"op": "replace", "path": "/spec/versions/0/served", "value": false}]`)
	p.kubectl("delete", "crosswalk", crontabs, "--timeout=30s")
	if got := p.kubectl("get", "crd", crontabs, "-o", "jsonpath={.spec.conversion}"); got != `{"strategy":"None"}` {
		p.Errorf("the conversion is %s", got)
	}
	p.wantRules("")
}
