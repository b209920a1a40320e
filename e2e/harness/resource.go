package harness

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
)

// Resource is one custom resource in one version and namespace.
type Resource struct {
	API       *API
	Group     string
	Version   string
	Plural    string
	Namespace string
}

// In is the same resource in another version.
func (r Resource) In(version string) Resource {
	r.Version = version
	return r
}

// APIVersion is the value of the field of that name.
func (r Resource) APIVersion() string { return r.Group + "/" + r.Version }

// Path is where the list is; a name and a subresource may follow.
func (r Resource) Path(rest string) string {
	return fmt.Sprintf("/apis/%s/%s/namespaces/%s/%s%s", r.Group, r.Version, r.Namespace, r.Plural, rest)
}

// EtcdKey is where the object is stored.
func (r Resource) EtcdKey(name string) string {
	return fmt.Sprintf("/registry/%s/%s/%s/%s", r.Group, r.Plural, r.Namespace, name)
}

// Create posts an object. Fields that the resource does not know are an error, as
// kubectl asks for it.
func (r Resource) Create(ctx context.Context, object []byte) ([]byte, error) {
	return r.API.Do(ctx, http.MethodPost, r.Path("?fieldValidation=Strict"), JSONType, object)
}

// Get reads an object, past the watch cache.
func (r Resource) Get(ctx context.Context, name string) ([]byte, error) {
	return r.API.Get(ctx, r.Path("/"+name))
}

// Update replaces an object.
func (r Resource) Update(ctx context.Context, name string, object []byte) ([]byte, error) {
	return r.API.Do(ctx, http.MethodPut, r.Path("/"+name+"?fieldValidation=Strict"), JSONType, object)
}

// MergePatch patches an object or, with a name such as a/status, a subresource.
func (r Resource) MergePatch(ctx context.Context, name, patch string) ([]byte, error) {
	return r.API.Do(ctx, http.MethodPatch, r.Path("/"+name+"?fieldValidation=Strict"), MergePatchType, []byte(patch))
}

// Apply is server-side apply by manager. More options, such as &force=true, may
// follow the manager's name.
func (r Resource) Apply(ctx context.Context, name, manager string, object []byte) ([]byte, error) {
	query := "?fieldValidation=Strict&fieldManager=" + manager
	return r.API.Do(ctx, http.MethodPatch, r.Path("/"+name+query), ApplyPatchType, object)
}

// Delete asks for an object's deletion.
func (r Resource) Delete(ctx context.Context, name string) ([]byte, error) {
	return r.API.Do(ctx, http.MethodDelete, r.Path("/"+name), "", nil)
}

// List reads all objects, as they came.
func (r Resource) List(ctx context.Context) (items []json.RawMessage, resourceVersion string, err error) {
	data, err := r.API.Get(ctx, r.Path(""))
	if err != nil {
		return nil, "", err
	}
	var list struct {
		Metadata struct {
			ResourceVersion string `json:"resourceVersion"`
		} `json:"metadata"`
		Items []json.RawMessage `json:"items"`
	}
	if err := json.Unmarshal(data, &list); err != nil {
		return nil, "", err
	}
	return list.Items, list.Metadata.ResourceVersion, nil
}
