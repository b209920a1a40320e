package systems

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/check"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/exact"
)

// testScale scales objects that were born in every version through every version,
// with kubectl and in bytes, and then as a HorizontalPodAutoscaler does.
func (v variant) testScale(t *testing.T) {
	for _, born := range v.versions() {
		o := v.bornIn(t, born)
		name := v.create(t, o, "scale")
		views := o.Statuses[0].after(o.Views)
		v.writeStatus(t, born, name, o.Statuses[0], false)
		for i, through := range v.versions() {
			views = v.scaled(views, 5+i)
			v.kubectl(t, "", "scale", v.argument(through), name, "--replicas="+strconv.Itoa(5+i))
			v.wantScaled(t, name, views)

			views = v.scaled(views, 7+i)
			scale := exact.Merge(v.scale(t, through, name), exact.Patch(number(7+i), "spec", "replicas"))
			path := v.in(through).Path("/" + name + "/scale")
			if _, err := v.api.Do(t.Context(), http.MethodPut, path, harness.JSONType, check.Encode(t, scale)); err != nil {
				t.Fatal(err)
			}
			v.wantScaled(t, name, views)
		}
		views = v.scaled(views, 9)
		v.autoscale(t, name, 9)
		v.wantScaled(t, name, views)
		v.wantStored(t, name, v.stored, views)
	}
}

// autoscale reads and writes the Scale with the autoscaler's client. That asks in
// the version that discovery prefers, whatever its target's apiVersion is.
func (v variant) autoscale(t *testing.T, name string, replicas int32) {
	t.Helper()
	resource := schema.GroupResource{Group: v.crd.Spec.Group, Resource: v.crd.Spec.Names.Plural}
	scales := newClients(t, v.scene).scales(t).Scales(v.name)
	scale, err := scales.Get(t.Context(), resource, name, metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	scale.Spec.Replicas = replicas
	if _, err := scales.Update(t.Context(), resource, scale, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
}

// wantScaled reads the object and its Scale in every version.
func (v variant) wantScaled(t *testing.T, name string, views map[string]tree) {
	t.Helper()
	v.wantViews(t, name, views)
	for version, view := range views {
		paths := v.scaleOf(version)
		got := v.scale(t, version, name)
		for _, part := range []struct{ in, at string }{
			{"spec.replicas", paths.SpecReplicasPath},
			{"status.replicas", paths.StatusReplicasPath},
			{"status.selector", *paths.LabelSelectorPath},
		} {
			want, ok := exact.At(view.Value, split(part.at)...)
			if !ok {
				t.Fatalf("no %s in the view of %s", part.at, version)
			}
			is, _ := exact.At(got, split(part.in)...)
			if diff := exact.Diff(is, want); diff != "" {
				t.Errorf("%s of the Scale in %s:\n%s", part.in, version, diff)
			}
		}
	}
}

// scale reads the Scale in one version.
func (v variant) scale(t *testing.T, version, name string) exact.Value {
	t.Helper()
	data := check.Get(t, v.in(version), name+"/scale")
	check.APIVersion(t, data, "autoscaling/v1")
	return check.Decode(t, data)
}

// scaled is every view with other replicas.
func (v variant) scaled(views map[string]tree, replicas int) map[string]tree {
	e := edit{In: map[string]tree{}}
	for version := range views {
		e.In[version] = tree{exact.Patch(number(replicas), split(v.scaleOf(version).SpecReplicasPath)...)}
	}
	return e.after(views)
}

// scaleOf says where a version has its replicas, if it has a scale subresource.
func (v variant) scaleOf(version string) *apiextensionsv1.CustomResourceSubresourceScale {
	for _, candidate := range v.crd.Spec.Versions {
		if candidate.Name == version && candidate.Subresources != nil {
			return candidate.Subresources.Scale
		}
	}
	return nil
}

// split takes a path of a CRD apart: .spec.replicas.
func split(path string) []string { return strings.Split(strings.TrimPrefix(path, "."), ".") }

func number(n int) json.Number { return json.Number(strconv.Itoa(n)) }
