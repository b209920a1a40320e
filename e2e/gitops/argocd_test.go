package gitops

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	ssautils "github.com/fluxcd/pkg/ssa/utils"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/stage"
)

// argocd is Argo CD's engine on a control plane, for one Application.
type argocd struct {
	programs harness.Programs
	plane    *harness.ControlPlane
	flags    []string // those of its sync options
}

// verdict is what Argo CD says of one manifest.
type verdict struct {
	Kind, Name      string
	Synced          bool
	Health, Message string
	Live, Predicted string
}

// run syncs or compares manifests.
func (a *argocd) run(ctx context.Context, what string, objects []*unstructured.Unstructured, flags ...string) ([]verdict, error) {
	manifests, err := ssautils.ObjectsToYAML(objects)
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, a.programs.ArgoCD, append([]string{what, "--kubeconfig", a.plane.Kubeconfig}, append(flags, a.flags...)...)...)
	cmd.Env = a.plane.Env()
	cmd.Stdin = strings.NewReader(manifests)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	failed := cmd.Run()
	var verdicts []verdict
	if err := json.Unmarshal(out.Bytes(), &verdicts); err != nil {
		return nil, fmt.Errorf("argocd %s: %w (%v): %s", what, failed, err, errs.String())
	}
	if failed != nil {
		return verdicts, fmt.Errorf("argocd %s: %w: %s", what, failed, errs.String())
	}
	return verdicts, nil
}

// sync tries again for one reason only: the API server calls a kind established a moment
// before discovery has each of its versions, and Argo CD may look in between. The
// Application in docs/gitops.md is tried again without end.
func (a *argocd) sync(t *testing.T, objects []*unstructured.Unstructured) {
	t.Helper()
	var verdicts []verdict
	stage.Until(t, 2*time.Minute, func(ctx context.Context) (err error) {
		verdicts, err = a.run(ctx, "sync", objects)
		if err != nil && !strings.Contains(err.Error(), "no matches for kind") {
			t.Fatal(err)
		}
		return err
	})
	if len(verdicts) != len(objects) {
		t.Errorf("of %d objects %d were applied", len(objects), len(verdicts))
	}
}

// compare compares the objects with what is there.
func (a *argocd) compare(t *testing.T, objects []*unstructured.Unstructured, flags ...string) []verdict {
	t.Helper()
	verdicts, err := a.run(stage.Within(t, time.Minute), "compare", objects, flags...)
	if err != nil {
		t.Fatal(err)
	}
	if len(verdicts) != len(objects) {
		t.Fatalf("of %d objects %d were compared", len(objects), len(verdicts))
	}
	return verdicts
}

// wantSynced fails where Argo CD would call an object OutOfSync.
func (a *argocd) wantSynced(t *testing.T, objects []*unstructured.Unstructured, flags ...string) {
	t.Helper()
	for _, v := range a.compare(t, objects, flags...) {
		if !v.Synced {
			t.Errorf("%s %s is out of sync: it is\n%s\nand would be\n%s", v.Kind, v.Name, v.Live, v.Predicted)
		}
	}
}

// wantHealth compares how healthy the object is, and the beginning of the message.
func (a *argocd) wantHealth(t *testing.T, object *unstructured.Unstructured, health, message string) {
	t.Helper()
	stage.Until(t, 30*time.Second, func(ctx context.Context) error {
		verdicts, err := a.run(ctx, "compare", []*unstructured.Unstructured{object})
		if err != nil {
			return err
		}
		if v := verdicts[0]; v.Health != health || !strings.HasPrefix(v.Message, message) {
			return fmt.Errorf("%s %s is %q: %q, want %q: %q", v.Kind, v.Name, v.Health, v.Message, health, message)
		}
		return nil
	})
}

// settings makes the settings of a new installation of Argo CD, and adds ours.
func settings(ctx context.Context, programs harness.Programs, plane *harness.ControlPlane) error {
	for _, args := range [][]string{
		{"create", "namespace", "argocd"},
		{"create", "configmap", "argocd-cm", "--namespace", "argocd"},
		{"label", "configmap", "argocd-cm", "--namespace", "argocd", "app.kubernetes.io/part-of=argocd"},
		{"patch", "configmap", "argocd-cm", "--namespace", "argocd", "--patch-file", filepath.Join(programs.Root, "deploy", "gitops", "argocd-cm.yaml")},
	} {
		if _, err := plane.Kubectl(ctx, args...); err != nil {
			return err
		}
	}
	return nil
}

// Argo CD installs Crosswalk by one Application, and by another kinds and, in a later
// wave, objects of both versions. Whatever Crosswalk writes after that, all is Synced,
// however Argo CD applies and compares.
func TestArgoCDFindsNothingToCorrect(t *testing.T) {
	programs := stage.Programs(t)
	for name, flags := range map[string][]string{"applied on the client": nil, "applied on the server": {"--server-side-apply"}} {
		t.Run(name, func(t *testing.T) {
			a := &argocd{programs: programs, flags: flags}
			kinds, objects := kinds(t, programs), objects(t, programs)
			for _, object := range objects {
				object.SetAnnotations(map[string]string{"argocd.argoproj.io/sync-wave": "1"})
			}
			all := append(slices.Clone(kinds), objects...)
			var base []*unstructured.Unstructured
			scene := stage.StartWith(t, programs, harness.SceneOptions{
				Refused:    []string{lookup},
				Aggregated: true,
				Install: func(ctx context.Context, plane *harness.ControlPlane) (err error) {
					a.plane = plane
					if err = settings(ctx, programs, plane); err != nil {
						return err
					}
					if _, err := a.run(ctx, "sync", all); err == nil {
						return errors.New("a Crosswalk was applied to a cluster that does not know the kind")
					}
					if base, err = render(ctx, programs, plane); err != nil {
						return err
					}
					_, err = a.run(ctx, "sync", base)
					return err
				},
			})
			stage.AggregateRoles(t, scene)
			a.sync(t, all)
			for _, v := range a.compare(t, managed(t, kinds)) {
				if v.Health != "Healthy" {
					t.Errorf("%s %s is %q after the wave of the objects: %s", v.Kind, v.Name, v.Health, v.Message)
				}
			}
			written(t, a.plane)
			for _, how := range []string{"--server-side-diff=false", "--server-side-diff"} {
				a.wantSynced(t, all, how)
				a.wantSynced(t, asInstalled(t, scene, base), how)
			}
			next := append(slices.Clone(kinds), changed(t, objects)...)
			a.sync(t, next)
			a.wantSynced(t, next)
			wantChanged(t, a.plane)

			crd := []*unstructured.Unstructured{withConversion(t, kinds[0])}
			a.sync(t, crd)
			wantConverted(t, a.plane)
			a.wantSynced(t, crd, "--server-side-diff")
			if a.compare(t, crd)[0].Synced {
				t.Error("Argo CD finds nothing to correct where the repository has a conversion: so docs/gitops.md need not speak of it")
			}
		})
	}
}

// The health that deploy/gitops gives Argo CD follows the statuses.
func TestArgoCDHealth(t *testing.T) {
	programs := stage.Programs(t)
	scene := stage.StartWith(t, programs, harness.SceneOptions{
		Refused: []string{lookup},
		Prepare: func(ctx context.Context, plane *harness.ControlPlane) error { return settings(ctx, programs, plane) },
	})
	stage.AggregateRoles(t, scene)
	a := &argocd{programs: programs, plane: scene.ControlPlane}
	kubectl := func(args ...string) {
		t.Helper()
		if _, err := a.plane.Kubectl(stage.Within(t, time.Minute), args...); err != nil {
			t.Fatal(err)
		}
	}
	crd, table := "examples/crontab/crd.yaml", "examples/crontab/crosswalk.yaml"
	crosswalk := read(t, programs, table)[0]
	policy := read(t, programs, "examples/crontab/policies.yaml")[1]
	mutation := read(t, programs, "examples/crontab/policies.yaml")[4]
	for _, file := range []string{table, "examples/crontab/policies.yaml"} {
		kubectl("apply", "-f", filepath.Join(programs.Root, file))
	}
	a.wantHealth(t, crosswalk, "Progressing", "there is no CustomResourceDefinition")
	kubectl("apply", "-f", filepath.Join(programs.Root, crd))
	a.wantHealth(t, crosswalk, "Healthy", "objects are converted by this table")
	a.wantHealth(t, policy, "Healthy", "the API server calls")
	a.wantHealth(t, mutation, "Healthy", "the API server calls")

	// A field goes that the table ties.
	kubectl("patch", "crd", crontabs, "--type=json", "--patch", `[{"op": "remove", "path": "/spec/versions/1/schema/openAPIV3Schema/properties/spec/properties/port"}]`)
	a.wantHealth(t, crosswalk, "Degraded", "v1beta1 row 1")
	kubectl("apply", "-f", filepath.Join(programs.Root, crd))
	a.wantHealth(t, crosswalk, "Healthy", "")

	if err := scene.Manage.Stop(); err != nil {
		t.Fatal(err)
	}
	for _, object := range []*unstructured.Unstructured{crosswalk, policy, mutation} {
		change(t, a.plane, object)
		a.wantHealth(t, object, "Progressing", "crosswalk manage has not reported its status yet")
	}
}
