package install

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
)

// testPodSecurity creates a Pod of each template, as the ReplicaSet controller
// would: the namespace enforces the standard restricted there.
func (c *cluster) testPodSecurity(t *testing.T) {
	for _, role := range []string{"serve", "manage"} {
		data, err := c.api.Get(t.Context(), "/apis/apps/v1/namespaces/"+namespace+"/deployments/crosswalk-"+role)
		if err != nil {
			t.Fatal(err)
		}
		var d appsv1.Deployment
		if err := json.Unmarshal(data, &d); err != nil {
			t.Fatal(err)
		}
		pod := corev1.Pod{
			TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"},
			ObjectMeta: d.Spec.Template.ObjectMeta, Spec: d.Spec.Template.Spec,
		}
		pod.Name = "template-of-" + role
		if err := c.tryPod(t, pod); err != nil {
			t.Errorf("%s: %v", role, err)
		}
		pod.Spec.Containers[0].SecurityContext.AllowPrivilegeEscalation = nil
		if err := c.tryPod(t, pod); err == nil || !strings.Contains(err.Error(), `violates PodSecurity \"restricted`) {
			t.Errorf("%s that may gain privileges: %v", role, err)
		}
		container := d.Spec.Template.Spec.Containers[0]
		if s := container.SecurityContext; s.ReadOnlyRootFilesystem == nil || !*s.ReadOnlyRootFilesystem {
			t.Errorf("%s can write to its root", role) // not part of the standard
		}
		if !strings.HasPrefix(container.Image, "ghcr.io/crosswalk-dev/crosswalk:v") {
			t.Errorf("%s has the image %s, which names no version", role, container.Image)
		}
	}
}

func (c *cluster) tryPod(t *testing.T, pod corev1.Pod) error {
	t.Helper()
	body, err := json.Marshal(pod)
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.api.Do(t.Context(), http.MethodPost, "/api/v1/namespaces/"+namespace+"/pods?dryRun=All", harness.JSONType, body)
	return err
}
