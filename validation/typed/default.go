package typed

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"reflect"

	admissionv1 "k8s.io/api/admission/v1"

	"github.com/crosswalk-dev/crosswalk/validation"
)

// Defaulters is the reviewer that asks the defaulters. Kinds that have none pass,
// and so do DELETE, CONNECT, and objects that the type cannot hold, which are for
// the validator.
//
// Only what a defaulter changes is changed. Fields that the type does not have, and
// empty ones that Go would write out, do not come into it; but a list that gets
// longer or shorter is written as the type holds it.
func (r *Registry) Defaulters() validation.Reviewer {
	return validation.ReviewerFunc(func(ctx context.Context, request *admissionv1.AdmissionRequest) (*validation.Verdict, error) {
		kind := kindOf(request)
		h := r.kinds[kind]
		if h == nil || h.defaulter == nil || request.Operation != admissionv1.Create && request.Operation != admissionv1.Update {
			return nil, nil
		}
		d, err := r.decode(kind, request.Object.Raw)
		if err != nil || d.problem != nil {
			return nil, err
		}
		before, err := json.Marshal(d.object)
		if err != nil {
			return nil, fmt.Errorf("%v: %w", kind, err)
		}
		if err := h.defaulter(context.WithValue(ctx, requestKey{}, request), d.object); err != nil {
			return nil, fmt.Errorf("the defaulter of %v: %w", kind, err)
		}
		after, err := json.Marshal(d.object)
		if err != nil {
			return nil, fmt.Errorf("%v: %w", kind, err)
		}
		if bytes.Equal(before, after) {
			return nil, nil
		}
		object, err := transfer(request.Object.Raw, before, after)
		return &validation.Verdict{Object: object}, err
	})
}

// transfer makes of raw what after is to before.
func transfer(raw, before, after []byte) ([]byte, error) {
	var values [3]any
	for i, text := range [][]byte{raw, before, after} {
		d := json.NewDecoder(bytes.NewReader(text))
		d.UseNumber() // every digit stays
		if err := d.Decode(&values[i]); err != nil {
			return nil, err
		}
	}
	return json.Marshal(merge(values[0], values[1], values[2]))
}

// merge is transfer for one value, of which raw may be changed. Where the type
// holds what raw lacks, raw is nil.
func merge(raw, before, after any) any {
	switch after := after.(type) {
	case map[string]any:
		before, _ := before.(map[string]any) // nothing where it was left out
		object, ok := raw.(map[string]any)
		if !ok {
			object = map[string]any{}
		}
		for name := range before {
			if _, stays := after[name]; !stays {
				delete(object, name)
			}
		}
		for name, value := range after {
			if old, known := before[name]; !known || !reflect.DeepEqual(old, value) {
				object[name] = merge(object[name], old, value)
			}
		}
		return object
	case []any:
		before, ok := before.([]any)
		list, fine := raw.([]any)
		if !ok || !fine || len(before) != len(after) || len(list) != len(after) {
			return after
		}
		for i, value := range after {
			if !reflect.DeepEqual(before[i], value) {
				list[i] = merge(list[i], before[i], value)
			}
		}
		return list
	}
	return after
}
