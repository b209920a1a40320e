package gitops

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fluxcd/cli-utils/pkg/kstatus/polling"
	"github.com/fluxcd/cli-utils/pkg/kstatus/status"
	"github.com/fluxcd/pkg/ssa"
	"github.com/fluxcd/pkg/ssa/normalize"
	ssautils "github.com/fluxcd/pkg/ssa/utils"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/stage"
)

const crontabs = "crontabs.stable.example.com"

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

// read reads the objects of files, which are named from the repository's root.
func read(t *testing.T, programs harness.Programs, names ...string) []*unstructured.Unstructured {
	t.Helper()
	var objects []*unstructured.Unstructured
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join(programs.Root, name))
		if err != nil {
			t.Fatal(err)
		}
		found, err := ssautils.ReadObjects(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		objects = append(objects, found...)
	}
	return objects
}

// kinds are the CRD, Crosswalk and policies of an example, which come before objects.
func kinds(t *testing.T, programs harness.Programs) []*unstructured.Unstructured {
	t.Helper()
	return read(t, programs, "examples/crontab/crd.yaml", "examples/crontab/crosswalk.yaml", "examples/crontab/policies.yaml")
}

// objects are some of both versions.
func objects(t *testing.T, programs harness.Programs) []*unstructured.Unstructured {
	t.Helper()
	found := read(t, programs, "examples/crontab/objects/v1.yaml", "examples/crontab/objects/v1beta1.yaml")
	for _, object := range found {
		object.SetNamespace("default")
		// Both files have the same names.
		object.SetName(object.GetName() + "-" + object.GroupVersionKind().Version)
	}
	return found
}

// Flux installs Crosswalk, then kinds, then objects of both versions, waiting for each.
// Whatever Crosswalk writes after that, Flux finds nothing to correct.
func TestFluxFindsNothingToCorrect(t *testing.T) {
	programs := stage.Programs(t)
	var (
		f    *flux
		base []*unstructured.Unstructured
	)
	scene := stage.StartWith(t, programs, harness.SceneOptions{
		Install: func(ctx context.Context, plane *harness.ControlPlane) error {
			rendered, err := plane.Kubectl(ctx, "kustomize", filepath.Join(programs.Root, "deploy", "base"))
			if err != nil {
				return err
			}
			if base, err = ssautils.ReadObjects(strings.NewReader(rendered)); err != nil {
				return err
			}
			f = newFlux(t, plane)
			_, err = f.apply(ctx, base)
			return err
		},
	})
	kinds, objects := kinds(t, programs), objects(t, programs)
	f.mustApply(t, kinds, ssa.CreatedAction)
	f.wait(t, kinds)
	f.mustApply(t, objects, ssa.CreatedAction)
	f.wait(t, objects)

	for _, all := range [][]*unstructured.Unstructured{kinds, objects} {
		f.mustApply(t, all, ssa.UnchangedAction)
	}
	t.Run("of what is installed, too", func(t *testing.T) {
		var rest []*unstructured.Unstructured
		for _, object := range base {
			if object.GetKind() != "Service" { // which the scene leads to loopback
				rest = append(rest, object)
			}
		}
		f.mustApply(t, rest, ssa.UnchangedAction)
	})
	t.Run("where the repository has the conversion None", func(t *testing.T) {
		crd := kinds[0].DeepCopy()
		if err := unstructured.SetNestedField(crd.Object, "None", "spec", "conversion", "strategy"); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			f.mustApply(t, []*unstructured.Unstructured{crd}, ssa.UnchangedAction, ssa.ConfiguredAction)
		}
		said, err := scene.ControlPlane.Kubectl(t.Context(), "get", "crd", crontabs, "-o", "jsonpath={.spec.conversion.strategy}")
		if err != nil || said != "Webhook" {
			t.Errorf("strategy is %q (%v), want Webhook", said, err)
		}
	})
}

// What Flux and Helm wait by calls nothing current of which manage has said nothing yet.
func TestNothingUnseenIsCurrent(t *testing.T) {
	programs := stage.Programs(t)
	scene := stage.Start(t, programs)
	f := newFlux(t, scene.ControlPlane)
	kinds := kinds(t, programs)
	var ours []*unstructured.Unstructured // whose status manage writes
	for _, object := range kinds {
		if object.GroupVersionKind().Group == "crosswalk.dev" {
			ours = append(ours, object)
		}
	}
	if len(ours) != 5 {
		t.Fatalf("there are %d Crosswalks and policies", len(ours))
	}
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

// change changes something in an object's spec.
func change(t *testing.T, plane *harness.ControlPlane, object *unstructured.Unstructured) {
	t.Helper()
	patch := `{"spec": {"failurePolicy": "Ignore"}}`
	if object.GetKind() == "Crosswalk" {
		patch = `{"spec": {"admission": "None"}}`
	}
	if _, err := plane.Kubectl(t.Context(), "patch", strings.ToLower(object.GetKind()), object.GetName(), "--type=merge", "--patch", patch); err != nil {
		t.Fatal(err)
	}
}
