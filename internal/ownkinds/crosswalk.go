package ownkinds

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	admissionv1 "k8s.io/api/admission/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion"
	"github.com/crosswalk-dev/crosswalk/internal/config"
	"github.com/crosswalk-dev/crosswalk/validation"
)

// CRDs finds CustomResourceDefinitions.
type CRDs interface {
	// CRD returns the CRD with this name, or nil. An error means that it is unknown whether the
	// CRD exists.
	CRD(ctx context.Context, name string) (*apiextensionsv1.CustomResourceDefinition, error)
}

// Crosswalks returns the reviewer that denies a Crosswalk which does not compile, with a cause
// for every mistake, and passes on the compiler's warnings. options configure compiling. A
// Crosswalk whose CRD does not exist yet passes with a warning, because the two may be created
// in any order. A write that does not change spec passes in any case: a table that a changed
// CRD has broken can be labelled and deleted.
func Crosswalks(crds CRDs, options ...conversion.Option) validation.Reviewer {
	return validation.ReviewerFunc(func(ctx context.Context, request *admissionv1.AdmissionRequest) (*validation.Verdict, error) {
		verdict := new(validation.Verdict)
		if request.Kind.Group != v1alpha1.GroupName || request.Kind.Kind != v1alpha1.KindCrosswalk || request.SubResource != "" ||
			len(request.Object.Raw) == 0 || sameSpec(request.Object.Raw, request.OldObject.Raw) {
			return verdict, nil
		}
		crosswalk, err := config.Object(request.Object.Raw)
		if err != nil {
			verdict.Causes = unreadable(err)
			return verdict, nil
		}
		crd, err := crds.CRD(ctx, crosswalk.Name)
		if err != nil {
			return nil, fmt.Errorf("customresourcedefinition %s: %w", crosswalk.Name, err)
		}
		if crd == nil {
			verdict.Warnings = []string{fmt.Sprintf(
				"there is no CustomResourceDefinition %s yet, so the table was not checked; a Crosswalk must have the name of its CRD", crosswalk.Name)}
			return verdict, nil
		}
		var problems conversion.Problems
		converter, err := conversion.Compile(crd, crosswalk, options...)
		switch {
		case errors.As(err, &problems):
			for _, p := range problems {
				verdict.Causes = append(verdict.Causes, validation.Cause{Field: fieldOf(crosswalk.Spec, p), Message: messageOf(crosswalk.Spec, p)})
			}
		case err != nil:
			verdict.Causes = []validation.Cause{{Field: "spec", Message: err.Error()}}
		default:
			for _, w := range converter.Warnings() {
				verdict.Warnings = append(verdict.Warnings, fieldOf(crosswalk.Spec, w)+": "+messageOf(crosswalk.Spec, w))
			}
		}
		return verdict, nil
	})
}

// unreadable returns the causes for an object that is not a valid Crosswalk.
func unreadable(err error) []validation.Cause {
	var all config.Errors
	if !errors.As(err, &all) {
		return []validation.Cause{{Message: err.Error()}}
	}
	var causes []validation.Cause
	for _, one := range all {
		cause := validation.Cause{Message: one.Err.Error()}
		var field *config.FieldError
		if errors.As(one, &field) {
			cause = validation.Cause{Field: trimDot(field.Path), Message: field.Message}
		}
		causes = append(causes, cause)
	}
	return causes
}

// sameSpec reports whether two objects have the same spec. The API server encodes both in the
// same way.
func sameSpec(now, old []byte) bool {
	if len(old) == 0 {
		return false
	}
	var a, b struct{ Spec json.RawMessage }
	return json.Unmarshal(now, &a) == nil && json.Unmarshal(old, &b) == nil && len(a.Spec) > 0 && bytes.Equal(a.Spec, b.Spec)
}

// trimDot writes a path as the API server writes fields.
func trimDot(path string) string {
	if len(path) > 0 && path[0] == '.' {
		return path[1:]
	}
	return path
}
