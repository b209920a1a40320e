package aggregated

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	restclient "k8s.io/client-go/rest"
)

// cluster is as much of an API server as a server behind it asks: how its front proxy
// presents itself, whose a token is, and who may do what.
type cluster struct {
	config *restclient.Config

	mu    sync.Mutex
	proxy *corev1.ConfigMap // nil where it cannot be read
	// changed is closed, and made anew, when proxy changes.
	changed chan struct{}
	// may is which resource a user may create, with * for all of a group, and tokens whose
	// a token is.
	may    map[string]string
	tokens map[string]string
	// forbidden says that the server may not ask for users and rights.
	forbidden bool
}

func newCluster(t *testing.T, proxy *corev1.ConfigMap) *cluster {
	c := &cluster{proxy: proxy, changed: make(chan struct{})}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication", c.get)
	mux.HandleFunc("GET /api/v1/namespaces/kube-system/configmaps", c.list)
	mux.HandleFunc("POST /apis/authentication.k8s.io/v1/tokenreviews", c.token)
	mux.HandleFunc("POST /apis/authorization.k8s.io/v1/subjectaccessreviews", c.access)
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	t.Cleanup(server.CloseClientConnections) // watches have no end
	c.config = &restclient.Config{Host: server.URL}
	return c
}

// publish makes the ConfigMap what it is.
func (c *cluster) publish(proxy *corev1.ConfigMap) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.proxy = proxy
	close(c.changed)
	c.changed = make(chan struct{})
}

func (c *cluster) get(w http.ResponseWriter, _ *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.proxy == nil {
		refuse(w)
		return
	}
	answer(w, c.proxy)
}

// list lists, or watches: what is there, then what changes.
func (c *cluster) list(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	proxy, changed := c.proxy, c.changed
	c.mu.Unlock()
	watching, streams := r.URL.Query().Has("watch"), r.URL.Query().Has("sendInitialEvents")
	switch {
	case proxy == nil, watching && streams: // as an API server that cannot stream lists
		refuse(w)
		return
	case !watching:
		answer(w, &corev1.ConfigMapList{
			TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "ConfigMapList"},
			ListMeta: metav1.ListMeta{ResourceVersion: "1"}, Items: []corev1.ConfigMap{*proxy},
		})
		return
	}
	w.WriteHeader(http.StatusOK)
	_ = http.NewResponseController(w).Flush()
	for {
		select {
		case <-r.Context().Done():
			return
		case <-changed:
		}
		c.mu.Lock()
		proxy, changed = c.proxy, c.changed
		c.mu.Unlock()
		if proxy == nil {
			continue
		}
		text, err := json.Marshal(proxy)
		if err != nil {
			panic(err)
		}
		event, err := json.Marshal(map[string]any{"type": watch.Modified, "object": json.RawMessage(text)})
		if err != nil {
			panic(err)
		}
		_, _ = w.Write(event)
		_ = http.NewResponseController(w).Flush()
	}
}

func (c *cluster) token(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.forbidden {
		refuse(w)
		return
	}
	var review authenticationv1.TokenReview
	if err := json.NewDecoder(r.Body).Decode(&review); err != nil {
		panic(err)
	}
	review.Status.User.Username = c.tokens[review.Spec.Token]
	review.Status.Authenticated = review.Status.User.Username != ""
	answer(w, review)
}

func (c *cluster) access(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.forbidden {
		refuse(w)
		return
	}
	var review authorizationv1.SubjectAccessReview
	if err := json.NewDecoder(r.Body).Decode(&review); err != nil {
		panic(err)
	}
	if a := review.Spec.ResourceAttributes; a != nil {
		may := c.may[review.Spec.User]
		review.Status.Allowed = a.Verb == "create" && a.Namespace == "" && (may == a.Resource+"."+a.Group || may == "*."+a.Group)
	} else { // as the role system:discovery lets everybody
		path := review.Spec.NonResourceAttributes.Path
		review.Status.Allowed = review.Spec.User == "root" || strings.HasPrefix(path, "/api") || strings.HasPrefix(path, "/openapi") || path == "/version"
	}
	answer(w, review)
}

func refuse(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusForbidden)
	_ = json.NewEncoder(w).Encode(metav1.Status{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Status"}, Status: metav1.StatusFailure,
		Reason: metav1.StatusReasonForbidden, Code: http.StatusForbidden, Message: "it is forbidden",
	})
}

func answer(w http.ResponseWriter, object any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(object)
}
