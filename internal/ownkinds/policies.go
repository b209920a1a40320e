package ownkinds

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	admissionv1 "k8s.io/api/admission/v1"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/validation"
	"github.com/crosswalk-dev/crosswalk/validation/policy"
)

// TypeChecker checks policies against the schemas of a cluster.
type TypeChecker interface {
	Check(ctx context.Context, p *policy.Policy) (*policy.TypeCheck, error)
}

// checkTime is how long the writer of a policy waits for the check. It is short, because the
// status of the policy has the warnings, too.
const checkTime = 2 * time.Second

// Policies returns the reviewer that denies a ValidationPolicy or a MutationPolicy which does
// not compile, with a cause for every mistake, and warns if expressions do not fit the schemas
// of objects. A write that does not change spec passes in any case.
func Policies(types TypeChecker) validation.Reviewer {
	return validation.ReviewerFunc(func(ctx context.Context, request *admissionv1.AdmissionRequest) (*validation.Verdict, error) {
		verdict := new(validation.Verdict)
		if request.Kind.Group != v1alpha1.GroupName || request.SubResource != "" ||
			len(request.Object.Raw) == 0 || sameSpec(request.Object.Raw, request.OldObject.Raw) {
			return verdict, nil
		}
		var made *policy.Policy
		var problems policy.Problems
		var err error
		switch request.Kind.Kind {
		case v1alpha1.KindValidationPolicy:
			p := new(v1alpha1.ValidationPolicy)
			if err = json.Unmarshal(request.Object.Raw, p); err == nil {
				made, problems = policy.Compile(p)
			}
		case v1alpha1.KindMutationPolicy:
			p := new(v1alpha1.MutationPolicy)
			if err = json.Unmarshal(request.Object.Raw, p); err == nil {
				made, problems = policy.CompileMutation(p)
			}
		}
		if err != nil {
			return nil, fmt.Errorf("%s %s: %w", request.Kind.Kind, request.Name, err)
		}
		for _, p := range problems {
			verdict.Causes = append(verdict.Causes, validation.Cause{Field: p.Field, Message: p.Message})
		}
		if made != nil && len(problems) == 0 {
			verdict.Warnings = misfits(ctx, types, made)
		}
		return verdict, nil
	})
}

// misfits returns the warnings about a policy that are found in time.
func misfits(ctx context.Context, types TypeChecker, p *policy.Policy) []string {
	ctx, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	check, err := types.Check(ctx, p)
	if err != nil {
		return nil
	}
	var warnings []string
	for _, w := range check.Warnings {
		warnings = append(warnings, w.String())
	}
	return warnings
}
