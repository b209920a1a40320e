package aggregated

import (
	"strings"

	admissionv1 "k8s.io/api/admission/v1"
	kubernetes "k8s.io/apiextensions-apiserver/pkg/generated/openapi"
	"k8s.io/kube-openapi/pkg/common"
	"k8s.io/kube-openapi/pkg/util"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

// definitions returns the OpenAPI schemas of the groups and of the types in them.
func definitions(ref common.ReferenceCallback) map[string]common.OpenAPIDefinition {
	all := kubernetes.GetOpenAPIDefinitions(ref)
	ours := GetOpenAPIDefinitions(func(name string) spec.Ref { return ref(modelOf(name)) })
	for name, definition := range ours {
		for i, needed := range definition.Dependencies {
			definition.Dependencies[i] = modelOf(needed)
		}
		all[name] = definition
	}
	// No route has a schema of this type: the API server sends it without reading one.
	all[admissionv1.AdmissionReview{}.OpenAPIModelName()] = common.OpenAPIDefinition{Schema: spec.Schema{SchemaProps: spec.SchemaProps{
		Description: "AdmissionReview is a request of the API server to review a write (admission.k8s.io/v1).", Type: spec.StringOrArray{"object"},
	}}}
	return all
}

// modelOf returns the name of a type's definition. openapi-gen knows only those of its own
// packages, and writes the Go path for other types.
func modelOf(name string) string {
	if strings.Contains(name, "/") {
		return util.ToRESTFriendlyName(name)
	}
	return name
}
