package ownkinds

import (
	"context"
	"encoding/json"
	"fmt"

	admissionv1 "k8s.io/api/admission/v1"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/validation"
	"github.com/crosswalk-dev/crosswalk/validation/policy"
)

// Policies returns the reviewer that denies a ValidationPolicy or a MutationPolicy
// which does not compile, with a cause for every mistake. A write that leaves spec
// alone passes whatever spec holds.
func Policies() validation.Reviewer {
	return validation.ReviewerFunc(func(_ context.Context, request *admissionv1.AdmissionRequest) (*validation.Verdict, error) {
		verdict := new(validation.Verdict)
		if request.Kind.Group != v1alpha1.GroupName || request.SubResource != "" ||
			len(request.Object.Raw) == 0 || sameSpec(request.Object.Raw, request.OldObject.Raw) {
			return verdict, nil
		}
		var problems policy.Problems
		var err error
		switch request.Kind.Kind {
		case v1alpha1.KindValidationPolicy:
			p := new(v1alpha1.ValidationPolicy)
			if err = json.Unmarshal(request.Object.Raw, p); err == nil {
				_, problems = policy.Compile(p)
			}
		case v1alpha1.KindMutationPolicy:
			p := new(v1alpha1.MutationPolicy)
			if err = json.Unmarshal(request.Object.Raw, p); err == nil {
				_, problems = policy.CompileMutation(p)
			}
		}
		if err != nil {
			return nil, fmt.Errorf("%s %s: %w", request.Kind.Kind, request.Name, err)
		}
		for _, p := range problems {
			verdict.Causes = append(verdict.Causes, validation.Cause{Field: p.Field, Message: p.Message})
		}
		return verdict, nil
	})
}
