package injection

import (
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// What we may not write to stays as it is, and an Event has the commands that give the
// right; once it is given, the rest follows.
func TestNoRight(t *testing.T) {
	name := strings.Repeat("n", 253)
	resources := map[string]string{
		"CustomResourceDefinition":       "customresourcedefinitions.apiextensions.k8s.io",
		"ValidatingWebhookConfiguration": "validatingwebhookconfigurations.admissionregistration.k8s.io",
		"MutatingWebhookConfiguration":   "mutatingwebhookconfigurations.admissionregistration.k8s.io",
		"APIService":                     "apiservices.apiregistration.k8s.io",
	}
	for kind, resource := range resources {
		for then, annotations := range map[string]map[string]string{"Injected": wanted(), "Released": nil} {
			t.Run(kind+"/"+then, func(t *testing.T) {
				o := object(t, kind, nil, annotations)
				o.SetName(name)
				if annotations == nil {
					o.SetManagedFields([]metav1.ManagedFieldsEntry{entry(o.GetAPIVersion(), "gitops"), entry(o.GetAPIVersion(), FieldManager)})
				}
				w := watching(t, newRig(t, newCA(t), o))
				w.user = "system:serviceaccount:" + strings.Repeat("n", 63) + ":" + strings.Repeat("a", 63)
				w.denied = []string{"patch " + resource + " " + name}
				role := "crosswalk-injects-" + strings.TrimSuffix(strings.ToLower(kind), "configuration") + "-" + name[:40]
				want := "`kubectl create clusterrole " + role + " --verb=patch --resource=" + resource + " --resource-name=" + name + "` and " +
					"`kubectl create clusterrolebinding " + role + " --clusterrole=" + role + " --serviceaccount=" + w.user[len("system:serviceaccount:"):] + "`"
				if got := w.reconcile(t, o, retryRight); !strings.HasPrefix(got, "Warning NoRight Crosswalk may not write this object; allow it with "+want+"; or for all annotated objects with ") ||
					!strings.HasSuffix(got, "(Helm: injection.enabled)") {
					t.Errorf("%q", got)
				}
				if got := w.reconcile(t, o, retryRight); got != "" {
					t.Errorf("it is told again: %q", got)
				}
				if w.applied > 0 || ownership(w.get(t, o).GetManagedFields()) < 0 != (annotations != nil) {
					t.Error("it was written to")
				}
				w.denied = nil
				if got := w.reconcile(t, o, 0); !strings.HasPrefix(got, "Normal "+then) {
					t.Errorf("with the right: %q", got)
				}
			})
		}
	}
}
