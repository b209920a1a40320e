package arming

import (
	"context"
	"log/slog"
	"os"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/tools/events"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/yaml"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/certs"
	"github.com/crosswalk-dev/crosswalk/conversion"
	"github.com/crosswalk-dev/crosswalk/internal/cluster"
	"github.com/crosswalk-dev/crosswalk/internal/manage/reach"
	"github.com/crosswalk-dev/crosswalk/internal/manage/rehearsal"
)

const crontabs = "crontabs.stable.example.com"

// fixed is a certificate source with one pair.
type fixed struct {
	certs.Source
	pair *certs.Pair
	err  error
}

func (f fixed) Current() (*certs.Pair, error) { return f.pair, f.err }

func newReconciler(t *testing.T, objects ...client.Object) *reconciler {
	t.Helper()
	scheme, err := cluster.Scheme()
	if err != nil {
		t.Fatal(err)
	}
	c := fake.NewClientBuilder().WithScheme(scheme).WithRESTMapper(cluster.Mapper()).WithObjects(objects...).WithStatusSubresource(&v1alpha1.Crosswalk{}).Build()
	return &reconciler{
		Options: Options{
			Serve: &reach.Serve{
				Service: cluster.Service{Namespace: "crosswalk-system", Name: "crosswalk"}, Port: 443,
				Certs: rehearsal.Authority(t), Live: c, Cached: c, Now: time.Now,
			},
			Rights: new(rehearsal.Rights), Events: events.NewFakeRecorder(100), Logger: slog.New(slog.DiscardHandler),
			Now:         time.Now,
			HubPolicies: func(context.Context, string) ([]string, error) { return nil, nil },
		},
		live: c, cached: c, writer: c, written: map[string][]time.Time{}, left: map[string]conversionSpec{}, waited: map[string]time.Duration{},
		lost: map[string][]*appsv1.ControllerRevision{},
	}
}

func example(t *testing.T, file string, into any) {
	t.Helper()
	text, err := os.ReadFile("../../../examples/crontab/" + file)
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(text, into); err != nil {
		t.Fatal(err)
	}
}

// calling is the example with a table that calls Go functions.
func calling(t *testing.T) cluster.Converter {
	t.Helper()
	crd, table := new(apiextensionsv1.CustomResourceDefinition), new(unstructured.Unstructured)
	example(t, "crd.yaml", crd)
	example(t, "crosswalk.yaml", &table.Object)
	table.Object["spec"] = map[string]any{"hub": "v1", "versions": []any{map[string]any{"name": "v1beta1", "rows": []any{
		map[string]any{"spoke": ".spec.shell", "hub": ".spec.timeZone", "func": "join"},
		map[string]any{"spoke": ".spec.hostPort", "hub": ".spec.host", "func": "cut"},
	}}}}
	read, err := cluster.Compiler{Options: []conversion.Option{conversion.WithFunctions(conversion.Functions{"join": {}, "cut": {}, "other": {}})}}.
		Read(context.Background(), newReconciler(t, crd, table).live, crontabs)
	if err != nil || read == nil || read.Problem != nil {
		t.Fatalf("got %+v, %v", read, err)
	}
	return read.Current()
}

// crontab is the example's table, compiled.
func crontab(t *testing.T) *cluster.Table {
	t.Helper()
	crd, table := new(apiextensionsv1.CustomResourceDefinition), new(unstructured.Unstructured)
	example(t, "crd.yaml", crd)
	example(t, "crosswalk.yaml", &table.Object)
	read, err := cluster.Compiler{}.Read(context.Background(), newReconciler(t, crd, table).live, crontabs)
	if err != nil || read == nil || read.Problem != nil {
		t.Fatalf("got %+v, %v", read, err)
	}
	return read
}
