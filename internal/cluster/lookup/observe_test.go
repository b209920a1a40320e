package lookup

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/client-go/rest"

	"github.com/crosswalk-dev/crosswalk/validation/policy"
)

// Every read from the API server is told of, and none outlives whoever waits for it.
func TestReadsAreObserved(t *testing.T) {
	hang := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		switch {
		case strings.Contains(r.URL.Path, "slow"):
			<-hang
		case strings.HasSuffix(r.URL.Path, "subjectaccessreviews"):
			fmt.Fprint(w, `{"apiVersion":"authorization.k8s.io/v1","kind":"SubjectAccessReview","status":{"allowed":true}}`)
		case strings.HasSuffix(r.URL.Path, "/none"):
			w.WriteHeader(http.StatusNotFound)
			fmt.Fprint(w, `{"apiVersion":"v1","kind":"Status","status":"Failure","reason":"NotFound","details":{"name":"none"},"code":404}`)
		case strings.HasSuffix(r.URL.Path, "/forbidden"):
			w.WriteHeader(http.StatusForbidden)
			fmt.Fprint(w, `{"apiVersion":"v1","kind":"Status","status":"Failure","reason":"Forbidden","code":403}`)
		case r.URL.Path == "/api/v1":
			fmt.Fprint(w, `{"apiVersion":"v1","kind":"APIResourceList","groupVersion":"v1","resources":[{"name":"configmaps","namespaced":true,"kind":"ConfigMap","verbs":["get"]}]}`)
		case r.URL.Path == "/api":
			fmt.Fprint(w, `{"kind":"APIVersions","versions":["v1"]}`)
		default:
			fmt.Fprint(w, `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","namespace":"b"}}`)
		}
	}))
	defer server.Close()
	defer close(hang)
	var mu sync.Mutex
	var told []string
	lookups, err := New(&rest.Config{Host: server.URL}, func(read Read, took time.Duration, err error) {
		mu.Lock()
		defer mu.Unlock()
		outcome := fmt.Sprint(err == nil)
		if errors.Is(err, context.DeadlineExceeded) {
			outcome = "late"
		}
		told = append(told, string(read)+" "+outcome)
	}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	configMaps := schema.GroupVersionKind{Version: "v1", Kind: "ConfigMap"}
	cluster := lookups.In(policy.Cluster{})
	for _, test := range []struct {
		want string
		read func(ctx context.Context)
	}{
		{"lookup true", func(ctx context.Context) { _, _ = cluster.Live.Get(ctx, configMaps, "b", "a") }},
		{"lookup true", func(ctx context.Context) { _, _ = cluster.Live.Get(ctx, configMaps, "b", "none") }},
		{"lookup false", func(ctx context.Context) { _, _ = cluster.Live.Get(ctx, configMaps, "b", "forbidden") }},
		{"lookup late", func(ctx context.Context) { _, _ = cluster.Live.Get(ctx, configMaps, "b", "slow") }},
		{"authorization true", func(ctx context.Context) {
			_, _, _ = cluster.Authorizer.Authorize(ctx, authorizer.AttributesRecord{User: &user.DefaultInfo{Name: "ann"}, Verb: "get", Path: "/x"})
		}},
		{"definition true", func(ctx context.Context) {
			cluster.Definitions.Fits(ctx, schema.GroupVersionResource{Group: "g", Version: "v1", Resource: "as"}, []byte(`{}`))
		}},
	} {
		told = nil
		ctx, stop := context.WithTimeout(t.Context(), 5*time.Second)
		if strings.HasSuffix(test.want, "late") {
			ctx, stop = context.WithTimeout(t.Context(), 50*time.Millisecond)
		}
		test.read(ctx)
		stop()
		mu.Lock()
		if !slices.Equal(told, []string{test.want}) {
			t.Errorf("told of %v, want %s", told, test.want)
		}
		mu.Unlock()
	}
	// Which resource a kind is may be asked by a client without a limit.
	ctx, stop := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer stop()
	if _, err := cluster.Live.Get(ctx, schema.GroupVersionKind{Group: "slow.example.com", Version: "v1", Kind: "A"}, "b", "a"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
}
