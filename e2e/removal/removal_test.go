package removal

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/page"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/stage"
)

// scene is an installation with a table and with policies, some of them for the hub version.
type scene struct {
	*harness.Scene
	folder string
	env    []string
}

func newScene(t *testing.T) *scene {
	t.Helper()
	programs := stage.Programs(t)
	s := &scene{Scene: stage.StartWith(t, programs, harness.SceneOptions{Replicas: 2, Lag: 100 * time.Millisecond, DrainDelay: 400 * time.Millisecond})}
	stage.Controllers(t, s.Scene)
	s.folder, s.env = page.Folder(t, programs), page.Env(t, s.ControlPlane)
	s.run(t, `kubectl apply -f examples/crontab/crd.yaml -f examples/crontab/crosswalk.yaml -f examples/crontab/policies.yaml
kubectl wait --for=condition=Guarded --timeout=1m crosswalk/crontabs.stable.example.com
kubectl wait --for=condition=Ready --timeout=1m validationpolicies,mutationpolicies --all
kubectl create -f examples/crontab/objects/v1beta1.yaml`)
	return s
}

// run runs a script in the repository, as a reader does.
func (s *scene) run(t *testing.T, script string) string {
	t.Helper()
	return page.MustShell(t, s.folder, s.env, script)
}

// commands returns the commands of a console block of a page, by the heading before it.
func commands(t *testing.T, file, heading string) []string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	_, section, found := strings.Cut(string(text), "\n"+heading+"\n")
	if !found {
		t.Fatalf("%s has no heading %q", file, heading)
	}
	_, block, _ := strings.Cut(section, "```console\n")
	block, _, _ = strings.Cut(block, "```")
	var lines []string
	for line := range strings.Lines(block) {
		if command, ok := strings.CutPrefix(strings.TrimSpace(line), "$ "); ok {
			lines = append(lines, command)
		}
	}
	if len(lines) == 0 {
		t.Fatalf("%s has no commands", heading)
	}
	return lines
}

// A Crosswalk that was deleted by mistake comes back, with its policies.
func TestUndo(t *testing.T) {
	s := newScene(t)
	api, err := s.ControlPlane.API()
	if err != nil {
		t.Fatal(err)
	}
	older, newer := startTraffic(t, api, "v1beta1", true), startTraffic(t, api, "v1", true)
	s.run(t, `kubectl delete crosswalk crontabs.stable.example.com --wait=false
kubectl wait --for=condition=Ready=false --timeout=20s crosswalk/crontabs.stable.example.com
kubectl patch crosswalk crontabs.stable.example.com --type=merge -p '{"metadata": {"finalizers": null}}'
kubectl apply -f examples/crontab/crosswalk.yaml
kubectl wait --for=condition=Guarded --timeout=1m crosswalk/crontabs.stable.example.com
kubectl wait --for=condition=Ready --timeout=1m crosswalks,validationpolicies,mutationpolicies --all`)
	older.stop(t)
	newer.stop(t)
	stage.Healthy(t, s.ControlPlane.Env())
}

// Crosswalk is removed as documented: its Crosswalks wait for what needs them.
func TestRemoval(t *testing.T) {
	s := newScene(t)
	api, err := s.ControlPlane.API()
	if err != nil {
		t.Fatal(err)
	}
	older, newer := startTraffic(t, api, "v1beta1", false), startTraffic(t, api, "v1", false)
	s.run(t, `kubectl delete crosswalk crontabs.stable.example.com --wait=false
kubectl wait --for=condition=Ready=false --timeout=20s crosswalk/crontabs.stable.example.com`)
	older.moved(t)
	older.moved(t)
	older.stop(t)
	s.run(t, `kubectl patch crd crontabs.stable.example.com --type=json -p '[{"op": "replace", "path": "/spec/versions/0/served", "value": false}]'`)
	stage.Until(t, 10*time.Second, func(context.Context) error {
		const want = "this Crosswalk is being deleted, but policies still need it: validationpolicy crontab-changes, "
		got := s.run(t, `kubectl get crosswalk crontabs.stable.example.com -o jsonpath='{.status.conditions[?(@.type=="Ready")].message}'`)
		if !strings.HasPrefix(got, want) {
			return fmt.Errorf("got  %s\nwant %s", got, want)
		}
		return nil
	})
	newer.moved(t)

	for _, step := range commands(t, filepath.Join(s.folder, "deploy", "README.md"), "## Removing Crosswalk") {
		if strings.Contains(step, "-k deploy/base") {
			s.ControlPlane.ExpectRefusals() // the roles still run, and have no rights any more
		}
		s.run(t, step)
		newer.moved(t)
	}
	// Without their rights the roles end by themselves, perhaps now, and not in order.
	if err := s.KillCrosswalk(); err != nil {
		t.Fatal(err)
	}
	newer.moved(t)
	newer.stop(t)
	left := s.run(t, `kubectl get crds,mutatingwebhookconfigurations,validatingwebhookconfigurations,clusterroles,clusterrolebindings,namespaces -o name | grep crosswalk`)
	if want := "clusterrole.rbac.authorization.k8s.io/crosswalk-crontabs\n"; left != want { // of the example
		t.Errorf("what is left:\n%s", left)
	}
	if got := s.run(t, `kubectl get crontabs -o name`); !strings.Contains(got, "nightly") {
		t.Errorf("of the objects are left: %s", got)
	}
}
