package policy

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apiserver/pkg/admission/plugin/policy/mutating/patch"
	celmutation "k8s.io/apiserver/pkg/cel/mutation"
	"k8s.io/apiserver/pkg/cel/mutation/dynamic"

	"github.com/crosswalk-dev/crosswalk/validation/policy/internal/lazy"
)

// mutate returns the new object, or nil if it does not change.
func (x *change) mutate(ctx context.Context, e *evaluation, b *budget) ([]byte, error) {
	value, err := x.evaluate(ctx, e, b)
	if err != nil {
		return nil, err
	}
	before := e.subject.object.Text()
	var after []byte
	if x.apply {
		after, err = applyConfiguration(ctx, e.subject, value)
	} else {
		after, err = applyPatch(before, value)
	}
	if err == nil && (after == nil || bytes.Equal(before, after)) {
		return nil, nil
	}
	if err == nil {
		err = sameKind(before, after)
	}
	if err != nil {
		return nil, &patchError{err}
	}
	return after, nil
}

// patchError means that an expression was evaluated, but its value cannot be applied.
type patchError struct{ error }

func (e *patchError) Unwrap() error { return e.error }

// sameKind returns an error if a mutation has changed the identity of an object.
func sameKind(before, after []byte) error {
	old, made := lazy.NewDocument(before), lazy.NewDocument(after)
	defer old.Free()
	defer made.Free()
	for _, name := range []string{"apiVersion", "kind"} {
		was, _ := fieldPath{name}.in(old.Root())
		is, found := fieldPath{name}.in(made.Root())
		if !found || was != nil && types.Equal(was, is) != types.True {
			return fmt.Errorf("it changes %s, which is not allowed", name)
		}
	}
	return nil
}

// applyConfiguration merges the value of an expression into the object, as apiserver does
// (admission/plugin/policy/mutating/patch/smd.go).
func applyConfiguration(ctx context.Context, s *subject, value ref.Val) ([]byte, error) {
	made, ok := value.(*dynamic.ObjectVal)
	if !ok {
		return nil, fmt.Errorf("it returns %v instead of an Object", value.Type())
	}
	if err := made.CheckTypeNamesMatchFieldPathNames(); err != nil {
		return nil, fmt.Errorf("type mismatch: %w", err)
	}
	fields, err := plain(made)
	if err != nil {
		return nil, err
	}
	object := new(unstructured.Unstructured)
	if err := object.UnmarshalJSON(s.object.Text()); err != nil {
		return nil, err
	}
	kind := object.GroupVersionKind()
	if s.cluster.Types == nil {
		return nil, errors.New("schemas are not available here")
	}
	converter, err := s.cluster.Types.TypeConverter(ctx, kind)
	if err != nil {
		return nil, fmt.Errorf("the schema of %s: %w", kind, err)
	}
	applied := &unstructured.Unstructured{Object: fields.(map[string]any)}
	applied.SetGroupVersionKind(kind)
	merged, err := patch.ApplyStructuredMergeDiff(converter, object, applied)
	if err != nil {
		return nil, &worded{ours: err.Error(), theirs: "error applying patch: " + err.Error(), cause: err}
	}
	return encode(merged)
}

// applyPatch applies the JSON patch that an expression returns, as apiserver does
// (admission/plugin/policy/mutating/patch/json_patch.go). If a test in it fails, the object
// stays as it is.
func applyPatch(object []byte, value ref.Val) ([]byte, error) {
	list, ok := value.(traits.Lister)
	if !ok {
		return nil, fmt.Errorf("it returns %v instead of a list", value.Type())
	}
	var operations jsonpatch.Patch
	for it := list.Iterator(); it.HasNext() == types.True; {
		operation, err := patchOperation(it.Next())
		if err != nil {
			return nil, err
		}
		operations = append(operations, operation)
	}
	if len(operations) == 0 {
		return nil, nil
	}
	patched, err := operations.Apply(object)
	switch {
	case errors.Is(err, jsonpatch.ErrTestFailed):
		return nil, nil
	case err != nil:
		return nil, &worded{ours: err.Error(), theirs: "JSON Patch: " + err.Error(), cause: err}
	}
	return patched, nil
}

func patchOperation(value ref.Val) (jsonpatch.Operation, error) {
	v, err := value.ConvertToNative(patchType)
	if err != nil {
		return nil, err
	}
	made := v.(*celmutation.JSONPatchVal)
	members := map[string]any{"op": made.Op, "path": made.Path}
	if made.From != "" {
		members["from"] = made.From
	}
	if made.Val != nil {
		if object, ok := made.Val.(*dynamic.ObjectVal); ok {
			if err := object.CheckTypeNamesMatchFieldPathNames(); err != nil {
				return nil, fmt.Errorf("type mismatch: %w", err)
			}
		}
		if members["value"], err = plain(made.Val); err != nil {
			return nil, err
		}
	}
	operation := jsonpatch.Operation{}
	for name, member := range members {
		text, err := encode(member)
		if err != nil {
			return nil, err
		}
		raw := json.RawMessage(text)
		operation[name] = &raw
	}
	return operation, nil
}

// encode writes JSON without escapes that JSON does not require.
func encode(value any) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
}
