package chaos

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/e2e/harness"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/exact"
)

const (
	crdsPath       = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
	crosswalksPath = "/apis/crosswalk.dev/v1alpha1/crosswalks"
	revisionsPath  = "/apis/apps/v1/namespaces/" + harness.Namespace + "/controllerrevisions"
)

// domain is where every scenario has its groups.
const domain = ".chaos.example.com"

// table is a CRD with its Crosswalk, of one scenario.
type table struct {
	*world
	harness.Table
}

// newTable is the example in a group of its own, with a version stored.
func (w *world) newTable(t testing.TB, group, stored string) table {
	t.Helper()
	copied, err := w.example.InGroup(group+domain, stored)
	if err != nil {
		t.Fatal(err)
	}
	return table{w, copied}
}

func (t table) name() string { return t.CRD.Name }

// in is the resource in a version.
func (t table) in(version string) harness.Resource {
	return harness.Resource{API: t.API(), Group: t.CRD.Spec.Group, Version: version, Plural: t.CRD.Spec.Names.Plural, Namespace: "default"}
}

// kubectl applies an object as kubectl does on the server's side.
func (w *world) apply(ctx context.Context, path string, object any) error {
	body, err := json.Marshal(object)
	if err != nil {
		return err
	}
	_, err = w.API().Do(ctx, http.MethodPatch, path+"?fieldManager=kubectl&force=true", harness.ApplyPatchType, body)
	return err
}

func (t table) applyCRD(tb testing.TB) {
	tb.Helper()
	until(tb, func(ctx context.Context) error { // the API server may be restarted
		return t.apply(ctx, crdsPath+"/"+t.name(), strip(tb, t.CRD))
	})
}

func (t table) applyCrosswalk(tb testing.TB) {
	tb.Helper()
	until(tb, func(ctx context.Context) error { // its CRD may just have come
		return t.apply(ctx, crosswalksPath+"/"+t.name(), t.crosswalk(tb))
	})
}

// crosswalk is the Crosswalk as its author wrote it.
func (t table) crosswalk(tb testing.TB) any { return strip(tb, t.Crosswalk) }

// strip leaves out what nobody writes.
func strip(tb testing.TB, object any) exact.Value {
	tb.Helper()
	text, err := json.Marshal(object)
	if err != nil {
		tb.Fatal(err)
	}
	value, err := exact.Decode(text)
	if err != nil {
		tb.Fatal(err)
	}
	delete(value.(map[string]any), "status")
	return value
}

// install applies both and waits until the API server converts.
func (t table) install(tb testing.TB) {
	tb.Helper()
	t.applyCRD(tb)
	t.applyCrosswalk(tb)
	t.waitReady(tb)
}

// deleteCrosswalk asks for its deletion.
func (t table) deleteCrosswalk(tb testing.TB) {
	tb.Helper()
	if _, err := t.API().Do(tb.Context(), http.MethodDelete, crosswalksPath+"/"+t.name(), "", nil); err != nil && !isStatus(err, 404) {
		tb.Fatal(err)
	}
}

// liveCRD reads the CRD.
func (t table) liveCRD(ctx context.Context) (*apiextensionsv1.CustomResourceDefinition, error) {
	crd := new(apiextensionsv1.CustomResourceDefinition)
	return crd, t.read(ctx, crdsPath, crd)
}

// live reads the Crosswalk.
func (t table) live(ctx context.Context) (*v1alpha1.Crosswalk, error) {
	crosswalk := new(v1alpha1.Crosswalk)
	return crosswalk, t.read(ctx, crosswalksPath, crosswalk)
}

func (t table) read(ctx context.Context, path string, into any) error {
	data, err := t.API().Get(ctx, path+"/"+t.name())
	if err != nil {
		return err
	}
	return json.Unmarshal(data, into)
}

// waitReady waits until the Crosswalk, as it is now, says that it is ready and
// the API server converts.
func (t table) waitReady(tb testing.TB) {
	tb.Helper()
	until(tb, t.isReady)
}

func (t table) isReady(ctx context.Context) error {
	crosswalk, err := t.live(ctx)
	if err != nil {
		return err
	}
	crd, err := t.liveCRD(ctx)
	if err != nil {
		return err
	}
	ready := meta.FindStatusCondition(crosswalk.Status.Conditions, v1alpha1.ConditionReady)
	if ready == nil || ready.Status != metav1.ConditionTrue || ready.ObservedGeneration != crosswalk.Generation {
		return fmt.Errorf("%s is not ready: %+v", t.name(), ready)
	}
	a := armedOf(crd)
	if a == nil || !strings.HasSuffix(a.path, "/"+crosswalk.Status.Fingerprint) {
		return fmt.Errorf("%s says that it is ready with %s, but is armed with %+v", t.name(), crosswalk.Status.Fingerprint, a)
	}
	return t.converts(ctx)
}

// converts asks the API server for a conversion there and back: by a dry run, in
// the version that is not stored.
func (t table) converts(ctx context.Context) error {
	version, field := "v1beta1", "hostPort"
	for _, v := range t.CRD.Spec.Versions {
		if v.Storage && v.Name == version {
			version, field = "v1", "host"
		}
	}
	spec := map[string]any{"cronSpec": "1 1 1 1 1", "image": "probe", "host": "probe", "port": "1"}
	if version == "v1beta1" {
		spec = map[string]any{"cronSpec": "1 1 1 1 1", "image": "probe", "hostPort": "probe:1"}
	}
	body, err := json.Marshal(map[string]any{
		"apiVersion": t.CRD.Spec.Group + "/" + version, "kind": "CronTab",
		"metadata": map[string]any{"name": "probe"}, "spec": spec,
	})
	if err != nil {
		return err
	}
	answer, err := t.API().Do(ctx, http.MethodPost, t.in(version).Path("?dryRun=All"), harness.JSONType, body)
	if err != nil {
		return err
	}
	value, err := exact.Decode(answer)
	if err != nil {
		return err
	}
	if got, _ := exact.At(value, "spec", field); got != spec[field] {
		return fmt.Errorf("%s is not converted: %s", t.name(), answer)
	}
	return nil
}

// condition reads one condition of the Crosswalk.
func (t table) condition(ctx context.Context, kind string) (metav1.Condition, error) {
	crosswalk, err := t.live(ctx)
	if err != nil {
		return metav1.Condition{}, err
	}
	if c := meta.FindStatusCondition(crosswalk.Status.Conditions, kind); c != nil {
		return *c, nil
	}
	return metav1.Condition{}, fmt.Errorf("%s has no condition %s", t.name(), kind)
}

// waitCondition waits for a condition's reason, and returns its message.
func (t table) waitCondition(tb testing.TB, kind, reason string) (message string) {
	tb.Helper()
	until(tb, func(ctx context.Context) error {
		c, err := t.condition(ctx, kind)
		message = c.Message
		return joinErr(err, want(c.Reason == reason, "%s of %s is %s: %s; want %s", kind, t.name(), c.Reason, c.Message, reason))
	})
	return message
}

func joinErr(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// replaceCRD replaces the CRD by the author's, as an installer with a PUT does:
// what it does not say is gone, spec.conversion too.
func (t table) replaceCRD(tb testing.TB) {
	tb.Helper()
	until(tb, func(ctx context.Context) error {
		crd, err := t.liveCRD(ctx)
		if err != nil {
			return err
		}
		next := t.CRD.DeepCopy()
		next.ResourceVersion = crd.ResourceVersion
		body, err := json.Marshal(next)
		if err != nil {
			return err
		}
		_, err = t.API().Do(ctx, http.MethodPut, crdsPath+"/"+t.name()+"?fieldManager=installer", harness.JSONType, body)
		return err
	})
}

// force takes the finalizer away, as nobody should.
func (t table) force(tb testing.TB) {
	tb.Helper()
	_, err := t.API().Do(tb.Context(), http.MethodPatch, crosswalksPath+"/"+t.name(), harness.MergePatchType, []byte(`{"metadata":{"finalizers":null}}`))
	if err != nil && !isStatus(err, 404) {
		tb.Fatal(err)
	}
}

// removeIfThere deletes an object.
func (w *world) removeIfThere(tb testing.TB, path string) {
	tb.Helper()
	if _, err := w.API().Do(tb.Context(), http.MethodDelete, path, "", nil); err != nil && !isStatus(err, 404) {
		tb.Fatal(err)
	}
}

// hearing is how long an API server may take to hear of a change of a CRD that it
// has accepted. Until then it does as before, and nobody can ask it since when.
const hearing = time.Second

// waitRestored waits until a CRD that somebody has disarmed is armed again, and the
// API server has heard of both.
func (t table) waitRestored(tb testing.TB) {
	tb.Helper()
	until(tb, func(ctx context.Context) error {
		crd, err := t.liveCRD(ctx)
		return joinErr(err, want(armedOf(crd) != nil, "%s is not armed again", t.name()))
	})
	pause(tb.Context(), hearing)
	until(tb, t.converts)
}

// waitTold waits until an Event of the Crosswalk has a text.
func (t table) waitTold(tb testing.TB, text string) {
	tb.Helper()
	until(tb, func(ctx context.Context) error {
		described, err := t.ControlPlane.Kubectl(ctx, "describe", "crosswalk", t.name())
		return joinErr(err, want(strings.Contains(described, text), "no Event has %q:\n%s", text, described))
	})
}
