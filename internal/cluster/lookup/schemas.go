package lookup

import (
	"context"
	"time"

	"golang.org/x/sync/singleflight"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/client-go/dynamic"
	"k8s.io/utils/lru"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/crosswalk-dev/crosswalk/validation/policy"
	custom "github.com/crosswalk-dev/crosswalk/validation/schema"
)

// Schemas are those of custom resources. Each is read from its CRD when a write needs
// it, and not watched: a cluster may have thousands with large schemas. Schemas
// implements [policy.Schemas].
//
// It errs on one side. By an old schema an object may fit that no longer does, and a
// mutation is asked about it that need not be; but one that does not fit is only left
// alone by a schema that has just been read.
type Schemas struct {
	client  dynamic.Interface
	observe Observe
	now     func() time.Time

	reads singleflight.Group
	known *lru.Cache // *schemaOf, by the name of the CRD
}

const (
	// fitsFor and misfitsFor are how old a schema may be by which an object fits, or
	// does not.
	fitsFor    = time.Minute
	misfitsFor = time.Second
	// schemaReads is how long a read may take.
	schemaReads = 2 * time.Second
	// mostSchemas is how many are known at a time. Whoever can ask Crosswalk can make
	// up resources.
	mostSchemas = 1000
)

var _ policy.Schemas = (*Schemas)(nil)

func newSchemas(client dynamic.Interface, observe Observe, now func() time.Time) *Schemas {
	return &Schemas{client: client, observe: observe, now: now, known: lru.New(mostSchemas)}
}

// schemaOf is the schema of a CRD. Of a resource without one it has no versions, nor if
// it could not be read, which is tried again soon.
type schemaOf struct {
	read       time.Time
	failed     bool
	uid        types.UID
	generation int64
	versions   map[string]*custom.Schema
}

// since reports whether it is as it was at some time since then.
func (o *schemaOf) since(then, now time.Time) bool {
	if o.failed {
		then = now.Add(-misfitsFor)
	}
	return !o.read.Before(then)
}

// Fits implements [policy.Schemas]. Where a schema cannot be read everything fits.
func (s *Schemas) Fits(ctx context.Context, resource schema.GroupVersionResource, object []byte) bool {
	now := s.now()
	if known := s.get(ctx, resource, now.Add(-fitsFor)); known == nil || known.Fits(object) {
		return true
	}
	fresh := s.get(ctx, resource, now.Add(-misfitsFor))
	return fresh == nil || fresh.Fits(object)
}

// Refuses implements [policy.Schemas].
func (s *Schemas) Refuses(ctx context.Context, resource schema.GroupVersionResource, object []byte) field.ErrorList {
	return s.get(ctx, resource, s.now().Add(-misfitsFor)).Refuses(object)
}

// get gives a schema as it is, or was at some time since then; nil where there is none,
// or it cannot be read.
func (s *Schemas) get(ctx context.Context, resource schema.GroupVersionResource, since time.Time) *custom.Schema {
	if resource.Group == "" {
		return nil
	}
	name := resource.GroupResource().String()
	of := s.of(name)
	if of.since(since, s.now()) {
		return of.versions[resource.Version]
	}
	// All who wait for it share one read, which does not end with one of them.
	read := s.reads.DoChan(name, func() (any, error) {
		made := s.read(name, of)
		s.known.Add(name, made)
		return made, nil
	})
	select {
	case result := <-read:
		return result.Val.(*schemaOf).versions[resource.Version]
	case <-ctx.Done():
		return nil
	}
}

// of is what is known of a CRD.
func (s *Schemas) of(name string) *schemaOf {
	if known, found := s.known.Get(name); found {
		return known.(*schemaOf)
	}
	return new(schemaOf) // read when time began
}

// read reads a CRD. What has not changed since it was read before is not compiled again.
func (s *Schemas) read(name string, before *schemaOf) *schemaOf {
	ctx, stop := context.WithTimeout(context.Background(), schemaReads)
	defer stop()
	made := &schemaOf{read: s.now(), versions: map[string]*custom.Schema{}}
	start := time.Now()
	object, err := s.client.Resource(apiextensionsv1.SchemeGroupVersion.WithResource("customresourcedefinitions")).Get(ctx, name, metav1.GetOptions{})
	s.observe.tell(Schema, start, client.IgnoreNotFound(err))
	if apierrors.IsNotFound(err) {
		return made
	}
	if err != nil {
		made.failed = true
		return made
	}
	made.uid, made.generation = object.GetUID(), object.GetGeneration()
	if made.uid == before.uid && made.generation == before.generation && made.uid != "" {
		made.versions = before.versions
		return made
	}
	crd := new(apiextensionsv1.CustomResourceDefinition)
	err = runtime.DefaultUnstructuredConverter.FromUnstructured(object.Object, crd)
	for i := range crd.Spec.Versions {
		if v := &crd.Spec.Versions[i]; err == nil && v.Schema != nil && v.Schema.OpenAPIV3Schema != nil {
			made.versions[v.Name], err = custom.New(v.Schema.OpenAPIV3Schema)
		}
	}
	made.failed = err != nil
	return made
}
