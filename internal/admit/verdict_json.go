package admit

import (
	admissionv1 "k8s.io/api/admission/v1"
)

// VerdictJSON is a result for programs. Fields are only ever added.
type VerdictJSON struct {
	Allowed bool `json:"allowed"`
	// Stage has denied the write: mutation, schema or validation.
	Stage            Stage                 `json:"stage,omitempty"`
	Operation        admissionv1.Operation `json:"operation"`
	APIVersion       string                `json:"apiVersion"`
	Kind             string                `json:"kind"`
	Namespace        string                `json:"namespace,omitempty"`
	Name             string                `json:"name"`
	SubResource      string                `json:"subresource,omitempty"`
	Causes           []CauseJSON           `json:"causes,omitempty"`
	Warnings         []string              `json:"warnings,omitempty"`
	AuditAnnotations map[string]string     `json:"auditAnnotations,omitempty"`
	// Asked lists the policies that matched the write, by kind and name.
	Asked []string `json:"asked,omitempty"`
	// Object is the stored object. It is missing if the write is denied.
	Object map[string]any `json:"object,omitempty"`
}

// CauseJSON is one cause of a denial, as in Status.details.causes.
type CauseJSON struct {
	Field   string `json:"field,omitempty"`
	Reason  string `json:"reason,omitempty"`
	Message string `json:"message"`
}

// JSON returns the result for programs.
func (r *Result) JSON() *VerdictJSON {
	v := &VerdictJSON{
		Allowed: r.Allowed(), Stage: r.Stage, Operation: r.Operation,
		APIVersion: r.Kind.Version, Kind: r.Kind.Kind, Namespace: r.Namespace, Name: r.Name, SubResource: r.SubResource,
		Warnings: r.Warnings, AuditAnnotations: r.AuditAnnotations, Asked: r.Asked,
	}
	if r.Kind.Group != "" {
		v.APIVersion = r.Kind.Group + "/" + r.Kind.Version
	}
	if v.Allowed {
		v.Object = r.Object
	}
	status := r.Status(&admissionv1.AdmissionRequest{Kind: r.Kind, Name: r.Name})
	if status != nil {
		for _, c := range status.Details.Causes {
			v.Causes = append(v.Causes, CauseJSON{Field: c.Field, Reason: string(c.Type), Message: c.Message})
		}
	}
	return v
}
