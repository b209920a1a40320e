package manage

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/crosswalk-dev/crosswalk/internal/manage/reach"
	"github.com/crosswalk-dev/crosswalk/internal/manage/rehearsal"
)

// stored is a cache of some objects by kind. One without objects has not been read.
type stored struct {
	cache.Cache
	objects map[string][]string
}

type informer struct {
	cache.Informer
	synced bool
}

func (i informer) HasSynced() bool { return i.synced }

func (s stored) GetInformer(_ context.Context, object client.Object, _ ...cache.InformerGetOption) (cache.Informer, error) {
	return informer{synced: s.objects[object.GetObjectKind().GroupVersionKind().Kind] != nil}, nil
}

func (s stored) List(_ context.Context, list client.ObjectList, _ ...client.ListOption) error {
	kind := strings.TrimSuffix(list.GetObjectKind().GroupVersionKind().Kind, "List")
	if s.objects[kind] == nil {
		return errors.New("a list of what is not read waits for it")
	}
	for _, text := range s.objects[kind] {
		var object unstructured.Unstructured
		content, err := yaml.YAMLToJSON([]byte(text))
		if err != nil {
			return err
		}
		// As objects come from the API server: with integers.
		if err := json.Unmarshal(content, &object.Object); err != nil {
			return err
		}
		list.(*unstructured.UnstructuredList).Items = append(list.(*unstructured.UnstructuredList).Items, object)
	}
	return nil
}

func TestStatuses(t *testing.T) {
	registry := prometheus.NewRegistry()
	lacking := new(rehearsal.Rights)
	registry.MustRegister(statuses{stored{objects: map[string][]string{
		"Crosswalk": {
			`{metadata: {name: armed, generation: 2}, status: {conditions: [{type: Ready, status: "True", reason: Serving, observedGeneration: 2, lastTransitionTime: "2026-01-01T00:00:00Z", message: ""}]}}`,
			`{metadata: {name: changed, generation: 3}, status: {conditions: [{type: Ready, status: "True", reason: Serving, observedGeneration: 2}]}}`,
			`{metadata: {name: contended, generation: 1}, status: {conditions: [{type: Compiled, status: "True", reason: Compiled, observedGeneration: 1}, {type: Ready, status: "False", reason: Contended, observedGeneration: 1}]}}`,
			`{metadata: {name: new, generation: 1}}`,
			`{metadata: {name: strange, generation: 1}, status: {conditions: 7}}`,
		},
		"ValidationPolicy": {`{metadata: {name: quota, generation: 1}, status: {conditions: [{type: Ready, status: Unknown, reason: Waiting, observedGeneration: 1}]}}`},
	}}, lacking})
	want := `
# HELP crosswalk_condition 1 while a condition of a Crosswalk or a policy is True for its current generation, 0 otherwise, by kind, name, the condition's type and its reason. Only the leading replica has it.
# TYPE crosswalk_condition gauge
crosswalk_condition{kind="Crosswalk",name="armed",reason="Serving",type="Ready"} 1
crosswalk_condition{kind="Crosswalk",name="changed",reason="Unseen",type="Ready"} 0
crosswalk_condition{kind="Crosswalk",name="contended",reason="Compiled",type="Compiled"} 1
crosswalk_condition{kind="Crosswalk",name="contended",reason="Contended",type="Ready"} 0
crosswalk_condition{kind="Crosswalk",name="new",reason="Unseen",type="Ready"} 0
crosswalk_condition{kind="Crosswalk",name="strange",reason="Unseen",type="Ready"} 0
crosswalk_condition{kind="ValidationPolicy",name="quota",reason="Waiting",type="Ready"} 0
`
	if err := testutil.GatherAndCompare(registry, strings.NewReader(want)); err != nil {
		t.Error(err)
	}

	// What may not be read may have changed.
	lacking.Missing = &reach.Obstacle{Reason: "MissingRights"}
	lines := strings.SplitAfter(want, "\n")
	for i, line := range lines {
		if series, rest, found := strings.Cut(line, `reason="`); found && series[0] != '#' {
			_, kind, _ := strings.Cut(rest, ",type=")
			kind, _, _ = strings.Cut(kind, "}")
			lines[i] = series + `reason="MissingRights",type=` + kind + "} 0\n"
		}
	}
	if err := testutil.GatherAndCompare(registry, strings.NewReader(strings.Join(lines, ""))); err != nil {
		t.Error(err)
	}
}

func TestStatusOnly(t *testing.T) {
	object := new(unstructured.Unstructured)
	if err := yaml.Unmarshal([]byte(`{metadata: {name: a, annotations: {last: applied}, managedFields: [{manager: m}]}, spec: {rows: []}, status: {conditions: []}}`), &object.Object); err != nil {
		t.Fatal(err)
	}
	kept, err := statusOnly(object)
	if err != nil {
		t.Fatal(err)
	}
	text, err := yaml.Marshal(kept.(*unstructured.Unstructured).Object)
	if got, want := string(text), "metadata:\n  name: a\nstatus:\n  conditions: []\n"; err != nil || got != want {
		t.Errorf("kept %q, %v", got, err)
	}
}
