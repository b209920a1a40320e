package migrate

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	authorizationv1 "k8s.io/api/authorization/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"

	"github.com/crosswalk-dev/crosswalk/internal/bulk"
)

const crdName = "crontabs.stable.example.com"

// fakeAPI is as much of an API server as a migration needs: one CRD and its
// objects, lists in pages of a snapshot, apply with preconditions. It answers
// within the caller's goroutine, so that it can live in a bubble of synctest.
type fakeAPI struct {
	mu      sync.Mutex
	crd     *apiextensionsv1.CustomResourceDefinition
	others  []apiextensionsv1.CustomResourceDefinition
	table   string // the Crosswalk of the CRD, as JSON
	objects map[string]*fakeObject
	rev     int
	denied  []string // rights, as "verb resource/subresource"
	// before may answer a request instead, or change things. It is called without
	// the lock.
	before func(r *http.Request) *reply
	log    []string // every request, and what it wrote
}

// fakeObject is an object in etcd.
type fakeObject struct {
	uid     string
	rev     int
	version string
	unruly  bool // every write changes it
	owners  []metav1.ManagedFieldsEntry
	notes   map[string]string // its annotations
	spec    string            // JSON
	// lacks says that a patch of it stores a default, which belongs to who patches it.
	lacks bool
}

// reply is an answer other than the usual one.
type reply struct {
	code       int
	message    string
	reason     metav1.StatusReason
	retryAfter int
	token      string
	kind, name string // what the answer is about
	body       any
}

func newFake(t *testing.T, versions map[string]int) *fakeAPI {
	t.Helper()
	f := &fakeAPI{objects: map[string]*fakeObject{}, rev: 100}
	f.crd = newCRD("crontabs", "stable.example.com", "CronTab", "ct")
	n := 0
	for _, version := range slices.Sorted(maps.Keys(versions)) {
		for range versions[version] {
			n++
			f.put(fmt.Sprintf("default/job-%03d", n), version)
		}
	}
	return f
}

func newCRD(plural, group, kind, short string) *apiextensionsv1.CustomResourceDefinition {
	status := &apiextensionsv1.CustomResourceSubresources{Status: &apiextensionsv1.CustomResourceSubresourceStatus{}}
	port := int32(443)
	return &apiextensionsv1.CustomResourceDefinition{
		ObjectMeta: metav1.ObjectMeta{Name: plural + "." + group, UID: "crd-uid", Generation: 3, ResourceVersion: "50"},
		Spec: apiextensionsv1.CustomResourceDefinitionSpec{
			Group: group,
			Scope: apiextensionsv1.NamespaceScoped,
			Names: apiextensionsv1.CustomResourceDefinitionNames{Plural: plural, Singular: strings.ToLower(kind), Kind: kind, ShortNames: []string{short}},
			Versions: []apiextensionsv1.CustomResourceDefinitionVersion{
				{Name: "v1beta1", Served: true, Subresources: status},
				{Name: "v1", Served: true, Storage: true, Subresources: status},
			},
			Conversion: &apiextensionsv1.CustomResourceConversion{
				Strategy: apiextensionsv1.WebhookConverter,
				Webhook: &apiextensionsv1.WebhookConversion{ClientConfig: &apiextensionsv1.WebhookClientConfig{
					Service: &apiextensionsv1.ServiceReference{Namespace: "crosswalk-system", Name: "crosswalk", Port: &port},
				}},
			},
		},
		Status: apiextensionsv1.CustomResourceDefinitionStatus{
			StoredVersions: []string{"v1beta1", "v1"},
			Conditions: []apiextensionsv1.CustomResourceDefinitionCondition{
				{Type: apiextensionsv1.NamesAccepted, Status: apiextensionsv1.ConditionTrue},
				{Type: apiextensionsv1.Established, Status: apiextensionsv1.ConditionTrue},
			},
		},
	}
}

// put stores an object as another client would.
func (f *fakeAPI) put(key, version string) {
	f.rev++
	f.objects[key] = &fakeObject{uid: fmt.Sprintf("uid-%d", f.rev), rev: f.rev, version: version}
}

// changeSpec changes the CRD as somebody else would.
func (f *fakeAPI) changeSpec(storage string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.crd.Generation++
	for i := range f.crd.Spec.Versions {
		f.crd.Spec.Versions[i].Storage = f.crd.Spec.Versions[i].Name == storage
	}
	f.touchCRD()
}

func (f *fakeAPI) touchCRD() {
	f.rev++
	f.crd.ResourceVersion = strconv.Itoa(f.rev)
}

func (f *fakeAPI) config() *rest.Config {
	return &rest.Config{Host: "https://fake.example.com", Transport: f}
}

func (f *fakeAPI) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	if f.before != nil {
		if answer := f.before(r); answer != nil {
			f.note(r, strconv.Itoa(answer.code))
			if answer.code == 0 {
				return nil, fmt.Errorf("dial tcp 192.0.2.1:443: connect: connection refused")
			}
			return answer.write(r), nil
		}
		if err := r.Context().Err(); err != nil {
			return nil, err
		}
	}
	f.mu.Lock()
	answer := f.answer(r)
	f.mu.Unlock()
	return answer.write(r), nil
}

func (f *fakeAPI) note(r *http.Request, what string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.log = append(f.log, r.Method+" "+r.URL.RequestURI()+" "+what)
}

func (a *reply) write(r *http.Request) *http.Response {
	w := httptest.NewRecorder()
	w.Header().Set("Content-Type", "application/json")
	if a.retryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(a.retryAfter))
	}
	body := a.body
	if body == nil {
		status := metav1.Status{Status: metav1.StatusFailure, Code: int32(a.code), Message: a.message, Reason: a.reason}
		status.APIVersion, status.Kind = "v1", "Status"
		status.Continue = a.token
		if a.name != "" {
			status.Details = &metav1.StatusDetails{Kind: a.kind, Name: a.name}
		}
		if a.retryAfter > 0 {
			status.Details = &metav1.StatusDetails{RetryAfterSeconds: int32(a.retryAfter)}
		}
		body = status
	}
	data, err := json.Marshal(body)
	if err != nil {
		panic(err)
	}
	w.WriteHeader(a.code)
	w.Write(data)
	response := w.Result()
	response.Request = r
	return response
}

func ok(body any) *reply { return &reply{code: 200, body: body} }

// answer is what an API server would say.
func (f *fakeAPI) answer(r *http.Request) *reply {
	parts := strings.Split(strings.TrimPrefix(r.URL.Path, "/apis/"), "/")
	request := r.Method + " " + r.URL.RequestURI()
	defer func() { f.log = append(f.log, request) }()
	switch parts[0] {
	case "apiextensions.k8s.io":
		answer, wrote := f.answerCRD(r, parts[3:])
		request += wrote
		return answer
	case "crosswalk.dev":
		if f.table != "" {
			return ok(json.RawMessage(f.table))
		}
	case "authorization.k8s.io":
		return f.review(r)
	case f.crd.Spec.Group:
		answer, wrote := f.answerObject(r, parts[1:])
		request += wrote
		return answer
	}
	return &reply{code: 404, reason: metav1.StatusReasonNotFound, message: "there is no such group"}
}

func (f *fakeAPI) answerCRD(r *http.Request, rest []string) (*reply, string) {
	if len(rest) == 0 {
		return ok(apiextensionsv1.CustomResourceDefinitionList{Items: append([]apiextensionsv1.CustomResourceDefinition{*f.crd}, f.others...)}), ""
	}
	if rest[0] != f.crd.Name {
		return &reply{code: 404, reason: metav1.StatusReasonNotFound, message: fmt.Sprintf("customresourcedefinitions.apiextensions.k8s.io %q not found", rest[0])}, ""
	}
	if r.Method == http.MethodGet {
		return ok(f.crd), ""
	}
	var patch struct {
		Metadata struct {
			UID             string             `json:"uid"`
			ResourceVersion string             `json:"resourceVersion"`
			Annotations     map[string]*string `json:"annotations"`
		} `json:"metadata"`
		Status struct {
			StoredVersions []string `json:"storedVersions"`
		} `json:"status"`
	}
	decode(r, &patch)
	m := patch.Metadata
	if m.UID != "" && m.UID != string(f.crd.UID) || m.ResourceVersion != "" && m.ResourceVersion != f.crd.ResourceVersion {
		return &reply{code: 409, reason: metav1.StatusReasonConflict, message: "the object has been modified"}, ""
	}
	for name, value := range m.Annotations {
		if value == nil {
			delete(f.crd.Annotations, name)
			continue
		}
		if f.crd.Annotations == nil {
			f.crd.Annotations = map[string]string{}
		}
		f.crd.Annotations[name] = *value
	}
	if len(rest) == 2 && rest[1] == "status" {
		f.crd.Status.StoredVersions = patch.Status.StoredVersions
	}
	f.touchCRD()
	return ok(f.crd), " wrote"
}

func (f *fakeAPI) review(r *http.Request) *reply {
	var review authorizationv1.SelfSubjectAccessReview
	decode(r, &review)
	a := review.Spec.ResourceAttributes
	what := a.Verb + " " + a.Resource
	if a.Subresource != "" {
		what += "/" + a.Subresource
	}
	review.Status.Allowed = !slices.Contains(f.denied, what)
	return &reply{code: 201, body: review}
}

// answerObject gets parts as v1/namespaces/default/crontabs/job-001/status.
func (f *fakeAPI) answerObject(r *http.Request, parts []string) (*reply, string) {
	namespace, version := "", parts[0]
	parts = parts[1:]
	if parts[0] == "namespaces" {
		namespace, parts = parts[1]+"/", parts[2:]
	}
	if len(parts) == 1 {
		return f.list(r), ""
	}
	key := namespace + parts[1]
	o := f.objects[key]
	switch {
	case o == nil && r.Method == http.MethodGet:
		return &reply{code: 404, reason: metav1.StatusReasonNotFound, message: key + " not found", kind: f.crd.Spec.Names.Plural, name: parts[1]}, ""
	case r.Method == http.MethodGet && r.Header.Get("Accept") == bulk.JSON:
		return ok(struct {
			metav1.PartialObjectMetadata
			Spec json.RawMessage `json:"spec,omitempty"`
		}{o.metadata(key), json.RawMessage(o.spec)}), ""
	case r.Method == http.MethodGet:
		return ok(o.metadata(key)), ""
	case r.Header.Get("Content-Type") == mergePatchType:
		return f.replaceOwners(r, o, key)
	}
	var body struct {
		APIVersion, Kind string
		Metadata         map[string]string
	}
	patch := decodeObject(r, &body)
	if empty := body.Metadata["namespace"] == "" && namespace == ""; empty && len(body.Metadata) != 3 || !empty && len(body.Metadata) != 4 ||
		body.APIVersion != f.crd.Spec.Group+"/"+version || body.Kind != f.crd.Spec.Names.Kind || r.Header.Get("Content-Type") != applyType {
		return &reply{code: 400, reason: metav1.StatusReasonBadRequest, message: "this is no apply of nothing"}, ""
	}
	if o == nil || string(patch.Metadata.UID) != o.uid || patch.Metadata.ResourceVersion != strconv.Itoa(o.rev) {
		return &reply{code: 409, reason: metav1.StatusReasonConflict, message: "Precondition failed"}, ""
	}
	storage := storageVersion(f.crd)
	if r.URL.Query().Get("dryRun") != "" || o.version == storage && !o.unruly {
		return ok(o.metadata(key)), ""
	}
	f.rev++
	o.rev, o.version = f.rev, storage
	return ok(o.metadata(key)), " wrote"
}

func (o *fakeObject) metadata(key string) metav1.PartialObjectMetadata {
	it := objectOf(key)
	return metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{
		Namespace: it.namespace, Name: it.name, UID: types.UID(o.uid), ResourceVersion: strconv.Itoa(o.rev), Annotations: o.notes, ManagedFields: o.owners,
	}}
}

// list makes pages whose tokens are "after KEY".
func (f *fakeAPI) list(r *http.Request) *reply {
	limit, _ := strconv.Atoi(r.URL.Query().Get("limit"))
	after := strings.TrimPrefix(r.URL.Query().Get("continue"), "after ")
	keys := slices.Sorted(maps.Keys(f.objects))
	for len(keys) > 0 && keys[0] <= after {
		keys = keys[1:]
	}
	var list metav1.PartialObjectMetadataList
	if len(keys) > limit {
		list.Continue = "after " + keys[limit-1]
		remaining := int64(len(keys) - limit)
		list.RemainingItemCount = &remaining
		keys = keys[:limit]
	}
	for _, key := range keys {
		list.Items = append(list.Items, f.objects[key].metadata(key))
	}
	return ok(list)
}

// decode reads a body into all of these.
func decode(r *http.Request, into ...any) {
	data, err := io.ReadAll(r.Body)
	for _, one := range into {
		err = errors.Join(err, json.Unmarshal(data, one))
	}
	if err != nil {
		panic(err)
	}
}

// decodeObject reads a body both ways.
func decodeObject(r *http.Request, body any) metadata {
	var m metadata
	decode(r, &m, body)
	return m
}

// requests are the logged requests that contain all of parts.
func (f *fakeAPI) requests(parts ...string) []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	var found []string
	for _, line := range f.log {
		if !slices.ContainsFunc(parts, func(part string) bool { return !strings.Contains(line, part) }) {
			found = append(found, line)
		}
	}
	return found
}

// writes are the object writes that were not tries.
func (f *fakeAPI) applied(parts ...string) []string {
	return slices.DeleteFunc(f.requests(append(parts, "PATCH /apis/stable.example.com/")...), func(line string) bool {
		return strings.Contains(line, "dryRun=All")
	})
}

// isApply reports whether a request really rewrites an object, and which.
func isApply(r *http.Request) (name string, yes bool) {
	if r.Method != http.MethodPatch || !strings.HasPrefix(r.URL.Path, "/apis/stable.example.com/") || r.URL.Query().Get("dryRun") != "" {
		return "", false
	}
	_, rest, _ := strings.Cut(r.URL.Path, "/crontabs/")
	name, _, _ = strings.Cut(rest, "/")
	return name, true
}
