package admit

import (
	"context"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// Outcome is the result of a case.
type Outcome struct {
	Case *Case
	// Result is nil if the write cannot be evaluated.
	Result *Result
	// Differences lists why the case has failed.
	Differences []Difference
}

// Passed reports whether everything was as expected.
func (o *Outcome) Passed() bool { return len(o.Differences) == 0 }

// Run runs cases. The objects of context exist in all of them.
func (j *Judge) Run(ctx context.Context, cases []*Case, context []*unstructured.Unstructured) []*Outcome {
	outcomes := make([]*Outcome, len(cases))
	for i, c := range cases {
		outcomes[i] = j.play(ctx, c, context)
	}
	return outcomes
}

func (j *Judge) play(ctx context.Context, c *Case, context []*unstructured.Unstructured) *Outcome {
	o := &Outcome{Case: c}
	w := c.write()
	for _, text := range c.Context {
		object, err := read(text)
		if err != nil {
			return o.failed(err)
		}
		w.Context = append(w.Context, object)
	}
	// An object of the case replaces an object with the same name that all cases have.
	for _, other := range context {
		if !holds(w.Context, other) {
			w.Context = append(w.Context, other)
		}
	}
	result, err := j.Review(ctx, w)
	if err != nil {
		return o.failed(err)
	}
	o.Result, o.Differences = result, c.Expect.Compare(result)
	return o
}

func (o *Outcome) failed(err error) *Outcome {
	o.Differences = []Difference{{Want: "a write that can be evaluated", Got: err.Error()}}
	return o
}

func holds(all []*unstructured.Unstructured, object *unstructured.Unstructured) bool {
	for _, o := range all {
		if o.GroupVersionKind().GroupKind() == object.GroupVersionKind().GroupKind() && o.GetName() == object.GetName() && o.GetNamespace() == object.GetNamespace() {
			return true
		}
	}
	return false
}
