package verify

import (
	"fmt"

	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	metav1validation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// checkMeta returns what the API server would reject in the metadata of a response
// (restoreObjectMeta), or which field other than labels and annotations was changed, or "".
func checkMeta(input, output *tree.Value) string {
	in, out := input.Get("metadata"), output.Get("metadata")
	if out != nil && out.Kind != tree.Object {
		return fmt.Sprintf("the result's metadata is %s", out.Kind)
	}
	for _, name := range []string{"labels", "annotations"} {
		got := out.Get(name)
		if got == nil || tree.Equal(got, in.Get(name)) {
			continue
		}
		if got.Kind != tree.Object {
			return fmt.Sprintf("the result's %s are %s", name, got.Kind)
		}
		if in.Get(name) != nil && refused(name, in.Get(name)) != "" {
			continue
		}
		if problem := refused(name, got); problem != "" {
			return problem
		}
	}
	before, after := tree.NewObject(), tree.NewObject()
	for v, into := range map[*tree.Value]*tree.Value{in: before, out: after} {
		if v == nil {
			continue
		}
		into.Members = v.Clone().Members
		into.Set("labels", nil)
		into.Set("annotations", nil)
	}
	if diff := tree.Diff(before, after); diff != nil {
		return fmt.Sprintf("the result's metadata%s was changed", diff[0].Path)
	}
	return ""
}

func refused(name string, v *tree.Value) string {
	texts := map[string]string{}
	for _, m := range v.Members {
		if m.Value.Kind != tree.String {
			return fmt.Sprintf("%s[%q] of the result is %s", name, m.Name, m.Value.Kind)
		}
		texts[m.Name] = m.Value.Text
	}
	errs := apivalidation.ValidateAnnotations(texts, field.NewPath("metadata", name))
	if name == "labels" {
		errs = metav1validation.ValidateLabels(texts, field.NewPath("metadata", name))
	}
	if len(errs) > 0 {
		return "the API server refuses the result: " + errs.ToAggregate().Error()
	}
	return ""
}
