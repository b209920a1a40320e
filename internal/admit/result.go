package admit

import (
	"maps"
	"slices"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crosswalk-dev/crosswalk/validation"
)

// Stage is the part of admission that has denied a write.
type Stage string

// The stages, in the order in which a write passes them.
const (
	Mutation   Stage = "mutation"
	Schema     Stage = "schema"
	Validation Stage = "validation"
)

// Result is the result of a write.
type Result struct {
	validation.Verdict
	// Stage has denied the write. Later stages have not been evaluated.
	Stage Stage
	// Operation, Kind, Namespace, Name and SubResource identify the write.
	Operation                    admissionv1.Operation
	Kind                         metav1.GroupVersionKind
	Namespace, Name, SubResource string
	// Sent is the object of the request, in its namespace. Object is the result of all changes:
	// the stored object if the write is allowed. A DELETE has neither.
	Sent, Object map[string]any
	// filled reports that Sent includes the defaults of a kind of Kubernetes itself. They are
	// many, and readers know them.
	filled bool
	// native is the resource, if policies of Kubernetes have denied the write.
	native schema.GroupResource
	// Asked lists the policies that matched the write, by kind and name.
	Asked []string
}

func (r *Result) request(of *admissionv1.AdmissionRequest) {
	r.Operation, r.Kind, r.SubResource = of.Operation, of.Kind, of.SubResource
	r.Namespace, r.Name = of.Namespace, of.Name
}

// add adds the verdict of a reviewer at a stage.
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
