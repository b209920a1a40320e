package lookup

import (
	"context"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"

	"github.com/crosswalk-dev/crosswalk/validation/policy"
	fitting "github.com/crosswalk-dev/crosswalk/validation/schema"
)

// Schemas are those of custom resources. Each is read from its CRD when a write needs
// it, and not watched: a cluster may have thousands with large schemas. Schemas
// implements [policy.Schemas].
//
// It errs on one side. By an old schema an object may fit that no longer does, and a
// mutation is asked about it that need not be; but one that does not fit is only left
// alone by a schema that has just been read.
type Schemas struct {
	client dynamic.Interface
	now    func() time.Time

	reads singleflight.Group
	mu    sync.Mutex
	known map[string]*schemaOf // by the name of the CRD
}

// How old a schema may be by which an object fits, or does not; and how long a read
// may take.
const (
	fitsFor     = time.Minute
	misfitsFor  = time.Second
	schemaReads = 5 * time.Second
)

var _ policy.Schemas = (*Schemas)(nil)

func newSchemas(client dynamic.Interface, now func() time.Time) *Schemas {
	return &Schemas{client: client, now: now, known: map[string]*schemaOf{}}
}

// schemaOf is the schema of a CRD. Of a resource without one it has no versions.
type schemaOf struct {
	read     time.Time
	versions map[string]*fitting.Types
	// failed says that it could not be read, and that the versions are those of before.
	failed bool
}

func (s *schemaOf) fit(version string, object []byte) fitting.Fit {
	if types := s.versions[version]; types != nil {
		return types.Fit(object)
	}
	return fitting.Fits
}

// Fit implements [policy.Schemas]. Where a schema cannot be read everything fits.
func (s *Schemas) Fit(ctx context.Context, resource schema.GroupVersionResource, object []byte) fitting.Fit {
	if resource.Group == "" {
		return fitting.Fits
	}
	name, now := resource.GroupResource().String(), s.now()
	if s.get(ctx, name, now.Add(-fitsFor)).fit(resource.Version, object) == fitting.Fits {
		return fitting.Fits
	}
	fresh := s.get(ctx, name, now.Add(-misfitsFor))
	if fresh.failed {
		return fitting.Fits
	}
	return fresh.fit(resource.Version, object)
}

// get gives a schema as it is, or was at some time since then, or says that it has failed.
func (s *Schemas) get(ctx context.Context, name string, since time.Time) *schemaOf {
	s.mu.Lock()
	known := s.known[name]
	s.mu.Unlock()
	if known != nil && !known.read.Before(since) {
		return known
	}
	// All who wait for it share one read, which does not end with one of them.
	read := s.reads.DoChan(name, func() (any, error) {
		made := s.read(name)
		if made.failed && known != nil {
			made.versions = known.versions
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		s.known[name] = made
		return made, nil
	})
	select {
	case result := <-read:
		return result.Val.(*schemaOf)
	case <-ctx.Done():
		return &schemaOf{failed: true}
	}
}

func (s *Schemas) read(name string) *schemaOf {
	ctx, stop := context.WithTimeout(context.Background(), schemaReads)
	defer stop()
	made := &schemaOf{read: s.now(), versions: map[string]*fitting.Types{}}
	object, err := s.client.Resource(apiextensionsv1.SchemeGroupVersion.WithResource("customresourcedefinitions")).Get(ctx, name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return made
	}
	crd := new(apiextensionsv1.CustomResourceDefinition)
	if err == nil {
		err = runtime.DefaultUnstructuredConverter.FromUnstructured(object.Object, crd)
	}
	if err != nil {
		made.failed = true
		return made
	}
	for i := range crd.Spec.Versions {
		types, err := fitting.TypesOf(&crd.Spec.Versions[i])
		if err != nil {
			made.failed = true
			return made
		}
		made.versions[crd.Spec.Versions[i].Name] = types
	}
	return made
}
