package injection

import (
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crosswalk-dev/crosswalk/certs/inject"
)

func inKind(t *testing.T, kind string) schema.GroupVersionKind {
	t.Helper()
	for _, gvk := range inject.Kinds() {
		if gvk.Kind == kind {
			return gvk
		}
	}
	t.Fatalf("there is no kind %s", kind)
	return schema.GroupVersionKind{}
}

// An object that no longer asks keeps its bundle, and our ownership of it ends.
func TestRelease(t *testing.T) {
	ours := newCA(t)
	for kind := range manifests() {
		for name, annotations := range map[string]map[string]string{"removed": nil, "false": {"crosswalk.dev/inject-ca": "false"}} {
			t.Run(kind+"/"+name, func(t *testing.T) {
				o := object(t, kind, ours, annotations)
				o.SetManagedFields([]metav1.ManagedFieldsEntry{
					entry(o.GetAPIVersion(), "gitops"), entry(o.GetAPIVersion(), FieldManager), entry(o.GetAPIVersion(), "other"),
				})
				r := newRig(t, newCA(t), o)
				for range 2 {
					if _, err := r.Reconcile(t.Context(), targetOf(o)); err != nil {
						t.Fatal(err)
					}
				}
				after := r.get(t, o)
				if got := bundles(t, after); got[0] != string(ours) {
					t.Errorf("the bundle is\n%s", got[0])
				}
				if ownership(after.GetManagedFields()) >= 0 || len(after.GetManagedFields()) < 2 {
					t.Errorf("managed fields: %v", after.GetManagedFields())
				}
				if got := r.told(); !sameEvents(got, "Normal Released") || !strings.Contains(got, "the caBundle stays") {
					t.Errorf("events %q", got)
				}
			})
		}
	}
}

func entry(apiVersion, manager string) metav1.ManagedFieldsEntry {
	return metav1.ManagedFieldsEntry{
		Manager: manager, Operation: metav1.ManagedFieldsOperationApply, APIVersion: apiVersion, FieldsType: "FieldsV1",
		FieldsV1: metav1.NewFieldsV1(`{"f:spec":{}}`), Time: &metav1.Time{},
	}
}
