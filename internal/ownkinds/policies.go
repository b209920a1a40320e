package ownkinds

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

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
// not compile, with a cause for every mistake, and warns if a resource or a kind does not exist
// or if expressions do not fit the schemas of objects. A write that does not change spec passes
// in any case.
func Policies(crds CRDs, types TypeChecker) validation.Reviewer {
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
			verdict.Warnings = misfits(ctx, crds, types, made)
		}
		return verdict, nil
	})
}

// misfits returns the warnings about a policy that are found in time.
func misfits(ctx context.Context, crds CRDs, types TypeChecker, p *policy.Policy) []string {
	ctx, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	check, err := types.Check(ctx, p)
	if err != nil {
		return nil
	}
	var warnings []string
	for _, m := range check.Missing {
		if !isNew(ctx, crds, m) {
			warnings = append(warnings, m.String())
		}
	}
	for _, w := range check.Warnings {
		warnings = append(warnings, w.String())
	}
	return warnings
}

// isNew reports whether a missing resource is that of a CRD: an API server publishes it some
// seconds after the CRD is created, and policies are often applied together with it.
func isNew(ctx context.Context, crds CRDs, m policy.Missing) bool {
	for _, resource := range m.Resources {
		name, sub, _ := strings.Cut(resource.Resource, "/")
		crd, err := crds.CRD(ctx, name+"."+resource.Group)
		if crd == nil || err != nil {
			continue
		}
		if slices.ContainsFunc(crd.Spec.Versions, func(v apiextensionsv1.CustomResourceDefinitionVersion) bool {
			return v.Served && (slices.Contains(m.Versions, v.Name) || slices.Contains(m.Versions, "*")) && hasSubresource(&v, sub)
		}) {
			return true
		}
	}
	return false
}

// hasSubresource reports whether a version has a subresource, which is "" for the objects
// themselves.
func hasSubresource(v *apiextensionsv1.CustomResourceDefinitionVersion, name string) bool {
	switch s := v.Subresources; name {
	case "":
		return true
	case "status":
		return s != nil && s.Status != nil
	case "scale":
		return s != nil && s.Scale != nil
	}
	return false
}
