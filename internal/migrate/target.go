package migrate

import (
	"context"
	"net/http"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/crosswalk-dev/crosswalk/conversion"
	"github.com/crosswalk-dev/crosswalk/internal/bulk"
)

// Media types.
const (
	applyType      = "application/apply-patch+yaml"
	mergePatchType = "application/merge-patch+json"
	// The API server answers with metadata only: objects can be large, and nothing else of them
	// is needed.
	metadataType     = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1"
	metadataListType = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1"
)

// fieldManager is the field manager of our writes.
const fieldManager = "crosswalk-migrate"

// target is a resource whose objects are rewritten.
type target struct {
	client *bulk.Client
	group  string
	kind   string
	plural string
	// via is the served version in which objects are written: the storage version, or another
	// one if that is not served.
	via string
	// subresource is "status" if that can be written; see the comment of the package.
	subresource string
	// list lists the objects in the served versions, via first. One may fail if an object cannot
	// be converted to it.
	list *bulk.List[metadata]
	// versions are the versions that are served or stored.
	versions []string
	// table converts the objects. It is nil if there is no table or none of its versions can be
	// outdated.
	table  *conversion.Converter
	dryRun bool
}

// object identifies one stored object, as in a list or an answer.
type object struct {
	namespace, name string
	uid             types.UID
	resourceVersion string
	outdated        bool // its managedFields have an entry that must be replaced
	unplaced        bool // a stash has a value for which a conversion has found no place
}

// key is the object's key in etcd, without the part that all keys of the resource have in
// common.
func (o object) key() string {
	if o.namespace == "" {
		return o.name
	}
	return o.namespace + "/" + o.name
}

func objectOf(key string) object {
	if namespace, name, ok := strings.Cut(key, "/"); ok {
		return object{namespace: namespace, name: name}
	}
	return object{name: key}
}

// metadata is the part of an object that is read.
type metadata struct {
	Metadata struct {
		Namespace       string                      `json:"namespace,omitempty"`
		Name            string                      `json:"name"`
		UID             types.UID                   `json:"uid"`
		ResourceVersion string                      `json:"resourceVersion"`
		Annotations     map[string]string           `json:"annotations,omitempty"`
		ManagedFields   []metav1.ManagedFieldsEntry `json:"managedFields,omitempty"`
	} `json:"metadata"`
}

func (t *target) object(read metadata) object {
	m := read.Metadata
	outdated := slices.ContainsFunc(m.ManagedFields, t.outdated)
	unplaced := slices.ContainsFunc(conversion.StashesOf(m.Annotations), func(s conversion.Stashed) bool { return s.Unplaced })
	return object{m.Namespace, m.Name, m.UID, m.ResourceVersion, outdated, unplaced}
}

func (t *target) objects(all []metadata) []object {
	objects := make([]object, len(all))
	for i, read := range all {
		objects[i] = t.object(read)
	}
	return objects
}

// listIn lists the objects in these versions.
func (t *target) listIn(versions []string) *bulk.List[metadata] {
	return &bulk.List[metadata]{
		Client:   t.client,
		Path:     func(version string) string { return t.path(version, object{}) },
		Versions: versions,
		Accept:   metadataListType,
		Key:      func(m metadata) string { return t.object(m).key() },
	}
}

func (t *target) path(version string, o object) string {
	path := "/apis/" + t.group + "/" + version
	if o.namespace != "" {
		path += "/namespaces/" + o.namespace
	}
	path += "/" + t.plural
	if o.name != "" {
		path += "/" + o.name
	}
	return path
}

// get reads an object's metadata in a version, not from the watch cache.
func (t *target) get(ctx context.Context, version string, o object) (object, error) {
	var got metadata
	err := t.client.Do(ctx, bulk.Request{Method: http.MethodGet, Path: t.path(version, o), Accept: metadataType}, &got)
	return t.object(got), err
}

// write moves the outdated entries of an object's managedFields, or otherwise stores the object
// unchanged: with an empty server-side apply. The answer has another resourceVersion if bytes
// in etcd changed.
func (t *target) write(ctx context.Context, o object, dryRun bool) (object, error) {
	if o.outdated {
		return t.moveOwners(ctx, o, dryRun)
	}
	// Because of uid and resourceVersion, an object that is deleted is a conflict. Without them
	// an apply would create it. An empty namespace would be a field to apply.
	var nothing metadata
	nothing.Metadata.Namespace, nothing.Metadata.Name = o.namespace, o.name
	nothing.Metadata.UID, nothing.Metadata.ResourceVersion = o.uid, o.resourceVersion
	body := map[string]any{
		"apiVersion": t.group + "/" + t.via,
		"kind":       t.kind,
		"metadata":   nothing.Metadata,
	}
	return t.patch(ctx, o, t.subresource, applyType, body, dryRun)
}

// patch sends a patch of an object, or of one of its subresources.
func (t *target) patch(ctx context.Context, o object, subresource, contentType string, body any, dryRun bool) (object, error) {
	path := t.path(t.via, o)
	if subresource != "" {
		path += "/" + subresource
	}
	query := map[string]string{"fieldManager": fieldManager}
	if dryRun {
		query["dryRun"] = "All"
	}
	var got metadata
	err := t.client.Do(ctx, bulk.Request{
		Method: http.MethodPatch, Path: path, Query: query,
		Accept: metadataType, ContentType: contentType, Body: body,
	}, &got)
	return t.object(got), err
}

// tryWrite is a write that is not stored. An admission webhook with side effects is never
// called for such a write, and the API server rejects it then. That tells nothing about a real
// write.
func (t *target) tryWrite(ctx context.Context, o object) (object, error) {
	got, err := t.write(ctx, o, true)
	if err != nil && strings.Contains(err.Error(), "does not support dry run") {
		return o, nil
	}
	return got, err
}

func hasStatus(v apiextensionsv1.CustomResourceDefinitionVersion) bool {
	return v.Subresources != nil && v.Subresources.Status != nil
}
