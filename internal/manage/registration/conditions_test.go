package registration

import (
	"fmt"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/cel"
	admissionwebhook "k8s.io/apiserver/pkg/admission/plugin/webhook"
	"k8s.io/apiserver/pkg/cel/environment"

	"github.com/crosswalk-dev/crosswalk/internal/cputime"
)

// guards reports whether the API server's own matcher takes a write for the guard's.
func guards(t *testing.T, old, now runtime.Object) bool {
	t.Helper()
	c := Plan(desired(TableOf(crd(crontabs, asking, "v1beta1", "v1"))))
	guard := c.Mutating.Webhooks[0]
	compiler := cel.NewConditionCompiler(environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion()))
	matcher := admissionwebhook.NewMutatingWebhookAccessor(guard.Name, c.Mutating.Name, &guard).GetCompiledMatcher(compiler)
	kind := schema.GroupVersionKind{Group: "stable.example.com", Version: "v1", Kind: "CronTab"}
	operation := admission.Update
	if old == nil {
		operation = admission.Create
	}
	attributes := admission.NewAttributesRecord(now, old, kind, "default", "it", gvr("stable.example.com/v1/crontabs"), "", operation, nil, false, nil)
	result := matcher.Match(t.Context(), &admission.VersionedAttributes{
		Attributes: attributes, VersionedOldObject: old, VersionedObject: now, VersionedKind: kind,
	}, nil, nil)
	if result.Error != nil {
		t.Fatal(result.Error) // the policy is Fail
	}
	return result.Matches
}

func annotated(names ...string) runtime.Object {
	o := &unstructured.Unstructured{Object: map[string]any{"metadata": map[string]any{"name": "it"}}}
	annotations := map[string]string{}
	for _, name := range names {
		annotations[name] = "1"
	}
	if len(names) > 0 {
		o.SetAnnotations(annotations)
	}
	return o
}

// Which writes the guard is asked about: those of objects that have a stash, or had
// one.
func TestStashes(t *testing.T) {
	const stash, other = "stash.crosswalk.dev/v1", "example.com/stash.crosswalk.dev"
	for name, test := range map[string]struct {
		old, now runtime.Object
		want     bool
	}{
		"created without":       {nil, annotated(), false},
		"created with others":   {nil, annotated(other), false},
		"created with a stash":  {nil, annotated(other, stash), true},
		"without":               {annotated(), annotated(), false},
		"with others":           {annotated(other), annotated(other), false},
		"dropped":               {annotated(stash), annotated(), true},
		"dropped with all":      {annotated(other, stash), annotated(other), true},
		"added":                 {annotated(), annotated(stash + ".status"), true},
		"kept":                  {annotated(stash), annotated(stash), true},
		"of another version":    {annotated("stash.crosswalk.dev/v1beta1"), annotated(), true},
		"of no version":         {annotated("stash.crosswalk.dev/v7"), annotated(), false},
		"incomplete":            {annotated("crosswalk.dev/incomplete"), annotated(), true},
		"an object that is odd": {annotated(), &unstructured.Unstructured{Object: map[string]any{"metadata": map[string]any{}}}, false},
	} {
		t.Run(name, func(t *testing.T) {
			if got := guards(t, test.old, test.now); got != test.want {
				t.Errorf("got %v", got)
			}
		})
	}
}

// As many annotations as the API server lets anybody write, 256 KiB of names and
// values (k8s.io/apimachinery/pkg/api/validation), cost no more than others: neither
// more than a condition may, for then the write would be refused, nor much time.
func TestManyAnnotations(t *testing.T) {
	const most = 256 << 10
	var names []string
	for size := 0; ; {
		name := fmt.Sprintf("%x", len(names))
		if size += len(name) + len("1"); size > most {
			break
		}
		names = append(names, name)
	}
	took := cputime.Of(func() {
		if guards(t, annotated(names...), annotated(names...)) {
			t.Error("the guard is asked about an object without a stash")
		}
	})
	if took > 3*time.Second { // milliseconds, without the race detector
		t.Errorf("it takes %v", took)
	}
}
