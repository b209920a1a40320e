package lookup

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	dynamicfake "k8s.io/client-go/dynamic/fake"
	clienttesting "k8s.io/client-go/testing"
)

const squadsCRD = `{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: squads.example.com, uid: a}, spec: {names: {kind: Squad}, versions: [
{name: v1, schema: {openAPIV3Schema: {type: object, properties: {size: {type: integer}}}}}, {name: v2}]}}`

// library is a cluster with a CRD, and counts how often it is read.
type library struct {
	*Definitions
	client     *dynamicfake.FakeDynamicClient
	reads      int
	generation int64
	refusal    error
	delay      time.Duration
}

func newLibrary(t *testing.T) *library {
	l := &library{client: dynamicfake.NewSimpleDynamicClient(runtime.NewScheme(), object(t, squadsCRD))}
	l.client.PrependReactor("get", "*", func(clienttesting.Action) (bool, runtime.Object, error) {
		l.reads++
		time.Sleep(l.delay) // on synctest's clock
		return l.refusal != nil, nil, l.refusal
	})
	l.Definitions = newDefinitions(l.client, nil, time.Now)
	return l
}

func (l *library) want(t *testing.T, what string, fit bool, reads int) {
	t.Helper()
	if got := l.Fits(t.Context(), squads("v1"), []byte(`{"size":"two"}`)); got != fit || l.reads != reads {
		t.Errorf("%s: got %v after %d reads, want %v after %d", what, got, l.reads, fit, reads)
	}
}

func squads(version string) schema.GroupVersionResource {
	return schema.GroupVersionResource{Group: "example.com", Version: version, Resource: "squads"}
}

// change makes size another type.
func (l *library) change(t *testing.T, to string) {
	t.Helper()
	l.generation++
	changed := object(t, strings.Replace(squadsCRD, "integer", to, 1))
	changed.SetGeneration(l.generation)
	crds := schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}
	if _, err := l.client.Resource(crds).Update(t.Context(), changed, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
}

// A schema is read when it is needed, and read again before an object is left alone
// because of it.
func TestSchemas(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLibrary(t)
		l.want(t, "at first", false, 1)
		l.want(t, "at once", false, 1)
		time.Sleep(freshFor + 1)
		l.want(t, "later", false, 2)
		l.change(t, "string")
		time.Sleep(freshFor + 1)
		l.want(t, "wider", true, 3)
		l.change(t, "integer")
		time.Sleep(freshFor + 1)
		l.want(t, "narrower, and not known yet", true, 3)
		time.Sleep(fitsFor + 1)
		l.want(t, "narrower", false, 4)

		for _, other := range []schema.GroupVersionResource{squads("v2"), squads("v3"), {Group: "apps", Version: "v1", Resource: "deployments"}, {Version: "v1", Resource: "pods"}} {
			for range 2 {
				if !l.Fits(t.Context(), other, []byte(`{"size":"two"}`)) {
					t.Errorf("%v does not fit", other)
				}
			}
		}
		if l.reads != 5 {
			t.Errorf("%d reads, want one more, of a CRD of deployments", l.reads)
		}
	})
}

// What a schema has against an object is told by one that has just been read, which is
// not compiled again unless it has changed.
func TestSchemasRefuse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLibrary(t)
		wants := func(want int) {
			t.Helper()
			if got := l.Refuses(t.Context(), squads("v1"), []byte(`{"size":"two"}`)); len(got) != want {
				t.Errorf("got %v, want %d", got, want)
			}
		}
		wants(1)
		compiled := l.of("squads.example.com").versions["v1"].schema
		time.Sleep(freshFor + 1)
		wants(1)
		if l.reads != 2 || l.of("squads.example.com").versions["v1"].schema != compiled {
			t.Errorf("after %d reads it is compiled again", l.reads)
		}
		l.change(t, "string")
		time.Sleep(freshFor + 1)
		wants(0)
	})
}

// Nothing is left alone by a schema that cannot be read, and nobody waits for it longer
// than he has time.
func TestSchemasThatCannotBeRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLibrary(t)
		l.refusal = errors.New("forbidden")
		l.want(t, "never read", true, 1)
		l.want(t, "at once", true, 1)
		l.refusal = nil
		time.Sleep(fitsFor + 1)
		l.want(t, "read", false, 2)
		l.refusal = errors.New("unavailable")
		time.Sleep(freshFor + 1)
		l.want(t, "not read again", true, 3)
		l.refusal = nil
		time.Sleep(freshFor + 1)
		l.want(t, "read again", false, 4)

		l.delay = 1500 * time.Millisecond
		time.Sleep(fitsFor + 1)
		ctx, stop := context.WithTimeout(t.Context(), time.Second)
		defer stop()
		begun := time.Now()
		if got := l.Fits(ctx, squads("v1"), []byte(`{"size":"two"}`)); !got || time.Since(begun) != time.Second {
			t.Errorf("got %v after %v", got, time.Since(begun))
		}
		l.want(t, "together with whom it has begun for", false, 5)
		synctest.Wait()
	})
}

// Where replicas are is told by a definition that has just been read, or why it cannot be.
func TestReplicas(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLibrary(t)
		scalable := strings.Replace(squadsCRD, "{name: v2}", "{name: v2, subresources: {scale: {specReplicasPath: .spec.size.now, statusReplicasPath: .status.size}}}", 1)
		wants := func(version, want string) {
			t.Helper()
			kind, place, err := l.Replicas(t.Context(), squads(version))
			if got := fmt.Sprint(kind, " ", place, " ", err); got != want {
				t.Errorf("%s: got %s, want %s", version, got, want)
			}
		}
		wants("v2", "Squad [] <nil>")
		crds := schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}
		changed := object(t, scalable)
		changed.SetGeneration(2)
		if _, err := l.client.Resource(crds).Update(t.Context(), changed, metav1.UpdateOptions{}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(freshFor + 1)
		wants("v2", "Squad [spec size now] <nil>")
		wants("v1", "Squad [] <nil>")
		wants("v3", "Squad [] <nil>")
		time.Sleep(freshFor + 1)
		l.refusal = errors.New("no answer")
		wants("v2", " [] no answer")
		kind, place, err := l.Replicas(t.Context(), schema.GroupVersionResource{Version: "v1", Resource: "pods"})
		if kind != "" || place != nil || err != nil {
			t.Errorf("got %s %v %v", kind, place, err)
		}
	})
}
