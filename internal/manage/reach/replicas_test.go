package reach

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	"github.com/crosswalk-dev/crosswalk/internal/cluster"
)

func TestServiceAddress(t *testing.T) {
	for name, test := range map[string]struct {
		spec corev1.ServiceSpec
		want string
	}{
		"cluster IP":    {corev1.ServiceSpec{ClusterIP: "10.0.0.7"}, "10.0.0.7:443"},
		"IPv6":          {corev1.ServiceSpec{ClusterIP: "fd00::7"}, "[fd00::7]:443"},
		"external name": {corev1.ServiceSpec{Type: corev1.ServiceTypeExternalName, ExternalName: "localhost"}, "localhost:443"},
		"headless":      {corev1.ServiceSpec{ClusterIP: corev1.ClusterIPNone}, "the Service crosswalk-system/crosswalk has no clusterIP, so the API server cannot call it; give it one"},
	} {
		t.Run(name, func(t *testing.T) {
			service := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Namespace: "crosswalk-system", Name: "crosswalk"}, Spec: test.spec}
			s := Serve{Service: cluster.Service{Namespace: service.Namespace, Name: service.Name}, Port: 443, Live: fake.NewFakeClient(service)}
			got, err := s.serviceAddress(t.Context())
			if err != nil {
				got = err.Error()
			}
			if got != test.want {
				t.Errorf("got %s", got)
			}
		})
	}
}
