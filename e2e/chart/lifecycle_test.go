package chart

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/stage"
)

const crontabs = "crontabs.stable.example.com"

// installation is Crosswalk as a release of Helm's.
type installation struct {
	programs harness.Programs
	plane    *harness.ControlPlane
}

func (i *installation) helm(t *testing.T, args ...string) string {
	t.Helper()
	said, err := i.plane.Helm(stage.Within(t, time.Minute), args...)
	if err != nil {
		t.Fatal(err)
	}
	return said
}

func (i *installation) kubectl(t *testing.T, args ...string) string {
	t.Helper()
	said, err := i.plane.Kubectl(stage.Within(t, time.Minute), args...)
	if err != nil {
		t.Fatal(err)
	}
	return said
}

// TestLifecycle installs the chart of an old version, upgrades it, rolls it back and
// uninstalls it, while clients read objects in both versions.
func TestLifecycle(t *testing.T) {
	i := &installation{programs: stage.Programs(t)}
	table, err := harness.ReadTable(filepath.Join(i.programs.Root, "examples", "crontab"))
	if err != nil {
		t.Fatal(err)
	}
	chart := filepath.Join(i.programs.Root, "deploy", "chart")
	oldChart, newChart, oldPrograms := chartOf(t, chart, "0.0.1"), chartOf(t, chart, "0.0.2"), i.programs
	oldPrograms.Crosswalk = programOf(t, i.programs.Root, "v0.0.1")
	scene := stage.StartWith(t, oldPrograms, harness.SceneOptions{
		Replicas: 2, Lag: 100 * time.Millisecond, DrainDelay: 400 * time.Millisecond,
		Install: func(ctx context.Context, plane *harness.ControlPlane) error {
			i.plane = plane
			said, err := plane.Helm(ctx, "install", "crosswalk", oldChart, "--create-namespace")
			if err == nil && !strings.Contains(said, "Crosswalk v0.0.1 is installed in the namespace crosswalk-system.") {
				return fmt.Errorf("helm install says\n%s", said)
			}
			return err
		},
	}, table)
	i.kubectl(t, "label", "namespace", harness.Namespace, "pod-security.kubernetes.io/enforce=restricted")
	i.kubectl(t, "wait", "--for=condition=Ready", "--timeout=2m", "crosswalk/canaries.crosswalk.dev")
	for _, version := range []string{"v1", "v1beta1"} {
		i.kubectl(t, "apply", "-f", filepath.Join(i.programs.Root, "examples", "crontab", "objects", version+".yaml"))
	}
	i.expectImage(t, "v0.0.1")
	i.expectPods(t)
	api, err := i.plane.API()
	if err != nil {
		t.Fatal(err)
	}
	readers := startReaders(t, api)

	t.Run("upgrade", func(t *testing.T) {
		readers.moved(t)
		i.helm(t, "upgrade", "crosswalk", newChart, "--set-json", `serve.podAnnotations={"upgraded":"yes"},networkPolicy.enabled=true,monitoring.dashboard.enabled=true`)
		i.expectImage(t, "v0.0.2")
		i.expectPods(t)
		readers.moved(t)
		i.rollout(t, scene, i.programs.Crosswalk)
		readers.moved(t)
	})
	t.Run("roll back", func(t *testing.T) {
		i.helm(t, "rollback", "crosswalk", "1")
		i.expectImage(t, "v0.0.1")
		i.rollout(t, scene, oldPrograms.Crosswalk)
		readers.moved(t)
	})
	t.Run("the definitions are left out", func(t *testing.T) {
		i.helm(t, "upgrade", "crosswalk", oldChart, "--set-json", "crds.enabled=false")
		// Had they gone, all Crosswalks would have, too.
		i.kubectl(t, "get", "crd", "crosswalks.crosswalk.dev", "canaries.crosswalk.dev", "validationpolicies.crosswalk.dev", "mutationpolicies.crosswalk.dev")
		i.helm(t, "upgrade", "crosswalk", oldChart)
		readers.moved(t)
	})
	t.Run("a second time changes nothing", func(t *testing.T) {
		before := i.generations(t)
		i.helm(t, "upgrade", "crosswalk", oldChart)
		if after := i.generations(t); !maps.Equal(before, after) {
			t.Errorf("generations were %v, and are %v", before, after)
		}
	})
	readers.stop(t)

	t.Run("uninstall in the wrong order, and install again", func(t *testing.T) {
		if err := scene.StopCrosswalk(); err != nil {
			t.Fatal(err)
		}
		i.helm(t, "uninstall", "crosswalk")
		i.expectGone(t)
		if _, err := i.plane.Kubectl(t.Context(), "get", "crontabs.v1beta1.stable.example.com", "nightly"); err == nil || !strings.Contains(err.Error(), "conversion webhook") {
			t.Errorf("without Crosswalk, v1beta1 can be read: %v", err)
		}
		i.helm(t, "install", "crosswalk", chart)
		i.restart(t, scene)
		if got := i.kubectl(t, "get", "crontabs.v1beta1.stable.example.com", "-o", "name"); strings.Count(got, "\n") < 2 {
			t.Errorf("after it was installed again, v1beta1 has %q", got)
		}
	})
	t.Run("uninstall as the notes say", func(t *testing.T) {
		notes := i.helm(t, "get", "notes", "crosswalk")
		if !strings.Contains(notes, "\n  kubectl delete crosswalks --all\n") {
			t.Errorf("the notes do not say what to do:\n%s", notes)
		}
		i.kubectl(t, "patch", "crd", crontabs, "--type=json", `--patch=[
			{"op": "test", "path": "/spec/versions/0/name", "value": "v1beta1"},
			{"op": "replace", "path": "/spec/versions/0/served", "value": false}]`)
		i.kubectl(t, "delete", "crosswalks", "--all", "--timeout=50s")
		i.plane.ExpectRefusals() // the roles still run, and have no rights any more
		i.helm(t, "uninstall", "crosswalk")
		i.expectGone(t)
		// Without their rights the roles end by themselves, perhaps now, and not in order.
		if err := scene.KillCrosswalk(); err != nil {
			t.Fatal(err)
		}
		if got := i.kubectl(t, "get", crontabs, "-o", "name"); strings.Count(got, "\n") < 2 {
			t.Errorf("after Crosswalk is gone, there is %q", got)
		}
		if got := i.kubectl(t, "get", "crd", "-l", "app.kubernetes.io/name=crosswalk", "-o", "name"); strings.Count(got, "\n") != 4 {
			t.Errorf("of its definitions are left %q", got)
		}
	})
}

// chartOf copies the chart as another version's.
func chartOf(t *testing.T, chart, version string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "crosswalk")
	if err := os.CopyFS(dir, os.DirFS(chart)); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "Chart.yaml")
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for line := range strings.Lines(string(content)) {
		switch {
		case strings.HasPrefix(line, "version: "):
			line = "version: " + version + "\n"
		case strings.HasPrefix(line, "appVersion: "):
			line = "appVersion: v" + version + "\n"
		}
		lines = append(lines, line)
	}
	if err := os.WriteFile(path, []byte(strings.Join(lines, "")), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

// programOf builds crosswalk as another version. No release has been made yet whose
// program could play the old one.
func programOf(t *testing.T, root, version string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "crosswalk")
	cmd := exec.CommandContext(stage.Within(t, 5*time.Minute), "go", "build", "-ldflags", "-X main.release="+version, "-o", path, "./cmd/crosswalk")
	cmd.Dir, cmd.Env = root, append(os.Environ(), "CGO_ENABLED=0")
	if said, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	return path
}

// rollout does what the Deployments' controller would.
func (i *installation) rollout(t *testing.T, scene *harness.Scene, program string) {
	t.Helper()
	if err := scene.Rollout(stage.Within(t, time.Minute), program); err != nil {
		t.Fatal(err)
	}
}

// restart starts every role of an installation that is new, with accounts that are.
func (i *installation) restart(t *testing.T, scene *harness.Scene) {
	t.Helper()
	if err := scene.Reinstalled(stage.Within(t, time.Minute)); err != nil {
		t.Fatal(err)
	}
	i.kubectl(t, "wait", "--for=condition=Ready", "--timeout=50s", "crosswalk", crontabs)
}

func (i *installation) deployments(t *testing.T) []appsv1.Deployment {
	t.Helper()
	var list appsv1.DeploymentList
	said := i.kubectl(t, "get", "deployments", "--namespace", harness.Namespace, "-o", "json")
	if err := json.Unmarshal([]byte(said), &list); err != nil {
		t.Fatal(err)
	}
	if len(list.Items) != 2 {
		t.Fatalf("there are %d Deployments", len(list.Items))
	}
	return list.Items
}

func (i *installation) expectImage(t *testing.T, version string) {
	t.Helper()
	for _, d := range i.deployments(t) {
		if got, want := d.Spec.Template.Spec.Containers[0].Image, "ghcr.io/crosswalk-dev/crosswalk:"+version; got != want {
			t.Errorf("%s has the image %s, want %s", d.Name, got, want)
		}
	}
}

// expectPods tries the Pods that the Deployments' controller would make: the namespace
// enforces the Pod security standard restricted.
func (i *installation) expectPods(t *testing.T) {
	t.Helper()
	api, err := i.plane.API()
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range i.deployments(t) {
		pod := corev1.Pod{ObjectMeta: d.Spec.Template.ObjectMeta, Spec: d.Spec.Template.Spec}
		pod.APIVersion, pod.Kind, pod.Name = "v1", "Pod", "of-"+d.Name
		body, err := json.Marshal(pod)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := api.Do(t.Context(), http.MethodPost, "/api/v1/namespaces/"+harness.Namespace+"/pods?dryRun=All", harness.JSONType, body); err != nil {
			t.Errorf("%s: %v", d.Name, err)
		}
	}
}

// generations are those of all that is installed and has one.
func (i *installation) generations(t *testing.T) map[string]string {
	t.Helper()
	said := i.kubectl(t, "get", "deployments,poddisruptionbudgets,validatingwebhookconfigurations,mutatingwebhookconfigurations,customresourcedefinitions",
		"--namespace", harness.Namespace, "-l", "app.kubernetes.io/managed-by=Helm", "-o", `jsonpath={range .items[*]}{.kind}/{.metadata.name} {.metadata.generation}{"\n"}{end}`)
	found := map[string]string{}
	for line := range strings.Lines(said) {
		name, generation, _ := strings.Cut(strings.TrimSpace(line), " ")
		found[name] = generation
	}
	if len(found) != 2+1+4+4 {
		t.Errorf("there are %v", slices.Sorted(maps.Keys(found)))
	}
	return found
}

// expectGone expects that nothing is left but what values.yaml says: the definitions.
func (i *installation) expectGone(t *testing.T) {
	t.Helper()
	said := i.kubectl(t, "get", "deployments,services,serviceaccounts,roles,rolebindings,poddisruptionbudgets,clusterroles,clusterrolebindings,validatingwebhookconfigurations,mutatingwebhookconfigurations",
		"--all-namespaces", "-l", "app.kubernetes.io/name=crosswalk", "-o", "name")
	if said != "" {
		t.Errorf("helm uninstall leaves\n%s", said)
	}
}

// readers read all objects in both versions again and again.
type readers struct {
	running sync.WaitGroup
	end     context.CancelFunc

	mu       sync.Mutex
	rounds   int
	failures []string
}

func startReaders(t *testing.T, api *harness.API) *readers {
	t.Helper()
	ctx, end := context.WithCancel(t.Context())
	r := &readers{end: end}
	t.Cleanup(end)
	for _, version := range []string{"v1", "v1beta1"} {
		first, err := specs(ctx, api, version)
		if err != nil || len(first) < 2 {
			t.Fatalf("%d objects in %s, %v", len(first), version, err)
		}
		r.running.Go(func() {
			for ctx.Err() == nil {
				read, err := specs(ctx, api, version)
				if ctx.Err() != nil {
					return
				}
				r.mu.Lock()
				r.rounds++
				if err != nil || !maps.Equal(read, first) {
					r.failures = append(r.failures, fmt.Sprintf("%s: %v, %v", version, read, err))
				}
				r.mu.Unlock()
			}
		})
	}
	return r
}

// specs are those of all objects in a version, by name, as JSON. Each object is read by
// itself: a list is answered from what the API server has converted before.
func specs(ctx context.Context, api *harness.API, version string) (map[string]string, error) {
	const path = "/namespaces/default/crontabs"
	answer, err := api.Get(ctx, "/apis/stable.example.com/"+version+path)
	if err != nil {
		return nil, err
	}
	type object struct {
		Metadata struct{ Name string }
		Spec     json.RawMessage
	}
	var list struct{ Items []object }
	if err := json.Unmarshal(answer, &list); err != nil {
		return nil, err
	}
	found := map[string]string{}
	for _, item := range list.Items {
		var read object
		if answer, err = api.Get(ctx, "/apis/stable.example.com/"+version+path+"/"+item.Metadata.Name); err != nil {
			return nil, err
		}
		if err := json.Unmarshal(answer, &read); err != nil {
			return nil, err
		}
		found[item.Metadata.Name] = string(read.Spec)
	}
	return found, nil
}

// moved waits until the readers have read twenty times more.
func (r *readers) moved(t *testing.T) {
	t.Helper()
	r.mu.Lock()
	before := r.rounds
	r.mu.Unlock()
	stage.Until(t, 20*time.Second, func(context.Context) error {
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.rounds < before+20 {
			return fmt.Errorf("the readers have read %d times", r.rounds-before)
		}
		return nil
	})
}

func (r *readers) stop(t *testing.T) {
	t.Helper()
	r.end()
	r.running.Wait()
	if len(r.failures) > 0 {
		t.Errorf("%d of %d reads failed, the first: %s", len(r.failures), r.rounds, r.failures[0])
	}
}
