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

// Defaulters returns the reviewer that calls the defaulters. Kinds without one pass, and so do
// DELETE, CONNECT, and objects that do not fit the type, which the validator denies.
//
// Only what a defaulter changes is changed. Fields that the type does not have stay, and empty
// fields that Go would write are not added. But a list that becomes longer or shorter is
// written as the type has it.
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

// transfer applies the changes between before and after to raw.
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

// merge is transfer for one value. It may change raw. If the type has a value that raw lacks,
// raw is nil.
func merge(raw, before, after any) any {
	switch after := after.(type) {
	case map[string]any:
		before, _ := before.(map[string]any) // nil if it was left out
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
