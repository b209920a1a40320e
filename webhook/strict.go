package webhook

import (
	"context"
	"fmt"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/crosswalk-dev/crosswalk/conversion"
	"github.com/crosswalk-dev/crosswalk/validation"
)

// StrictWrites returns the reviewer for a validating webhook that denies what
// another version could not show, and warns of what it could if there were more of
// it: see [Guardian]. It also denies a stash that holds what the schema of its owner
// forbids, and keeps an object that has lost something for want of room from being
// written as if that were all of it.
func StrictWrites(tables *Tables) validation.Reviewer {
	owners := new(owners)
	return validation.ReviewerFunc(func(ctx context.Context, request *admissionv1.AdmissionRequest) (*validation.Verdict, error) {
		verdict := new(validation.Verdict)
		g, err := guardianOf(tables, request)
		if g == nil || err != nil {
			return verdict, err
		}
		object, old := request.Object.Raw, request.OldObject.Raw
		findings, failed := g.Check(ctx, object, old)
		if failed != nil {
			return verdict, ctx.Err()
		}
		for _, f := range findings {
			if f.Partial {
				// The rest may come with the next write.
				verdict.Warnings = append(verdict.Warnings, fieldOf(f.Field)+": "+f.Message)
				continue
			}
			verdict.Causes = append(verdict.Causes, validation.Cause{Field: fieldOf(f.Field), Message: f.Message})
		}
		causes, err := owners.check(ctx, g, object, old)
		if err != nil {
			return nil, err
		}
		verdict.Causes = append(verdict.Causes, causes...)
		if lost := conversion.Incomplete(object); lost != "" && request.SubResource == "" {
			verdict.Causes = append(verdict.Causes, validation.Cause{
				Field: "metadata.annotations[crosswalk.dev/incomplete]",
				Type:  metav1.CauseTypeForbidden,
				Message: fmt.Sprintf("in this version the object lacks what there was no room for (%s), and writing it would make the loss good; "+
					"write it in the version that has these places, and make them smaller there", lost),
			})
		}
		if !verdict.Allowed() && old != nil && conversion.OnlyRemovesFinalizers(object, old) {
			return new(validation.Verdict), nil
		}
		return verdict, nil
	})
}

// fieldOf is a path as the API server writes fields, without the first dot.
func fieldOf(path string) string {
	if len(path) > 0 && path[0] == '.' {
		return path[1:]
	}
	return path
}
