package admit

import (
	"context"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// Outcome is what came of a case.
type Outcome struct {
	Case *Case
	// Result is nil where the write cannot be played.
	Result *Result
	// Differences are there where the case has failed.
	Differences []Difference
}

// Passed reports whether everything was as expected.
func (o *Outcome) Passed() bool { return len(o.Differences) == 0 }

// Run plays cases. What is in context is there in all of them.
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
	// An object of the case stands before one of the same name that all have.
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
	o.Differences = []Difference{{Want: "a write that can be played", Got: err.Error()}}
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
