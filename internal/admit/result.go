package admit

import (
	"maps"
	"slices"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crosswalk-dev/crosswalk/validation"
)

// Stage is who has denied a write.
type Stage string

// The stages, in the order in which a write passes them.
const (
	Mutation   Stage = "mutation"
	Schema     Stage = "schema"
	Validation Stage = "validation"
)

// Result is what becomes of a write.
type Result struct {
	validation.Verdict
	// Stage has denied the write. Those after it have not been asked.
	Stage Stage
	// Operation, Kind, Namespace, Name and SubResource say what is written.
	Operation                    admissionv1.Operation
	Kind                         metav1.GroupVersionKind
	Namespace, Name, SubResource string
	// Sent is the object as it was sent, in its namespace, and Object as it has
	// become on its way: as it would be stored where it is allowed. A DELETE has
	// neither.
	Sent, Object map[string]any
	// filled says that Sent has the defaults of a kind of Kubernetes itself: they are
	// many, and nobody wonders at them.
	filled bool
	// native is the resource where policies of Kubernetes have denied the write.
	native schema.GroupResource
	// Asked are the policies that were about the write, by kind and name.
	Asked []string
}

func (r *Result) request(of *admissionv1.AdmissionRequest) {
	r.Operation, r.Kind, r.SubResource = of.Operation, of.Kind, of.SubResource
	r.Namespace, r.Name = of.Namespace, of.Name
}

// add takes in what a reviewer says at a stage.
func (r *Result) add(verdict *validation.Verdict, stage Stage) {
	if verdict == nil {
		return
	}
	if r.Stage == "" && !verdict.Allowed() {
		r.Stage = stage
	}
	r.Causes = append(r.Causes, verdict.Causes...)
	for _, warning := range verdict.Warnings {
		if !slices.Contains(r.Warnings, warning) {
			r.Warnings = append(r.Warnings, warning)
		}
	}
	if len(verdict.AuditAnnotations) > 0 && r.AuditAnnotations == nil {
		r.AuditAnnotations = map[string]string{}
	}
	maps.Copy(r.AuditAnnotations, verdict.AuditAnnotations)
}
