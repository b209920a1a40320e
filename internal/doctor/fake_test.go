package doctor

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	authorizationv1 "k8s.io/api/authorization/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/rest"

	"github.com/crosswalk-dev/crosswalk/internal/certstest"
)

// fakeAPI is an API server that has objects, and answers from Pods.
type fakeAPI struct {
	t       *testing.T
	ca      *certstest.Signed // of the serving certificate
	mu      sync.Mutex
	objects map[string]map[string]any // by path
	// answers are the answers to other requests, by method and path.
	answers map[string]answer
	// refused are the paths that the caller may not read.
	refused []string
	// lacks are the rights that accounts lack, as "ACCOUNT VERB RESOURCE".
	lacks []string
}

type answer struct {
	code int
	body string
}

// location is the place of an object: /apis/GROUP/VERSION[/namespaces/NAMESPACE]/RESOURCE[/NAME].
type location struct{ version, namespace, resource, name string }

func locate(path string) location {
	parts := strings.Split(strings.Trim(path, "/"), "/")
	n := 2
	if parts[0] == "apis" {
		n = 3
	}
	l := location{version: strings.Join(parts[:n], "/")}
	rest := parts[n:]
	if len(rest) > 2 && rest[0] == "namespaces" {
		l.namespace, rest = rest[1], rest[2:]
	}
	l.resource = rest[0]
	if len(rest) > 1 {
		l.name = rest[1]
	}
	return l
}

func (f *fakeAPI) put(path string, object any) {
	f.t.Helper()
	data, err := json.Marshal(object)
	if err != nil {
		f.t.Fatal(err)
	}
	var fields map[string]any
	if err := json.Unmarshal(data, &fields); err != nil {
		f.t.Fatal(err)
	}
	l := locate(path)
	u := unstructured.Unstructured{Object: fields}
	u.SetName(l.name)
	u.SetNamespace(l.namespace)
	u.SetResourceVersion("1")
	_, group, _ := strings.Cut(l.version, "/")
	u.SetAPIVersion(group)
	f.objects[path] = u.Object
}

// change changes an object by a JSON merge of fields.
func (f *fakeAPI) change(path string, change func(object map[string]any)) {
	f.t.Helper()
	if f.objects[path] == nil {
		f.t.Fatalf("there is no %s", path)
	}
	change(f.objects[path])
}

func (f *fakeAPI) start() *rest.Config {
	server := httptest.NewServer(f)
	f.t.Cleanup(server.Close)
	return &rest.Config{Host: server.URL, ContentConfig: rest.ContentConfig{ContentType: "application/json"}}
}

func (f *fakeAPI) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	if slices.ContainsFunc(f.refused, func(part string) bool { return strings.Contains(r.URL.Path, part) }) {
		f.fail(w, http.StatusForbidden, metav1.StatusReasonForbidden, "you may not read "+r.URL.Path)
		return
	}
	if a, ok := f.answers[r.Method+" "+r.URL.Path]; ok {
		w.WriteHeader(a.code)
		fmt.Fprint(w, a.body)
		return
	}
	switch {
	case r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/subjectaccessreviews"):
		f.review(w, r)
	case r.Method == http.MethodGet && f.objects[r.URL.Path] != nil:
		f.send(w, f.objects[r.URL.Path])
	case r.Method == http.MethodGet && locate(r.URL.Path).name == "":
		f.list(w, r)
	default:
		f.fail(w, http.StatusNotFound, metav1.StatusReasonNotFound, r.URL.Path+" not found")
	}
}

func (f *fakeAPI) list(w http.ResponseWriter, r *http.Request) {
	of := locate(r.URL.Path)
	selector, err := labels.Parse(r.URL.Query().Get("labelSelector"))
	if err != nil {
		f.t.Error(err)
	}
	items := []map[string]any{}
	paths := make([]string, 0, len(f.objects))
	for path := range f.objects {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	for _, path := range paths {
		l := locate(path)
		object := unstructured.Unstructured{Object: f.objects[path]}
		if l.version == of.version && l.resource == of.resource && (of.namespace == "" || l.namespace == of.namespace) && selector.Matches(labels.Set(object.GetLabels())) {
			items = append(items, object.Object)
		}
	}
	kinds := map[string]string{
		"services": "Service", "pods": "Pod", "deployments": "Deployment", "endpointslices": "EndpointSlice",
		"customresourcedefinitions": "CustomResourceDefinition", "crosswalks": "Crosswalk",
		"validationpolicies": "ValidationPolicy", "mutationpolicies": "MutationPolicy",
	}
	_, version, _ := strings.Cut(of.version, "/")
	kind := kinds[of.resource]
	if strings.Contains(r.Header.Get("Accept"), "PartialObjectMetadataList") {
		version, kind = "meta.k8s.io/v1", "PartialObjectMetadata"
	}
	f.send(w, map[string]any{"apiVersion": version, "kind": kind + "List", "metadata": map[string]any{}, "items": items})
}

func (f *fakeAPI) review(w http.ResponseWriter, r *http.Request) {
	var review authorizationv1.SubjectAccessReview
	if err := json.NewDecoder(r.Body).Decode(&review); err != nil {
		f.t.Error(err)
	}
	a := review.Spec.ResourceAttributes
	_, account, _ := strings.Cut(review.Spec.User, "crosswalk-system:")
	review.Status.Allowed = !slices.Contains(f.lacks, account+" "+a.Verb+" "+a.Resource)
	f.send(w, review)
}

func (f *fakeAPI) send(w http.ResponseWriter, object any) {
	if err := json.NewEncoder(w).Encode(object); err != nil {
		f.t.Error(err)
	}
}

func (f *fakeAPI) fail(w http.ResponseWriter, code int32, reason metav1.StatusReason, message string) {
	w.WriteHeader(int(code))
	f.send(w, metav1.Status{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Status"}, Status: metav1.StatusFailure, Code: code, Reason: reason, Message: message,
	})
}
