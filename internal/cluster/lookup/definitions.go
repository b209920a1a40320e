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

// Definitions reads the definitions of custom resources. Each is read when a write needs it,
// and not watched: a cluster may have thousands of definitions with large schemas. Definitions
// implements [policy.Definitions].
//
// A definition may be a little old, but only with harmless effects. An object may fit an old
// schema and not the new one; a mutation policy is then asked needlessly. That an object does
// not fit is decided only by a schema that has just been read.
type Definitions struct {
	client  dynamic.Interface
	observe Observe
	now     func() time.Time

	reads singleflight.Group
	known *lru.Cache // *definition, by the name of the CRD
}

const (
	// fitsFor is the greatest age of a schema that an object fits, and freshFor the greatest
	// age of a definition for other questions.
	fitsFor  = time.Minute
	freshFor = time.Second
	// definitionReads is how long a read may take.
	definitionReads = 2 * time.Second
	// mostDefinitions is how many definitions are cached. Callers of Crosswalk can invent any
	// number of resources.
	mostDefinitions = 1000
)

var _ policy.Definitions = (*Definitions)(nil)

func newDefinitions(client dynamic.Interface, observe Observe, now func() time.Time) *Definitions {
	return &Definitions{client: client, observe: observe, now: now, known: lru.New(mostDefinitions)}
}

// definition is the content of a CRD. It has no versions if there is no CRD, or if the CRD
// could not be read. Reading is then tried again soon.
type definition struct {
	read       time.Time
	err        error
	uid        types.UID
	generation int64
	kind       string
	versions   map[string]version
}

// version is the content of one version of a CRD.
type version struct {
	schema *custom.Schema
	// replicas is the path of the number that a Scale shows.
	replicas []string
}

// since reports whether the definition was read after then.
func (d *definition) since(then, now time.Time) bool {
	if d.err != nil {
		then = now.Add(-freshFor)
	}
	return !d.read.Before(then)
}

// Fits implements [policy.Definitions]. If a schema cannot be read, everything fits.
func (d *Definitions) Fits(ctx context.Context, resource schema.GroupVersionResource, object []byte) bool {
	now := d.now()
	if known := d.schema(ctx, resource, now.Add(-fitsFor)); known == nil || known.Fits(object) {
		return true
	}
	fresh := d.schema(ctx, resource, now.Add(-freshFor))
	return fresh == nil || fresh.Fits(object)
}

// Refuses implements [policy.Definitions].
func (d *Definitions) Refuses(ctx context.Context, resource schema.GroupVersionResource, object []byte) field.ErrorList {
	return d.schema(ctx, resource, d.now().Add(-freshFor)).Refuses(object)
}

// schema returns the schema of a version, or nil if there is none or it cannot be read.
func (d *Definitions) schema(ctx context.Context, resource schema.GroupVersionResource, since time.Time) *custom.Schema {
	return d.get(ctx, resource.GroupResource(), since).versions[resource.Version].schema
}

// Replicas implements [policy.Definitions].
func (d *Definitions) Replicas(ctx context.Context, resource schema.GroupVersionResource) (kind string, place []string, err error) {
	known := d.get(ctx, resource.GroupResource(), d.now().Add(-freshFor))
	if resource.Version != "" {
		return known.kind, known.versions[resource.Version].replicas, known.err
	}
	for _, v := range known.versions {
		if v.replicas != nil {
			return known.kind, v.replicas, nil
		}
	}
	return known.kind, nil, known.err
}

// get returns a definition that was read after since.
func (d *Definitions) get(ctx context.Context, resource schema.GroupResource, since time.Time) *definition {
	if resource.Group == "" {
		return new(definition)
	}
	name := resource.String()
	of := d.of(name)
	if of.since(since, d.now()) {
		return of
	}
	// All callers that wait for a definition share one read, which does not end with one of
	// them.
	read := d.reads.DoChan(name, func() (any, error) {
		made := d.read(name, of)
		d.known.Add(name, made)
		return made, nil
	})
	select {
	case result := <-read:
		return result.Val.(*definition)
	case <-ctx.Done():
		return &definition{err: context.Cause(ctx)}
	}
}

// of returns the cached definition of a CRD.
func (d *Definitions) of(name string) *definition {
	if known, found := d.known.Get(name); found {
		return known.(*definition)
	}
	return new(definition) // older than any limit
}

// read reads a CRD. An unchanged CRD is not compiled again.
func (d *Definitions) read(name string, before *definition) *definition {
	ctx, stop := context.WithTimeout(context.Background(), definitionReads)
	defer stop()
	made := &definition{read: d.now(), versions: map[string]version{}}
	start := time.Now()
	object, err := d.client.Resource(apiextensionsv1.SchemeGroupVersion.WithResource("customresourcedefinitions")).Get(ctx, name, metav1.GetOptions{})
	d.observe.tell(Definition, start, client.IgnoreNotFound(err))
	if apierrors.IsNotFound(err) {
		return made
	}
	if err != nil {
		made.err = err
		return made
	}
	made.uid, made.generation = object.GetUID(), object.GetGeneration()
	if made.uid == before.uid && made.generation == before.generation && made.uid != "" {
		made.kind, made.versions = before.kind, before.versions
		return made
	}
	crd := new(apiextensionsv1.CustomResourceDefinition)
	if made.err = runtime.DefaultUnstructuredConverter.FromUnstructured(object.Object, crd); made.err != nil {
		return made
	}
	made.kind = crd.Spec.Names.Kind
	for i := range crd.Spec.Versions {
		v := &crd.Spec.Versions[i]
		one := version{replicas: policy.ReplicasOf(v)}
		if v.Schema != nil && v.Schema.OpenAPIV3Schema != nil {
			if one.schema, err = custom.New(v.Schema.OpenAPIV3Schema); err != nil {
				made.err = err
			}
		}
		made.versions[v.Name] = one
	}
	return made
}
