package arming

import (
	"context"
	"fmt"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/crosswalk-dev/crosswalk/certs/inject"
	"github.com/crosswalk-dev/crosswalk/internal/cluster"
)

// Injected returns nil if every CRD that names a Service holds all certificates of a bundle.
// Otherwise the error names one that does not. CA rotation waits for it. The reader must ask
// the API server.
func Injected(ctx context.Context, live client.Reader, service cluster.Service, bundle []byte) error {
	want, err := inject.ParseBundle(bundle)
	if err != nil {
		return err
	}
	heads := new(metav1.PartialObjectMetadataList)
	heads.SetGroupVersionKind(cluster.CrosswalkHead().GroupVersionKind())
	if err := live.List(ctx, heads); err != nil {
		return err
	}
	for _, head := range heads.Items {
		crd := new(apiextensionsv1.CustomResourceDefinition)
		if err := live.Get(ctx, client.ObjectKey{Name: head.Name}, crd); client.IgnoreNotFound(err) != nil {
			return err
		}
		if _, asks := service.ArmedWith(crd); !asks {
			continue
		}
		if holds, err := inject.ParseBundle(bundleOf(crd)); err != nil || !holds.Contains(want) {
			return fmt.Errorf("customresourcedefinition %s does not hold the new CA yet", crd.Name)
		}
	}
	return nil
}
