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
)

// target is a resource whose objects are rewritten.
type target struct {
	client *client
	group  string
	kind   string
	plural string
	// via is the served version in which objects are written: the storage version, or another
	// one if that is not served.
	via string
	// subresource is "status" if that can be written; see the comment of the package.
	subresource string
	// listed are the served versions, via first. All of them list the same objects; one may
	// fail if an object cannot be converted to it.
	listed []string
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
		ManagedFields   []metav1.ManagedFieldsEntry `json:"managedFields,omitempty"`
	} `json:"metadata"`
}

func (t *target) object(read metadata) object {
	m := read.Metadata
	outdated := slices.ContainsFunc(m.ManagedFields, t.outdated)
	return object{m.Namespace, m.Name, m.UID, m.ResourceVersion, outdated}
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
	err := t.client.get(ctx, t.path(version, o), metadataType, &got)
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
	err := t.client.do(ctx, request{
		method: http.MethodPatch, path: path, query: query,
		accept: metadataType, contentType: contentType, body: body,
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
