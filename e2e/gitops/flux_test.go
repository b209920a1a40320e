package gitops

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fluxcd/cli-utils/pkg/kstatus/polling"
	"github.com/fluxcd/cli-utils/pkg/kstatus/status"
	kustomizev1 "github.com/fluxcd/kustomize-controller/api/v1"
	"github.com/fluxcd/pkg/ssa"
	"github.com/fluxcd/pkg/ssa/normalize"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/stage"
)

// flux applies and waits as Flux's kustomize-controller does.
type flux struct {
	*ssa.ResourceManager
	client client.Client
}

func newFlux(t *testing.T, plane *harness.ControlPlane) *flux {
	t.Helper()
	config, err := clientcmd.BuildConfigFromFlags("", plane.Kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	config.QPS = -1                           // a limit would end a wait with an error of its own
	config.WarningHandler = rest.NoWarnings{} // they would be logged
	c, err := client.New(config, client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	owner := ssa.Owner{Field: "kustomize-controller", Group: "kustomize.toolkit.fluxcd.io"}
	return &flux{ResourceManager: ssa.NewResourceManager(c, polling.NewStatusPoller(c, c.RESTMapper(), polling.Options{}), owner), client: c}
}

// apply applies objects, and returns what has become of each.
func (f *flux) apply(ctx context.Context, objects []*unstructured.Unstructured) (map[string]ssa.Action, error) {
	f.SetOwnerLabels(objects, "kinds", "flux-system")
	if err := normalize.UnstructuredList(objects); err != nil {
		return nil, err
	}
	changes, err := f.ApplyAllStaged(ctx, objects, ssa.DefaultApplyOptions())
	if err != nil {
		return nil, err
	}
	return changes.ToMap(), nil
}

// mustApply applies the objects; to each must happen one of what is listed.
func (f *flux) mustApply(t *testing.T, objects []*unstructured.Unstructured, want ...ssa.Action) {
	t.Helper()
	// Flux applies what it has read anew each time.
	var copies []*unstructured.Unstructured
	for _, object := range objects {
		copies = append(copies, object.DeepCopy())
	}
	became, err := f.apply(stage.Within(t, time.Minute), copies)
	if err != nil {
		t.Fatal(err)
	}
	if len(became) != len(objects) {
		t.Errorf("of %d objects %d were applied", len(objects), len(became))
	}
	for subject, action := range became {
		if !slices.Contains(want, action) {
			t.Errorf("%s is %s, want one of %v", subject, action, want)
		}
	}
}

func (f *flux) wait(t *testing.T, objects []*unstructured.Unstructured) {
	t.Helper()
	if err := f.Wait(objects, ssa.WaitOptions{Interval: 100 * time.Millisecond, Timeout: time.Minute}); err != nil {
		t.Fatal(err)
	}
}

// status is what kstatus, by which Flux and Helm wait, makes of an object now.
func (f *flux) status(t *testing.T, object *unstructured.Unstructured) status.Status {
	t.Helper()
	live := object.DeepCopy()
	if err := f.client.Get(stage.Within(t, time.Minute), client.ObjectKeyFromObject(object), live); err != nil {
		t.Fatal(err)
	}
	result, err := status.Compute(live)
	if err != nil {
		t.Fatal(err)
	}
	return result.Status
}

// Flux installs Crosswalk, then kinds, then objects of both versions, waiting for each.
// Whatever Crosswalk writes after that, Flux finds nothing to correct.
func TestFluxFindsNothingToCorrect(t *testing.T) {
	programs := stage.Programs(t)
	var f *flux
	var base []*unstructured.Unstructured
	scene := stage.StartWith(t, programs, harness.SceneOptions{
		Refused:    []string{lookup},
		Aggregated: true,
		Install: func(ctx context.Context, plane *harness.ControlPlane) (err error) {
			f = newFlux(t, plane)
			if base, err = render(ctx, programs, plane); err != nil {
				return err
			}
			_, err = f.apply(ctx, base)
			return err
		},
	})
	stage.AggregateRoles(t, scene)
	kinds, objects := kinds(t, programs), objects(t, programs)
	f.mustApply(t, kinds, ssa.CreatedAction)
	f.wait(t, kinds)
	f.mustApply(t, objects, ssa.CreatedAction)
	f.wait(t, objects)
	written(t, scene.ControlPlane)

	f.mustApply(t, kinds, ssa.UnchangedAction)
	f.mustApply(t, objects, ssa.UnchangedAction)
	f.mustApply(t, asInstalled(t, scene, base), ssa.UnchangedAction)
	f.mustApply(t, changed(t, objects), ssa.UnchangedAction, ssa.ConfiguredAction)
	wantChanged(t, scene.ControlPlane)
	t.Run("where the repository has a conversion", func(t *testing.T) {
		crd := []*unstructured.Unstructured{withConversion(t, kinds[0])}
		f.mustApply(t, crd, ssa.UnchangedAction, ssa.ConfiguredAction)
		f.mustApply(t, crd, ssa.UnchangedAction)
		wantConverted(t, scene.ControlPlane)
	})
	t.Run("a table with a mistake", func(t *testing.T) {
		crosswalk := kinds[1].DeepCopy()
		mistake(t, crosswalk)
		_, err := f.apply(stage.Within(t, time.Minute), []*unstructured.Unstructured{crosswalk})
		if err == nil || !strings.Contains(err.Error(), "did you mean .spec.hostPort?") {
			t.Errorf("Flux is told %v", err)
		}
	})
}

// A Crosswalk whose CRD never comes is named, in the words that docs/gitops.md has.
func TestFluxNamesWhatIsNeverReady(t *testing.T) {
	programs := stage.Programs(t)
	f := newFlux(t, stage.StartWith(t, programs, harness.SceneOptions{Refused: []string{lookup}}).ControlPlane)
	crosswalk := kinds(t, programs)[1:2]
	f.mustApply(t, crosswalk, ssa.CreatedAction)
	err := f.Wait(crosswalk, ssa.WaitOptions{Interval: 100 * time.Millisecond, Timeout: 2 * time.Second})
	page, readErr := os.ReadFile(filepath.Join(programs.Root, "docs", "gitops.md"))
	if readErr != nil {
		t.Fatal(readErr)
	}
	if err == nil || !strings.Contains(string(page), "\n"+err.Error()+"\n") {
		t.Errorf("Flux says %v", err)
	}
}

// The Kustomizations of deploy/gitops are such that Flux knows, and each waits for the one
// that it depends on.
func TestKustomizations(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(stage.Programs(t).Root, "deploy", "gitops", "flux.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	ready := map[string]bool{} // whether those that depend on it wait for what it applies
	for _, document := range strings.Split(string(text), "\n---\n") {
		var k kustomizev1.Kustomization
		if err := yaml.UnmarshalStrict([]byte(document), &k); err != nil {
			t.Fatal(err)
		}
		if got := k.APIVersion + " " + k.Kind; got != kustomizev1.GroupVersion.String()+" Kustomization" {
			t.Errorf("%s is of the kind %s", k.Name, got)
		}
		for _, d := range k.Spec.DependsOn {
			if !ready[d.Name] {
				t.Errorf("%s depends on %s, which is not there before it, or does not wait", k.Name, d.Name)
			}
		}
		if len(ready) > 0 && len(k.Spec.DependsOn) == 0 {
			t.Errorf("%s depends on nothing", k.Name)
		}
		ready[k.Name] = k.Spec.Wait
	}
	if len(ready) != 3 {
		t.Errorf("there are %d Kustomizations", len(ready))
	}
}

// lookup is what the example's policy looks up, and nobody lets it.
const lookup = "serve watch services"

// What Flux and Helm wait by calls nothing current of which manage has said nothing yet.
func TestNothingUnseenIsCurrent(t *testing.T) {
	programs := stage.Programs(t)
	scene := stage.StartWith(t, programs, harness.SceneOptions{Refused: []string{lookup}})
	stage.AggregateRoles(t, scene)
	f := newFlux(t, scene.ControlPlane)
	kinds := kinds(t, programs)
	ours := managed(t, kinds)
	if err := scene.Manage.Stop(); err != nil {
		t.Fatal(err)
	}
	f.mustApply(t, kinds, ssa.CreatedAction)
	for _, object := range ours {
		if got := f.status(t, object); got != status.InProgressStatus {
			t.Errorf("%s %s is new and %s", object.GetKind(), object.GetName(), got)
		}
	}
	if err := scene.Manage.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	f.wait(t, ours)
	if err := scene.Manage.Stop(); err != nil {
		t.Fatal(err)
	}
	for _, object := range ours {
		if got := f.status(t, object); got != status.CurrentStatus {
			t.Errorf("%s %s is %s", object.GetKind(), object.GetName(), got)
		}
		change(t, scene.ControlPlane, object)
		if got := f.status(t, object); got != status.InProgressStatus {
			t.Errorf("%s %s has changed and is %s", object.GetKind(), object.GetName(), got)
		}
	}
}
