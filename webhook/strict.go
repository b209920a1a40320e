package webhook

import (
	"context"
	"fmt"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/crosswalk-dev/crosswalk/conversion"
	"github.com/crosswalk-dev/crosswalk/validation"
)

// StrictWrites returns the reviewer for a validating webhook. It denies values that another
// version can't represent, and warns of values that only just fit: see [Guardian]. It also
// denies a stash whose values the schema of its owner forbids. And it denies writes of a
// version of the object that lacks values for want of room, because the write would remove
// them.
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
				// The next write may report the rest.
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
				Message: fmt.Sprintf("this version of the object lacks values that had no room in its annotations (%s), and this write would delete them; "+
					"write the object in the version that has these fields, and make their values smaller", lost),
			})
		}
		if !verdict.Allowed() && old != nil && conversion.OnlyRemovesFinalizers(object, old) {
			return new(validation.Verdict), nil
		}
		return verdict, nil
	})
}

// fieldOf writes a path as the API server does, without the first dot.
func fieldOf(path string) string {
	if len(path) > 0 && path[0] == '.' {
		return path[1:]
	}
	return path
}
