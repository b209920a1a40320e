package policies

import (
	"context"
	"fmt"
	"net/http"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/check"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/stage"
)

const crontabs = "crontabs.stable.example.com"

// play is a scene with the examples' tables and two replicas of serve.
type play struct {
	*testing.T
	scene    *harness.Scene
	programs harness.Programs
	examples []example
	// beta and v1 are CronTabs in both versions.
	beta, v1 harness.Resource
}

func TestPolicies(t *testing.T) {
	programs := stage.Programs(t).Racing()
	examples, tables := readExamples(t, programs)
	scene := stage.StartWith(t, programs, harness.SceneOptions{
		Aggregated: true, Replicas: 2, Lag: 200 * time.Millisecond, DrainDelay: 500 * time.Millisecond,
		// Nobody lets policies look up what they ask for, until a play does.
		Refused: []string{"serve watch services", "serve get default/crontabs"},
	}, tables...)
	stage.AggregateRoles(t, scene)
	api, err := scene.ControlPlane.API()
	if err != nil {
		t.Fatal(err)
	}
	v1 := harness.Resource{API: api, Group: "stable.example.com", Version: "v1", Plural: "crontabs", Namespace: "default"}
	p := play{t, scene, programs, examples, v1.In("v1beta1"), v1}
	p.kubectl("wait", "--for=condition=Guarded", "--timeout=30s", "crosswalk", crontabs)
	for _, act := range []struct {
		name string
		play func(play)
	}{
		{"kinds", play.testKinds},
		{"mistakes", play.testMistakes},
		{"being deleted", play.testBeingDeleted},
		{"mutations are judged", play.testMutationsAreJudged},
		{"names", play.testNames},
		{"warnings", play.testWarnings},
		{"columns", play.testColumns},
		{"a wrong policy", play.testWrongPolicy},
		{"schemas", play.testSchemas},
		{"exceptions", play.testExceptions},
		{"about everything", play.testAboutEverything},
		{"many", play.testMany},
		{"lookups", play.testLookups},
		{"params", play.testParams},
		{"authorizer", play.testAuthorizer},
		{"two at once", play.testTwoAtOnce},
		{"defaults", play.testDefaults},
		{"types", play.testTypes},
		{"scaling", play.testScaling},
		{"edits", play.testEdits},
		{"deletion", play.testDeletion},
		{"drift", play.testDrift},
		{"nobody answers", play.testNobodyAnswers},
		{"cases", play.testCases}, // which leave policies behind
	} {
		t.Run(act.name, func(t *testing.T) {
			p.T = t
			act.play(p)
		})
	}
}

func (p play) kubectl(args ...string) string {
	p.Helper()
	return p.pipe("", args...)
}

// pipe is kubectl with something on its standard input.
func (p play) pipe(stdin string, args ...string) string {
	p.Helper()
	said, err := p.scene.ControlPlane.KubectlWith(p.Context(), stdin, args...)
	if err != nil {
		p.Fatal(err)
	}
	return said
}

// refused is what kubectl says to a manifest that is not accepted.
func (p play) refused(manifest string) string {
	p.Helper()
	_, err := p.scene.ControlPlane.KubectlWith(p.Context(), manifest, "apply", "-f", "-")
	if err == nil {
		p.Fatalf("it is accepted:\n%s", manifest)
	}
	return err.Error()
}

// policy applies a policy and waits until it is ready. It goes with the test.
func (p play) policy(kind, name, spec string) {
	p.Helper()
	p.Cleanup(func() { p.remove(kind, name) })
	p.apply(kind, name, spec)
	p.ready(kind, name)
}

// policyPath is where the API server has policies of a kind.
func policyPath(kind string) string {
	plural := map[string]string{"ValidationPolicy": "validationpolicies", "MutationPolicy": "mutationpolicies"}[kind]
	return "/apis/crosswalk.dev/v1alpha1/" + plural
}

// apply applies a policy as one manager, who so takes back what the form before had.
func (p play) apply(kind, name, spec string) {
	p.Helper()
	path := policyPath(kind) + "/" + name + "?fieldManager=author"
	if _, err := p.v1.API.Do(p.Context(), http.MethodPatch, path, harness.ApplyPatchType, []byte(manifest(kind, name, spec))); err != nil {
		p.Fatal(err)
	}
}

// remove deletes a policy, if it is there.
func (p play) remove(kind, name string) {
	p.Helper()
	// The test's own context may be over.
	_, err := p.v1.API.Do(context.Background(), http.MethodDelete, policyPath(kind)+"/"+name, "", nil)
	if err != nil && !check.Is(err, http.StatusNotFound) {
		p.Error(err)
	}
}

// ready waits until a policy is, as it is now.
func (p play) ready(kind, name string) {
	p.Helper()
	stage.Until(p.T, 20*time.Second, func(ctx context.Context) error {
		data, err := p.v1.API.Get(ctx, policyPath(kind)+"/"+name)
		if err != nil {
			return err
		}
		return stage.Ready(data)
	})
}

func manifest(kind, name, spec string) string {
	return "apiVersion: crosswalk.dev/v1alpha1\nkind: " + kind + "\nmetadata: {name: " + name + "}\nspec:\n  " +
		strings.ReplaceAll(strings.TrimSpace(spec), "\n", "\n  ") + "\n"
}

// about is a matchConstraints of CronTabs in v1.
const about = "matchConstraints: {resourceRules: [{apiGroups: [stable.example.com], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [crontabs]}]}\n"

// crontab is the JSON of one in a version; more are members of spec.
func crontab(r harness.Resource, name, more string) []byte {
	return fmt.Appendf(nil, `{"apiVersion":%q,"kind":"CronTab","metadata":{"name":%q},"spec":{"cronSpec":"0 2 * * 5","image":"example.com/backup:1.4"%s}}`,
		r.APIVersion(), name, more)
}

// create creates one and deletes it again; an error is the API server's.
func create(ctx context.Context, r harness.Resource, name, more string) error {
	if _, err := r.Create(ctx, crontab(r, name, more)); err != nil {
		return err
	}
	_, err := r.Delete(ctx, name)
	return err
}

func (p play) wantCreated(r harness.Resource, name, more string) {
	p.Helper()
	if err := create(p.Context(), r, name, more); err != nil {
		p.Errorf("%s is refused: %v", name, err)
	}
}

func (p play) wantRefused(r harness.Resource, name, more string, wants ...string) {
	p.Helper()
	err := create(p.Context(), r, name, more)
	if err == nil {
		p.Errorf("%s is accepted", name)
		return
	}
	said := strings.ReplaceAll(err.Error(), `\"`, `"`) // in JSON
	for _, want := range wants {
		if !strings.Contains(said, want) {
			p.Errorf("%s: the API server says\n%s\nwant %s", name, said, want)
		}
	}
}

// post creates something else with an administrator's rights, and deletes it with the
// test.
func (p play) post(path, name, object string) {
	p.Helper()
	if _, err := p.v1.API.Do(p.Context(), http.MethodPost, path, harness.JSONType, []byte(object)); err != nil {
		p.Fatal(err)
	}
	p.Cleanup(func() {
		_, _ = p.v1.API.Do(context.Background(), http.MethodDelete, path+"/"+name, harness.JSONType, nil)
	})
}

// combined is what kubectl prints, warnings included.
func (p play) combined(stdin string, args ...string) (string, error) {
	command := exec.CommandContext(p.Context(), p.programs.Kubectl, args...)
	command.Env, command.Stdin = p.scene.ControlPlane.Env(), strings.NewReader(stdin)
	said, err := command.CombinedOutput()
	return string(said), err
}
