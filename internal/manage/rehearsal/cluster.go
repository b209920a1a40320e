package rehearsal

import (
	"context"
	"net"
	"strconv"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	"github.com/crosswalk-dev/crosswalk/certs"
	"github.com/crosswalk-dev/crosswalk/internal/cluster"
	"github.com/crosswalk-dev/crosswalk/internal/manage/reach"
)

// Cluster returns a fake cluster with objects, and with a Service for the address of serve.
func Cluster(t *testing.T, address string, objects ...client.Object) *fake.ClientBuilder {
	t.Helper()
	scheme, err := cluster.Scheme()
	if err != nil {
		t.Fatal(err)
	}
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		t.Fatal(err)
	}
	service := &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{Namespace: Namespace, Name: ServiceName},
		Spec:       corev1.ServiceSpec{Type: corev1.ServiceTypeExternalName, ExternalName: host},
	}
	return fake.NewClientBuilder().WithScheme(scheme).WithRESTMapper(cluster.Mapper()).
		WithObjects(append(objects, service)...).WithReturnManagedFields()
}

// Serve returns a server with one replica at an address, which is reached through a cluster.
func Serve(t *testing.T, address string, source certs.Source, c client.Reader, now func() time.Time) *reach.Serve {
	t.Helper()
	_, port, err := net.SplitHostPort(address)
	if err != nil {
		t.Fatal(err)
	}
	number, err := strconv.ParseInt(port, 10, 32)
	if err != nil {
		t.Fatal(err)
	}
	return &reach.Serve{
		Service: cluster.Service{Namespace: Namespace, Name: ServiceName}, Port: int32(number), Replicas: []string{address},
		Certs: source, Live: c, Cached: c, Now: now,
	}
}

// Failing is a reader that fails while it has an error.
type Failing struct {
	client.Reader
	Err error
}

// Get implements [client.Reader].
func (f *Failing) Get(ctx context.Context, key client.ObjectKey, object client.Object, options ...client.GetOption) error {
	if f.Err != nil {
		return f.Err
	}
	return f.Reader.Get(ctx, key, object, options...)
}
