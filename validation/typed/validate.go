package typed

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crosswalk-dev/crosswalk/validation"
	"github.com/crosswalk-dev/crosswalk/validation/patch"
)

// Validators returns the reviewer that calls the validators. Kinds without one pass, and so
// does CONNECT.
//
// An object is decoded strictly: a field that the type does not have, or a value that does not
// fit the type, is a cause of a denial, unless the object was stored with it. Such an object
// can still be deleted, and its metadata changed, for example to remove finalizers. If another
// change makes it fit the type, it is validated as a new object.
func (r *Registry) Validators() validation.Reviewer {
	return validation.ReviewerFunc(func(ctx context.Context, request *admissionv1.AdmissionRequest) (*validation.Verdict, error) {
		kind := kindOf(request)
		h := r.kinds[kind]
		if h == nil || h.validator.create == nil {
			return nil, nil
		}
		ctx = context.WithValue(ctx, requestKey{}, request)
		verdict := new(validation.Verdict)
		var (
			found field.ErrorList
			err   error
		)
		switch request.Operation {
		case admissionv1.Create:
			found, err = r.create(ctx, h, request, verdict)
		case admissionv1.Update:
			found, err = r.update(ctx, h, request, verdict)
		case admissionv1.Delete:
			found, err = r.delete(ctx, h, request, verdict)
		}
		if err != nil {
			return nil, err
		}
		return verdict, addCauses(verdict, kind, found)
	})
}

func (r *Registry) create(ctx context.Context, h *handlers, request *admissionv1.AdmissionRequest, verdict *validation.Verdict) (field.ErrorList, error) {
	d, err := r.decode(kindOf(request), request.Object.Raw)
	if err != nil {
		return nil, err
	}
	if d.problem != nil {
		verdict.Causes = append(verdict.Causes, *d.problem)
		return nil, nil
	}
	addUnknown(verdict, d.unknown, nil)
	found, warnings := h.validator.create(ctx, d.object)
	verdict.Warnings = warnings
	return found, nil
}

func (r *Registry) update(ctx context.Context, h *handlers, request *admissionv1.AdmissionRequest, verdict *validation.Verdict) (field.ErrorList, error) {
	d, err := r.decode(kindOf(request), request.Object.Raw)
	if err != nil {
		return nil, err
	}
	old, err := r.decode(kindOf(request), request.OldObject.Raw)
	if err != nil {
		return nil, err
	}
	switch {
	case d.problem != nil && old.problem != nil && onlyMetadata(request):
		verdict.Warnings = append(verdict.Warnings, unjudged(d.problem))
		return nil, nil
	case d.problem != nil:
		verdict.Causes = append(verdict.Causes, *d.problem)
		return nil, nil
	}
	addUnknown(verdict, d.unknown, old.unknown)
	var found field.ErrorList
	if old.problem != nil {
		found, verdict.Warnings = h.validator.create(ctx, d.object)
	} else {
		found, verdict.Warnings = h.validator.update(ctx, old.object, d.object)
	}
	return found, nil
}

func (r *Registry) delete(ctx context.Context, h *handlers, request *admissionv1.AdmissionRequest, verdict *validation.Verdict) (field.ErrorList, error) {
	old, err := r.decode(kindOf(request), request.OldObject.Raw)
	if err != nil {
		return nil, err
	}
	if old.problem != nil {
		verdict.Warnings = append(verdict.Warnings, unjudged(old.problem))
		return nil, nil
	}
	found, warnings := h.validator.delete(ctx, old.object)
	verdict.Warnings = warnings
	return found, nil
}

func unjudged(problem *validation.Cause) string {
	place := problem.Field
	if place == "" {
		place = "the object"
	}
	return fmt.Sprintf("not validated, because of %s: %s", place, problem.Message)
}

// onlyMetadata reports whether an update changes nothing but metadata.
func onlyMetadata(request *admissionv1.AdmissionRequest) bool {
	changes, err := patch.Diff(nil, request.OldObject.Raw, request.Object.Raw)
	if err != nil {
		return false
	}
	if len(changes) == 0 {
		return true
	}
	var operations []struct{ Path string }
	if err := json.Unmarshal(changes, &operations); err != nil {
		return false
	}
	return !slices.ContainsFunc(operations, func(o struct{ Path string }) bool {
		return o.Path != "/metadata" && !strings.HasPrefix(o.Path, "/metadata/")
	})
}

// addUnknown adds causes for the fields that the type does not have, except for those that were
// stored.
func addUnknown(verdict *validation.Verdict, unknown, stored []string) {
	for _, path := range unknown {
		if !slices.Contains(stored, path) {
			verdict.Causes = append(verdict.Causes, validation.Cause{
				Field: path, Type: metav1.CauseTypeFieldValueInvalid, Message: "unknown field; correct its name, or remove it"})
		}
	}
}

// addCauses adds the errors of a validator, in its order. An internal error is not the writer's
// fault.
func addCauses(verdict *validation.Verdict, kind schema.GroupVersionKind, found field.ErrorList) error {
	for _, e := range found {
		if e.Type == field.ErrorTypeInternal {
			return fmt.Errorf("the validator of %v: %w", kind, e)
		}
		told := *e
		if secret(kind) {
			told.BadValue = field.OmitValueType{}
		}
		verdict.Causes = append(verdict.Causes, validation.Cause{Field: e.Field, Type: metav1.CauseType(e.Type), Message: told.ErrorBody()})
	}
	return nil
}
