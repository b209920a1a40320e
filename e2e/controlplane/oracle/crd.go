package main

import (
	"encoding/json"
	"fmt"
	"io"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"
)

// writeCRD writes the CRD that the kind would have if it were not built in.
func writeCRD(out io.Writer, k kind) error {
	known := published()
	crd := apiextensionsv1.CustomResourceDefinition{
		TypeMeta:   metav1.TypeMeta{APIVersion: "apiextensions.k8s.io/v1", Kind: "CustomResourceDefinition"},
		ObjectMeta: metav1.ObjectMeta{Name: k.plural + "." + k.Group},
		Spec: apiextensionsv1.CustomResourceDefinitionSpec{
			Group: k.Group,
			Scope: apiextensionsv1.ClusterScoped,
			Names: apiextensionsv1.CustomResourceDefinitionNames{Kind: k.Kind, Plural: k.plural},
		},
	}
	if k.namespaced {
		crd.Spec.Scope = apiextensionsv1.NamespaceScoped
	}
	for _, version := range []string{k.old, k.new} {
		schema, err := known.schema(k, version)
		if err != nil {
			return err
		}
		crd.Spec.Versions = append(crd.Spec.Versions, apiextensionsv1.CustomResourceDefinitionVersion{
			Name:    version,
			Served:  true,
			Storage: version == k.new,
			Schema:  &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: schema},
		})
	}
	data, err := trimmed(crd)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "# Written by oracle crd %s.\n%s", k.plural, data)
	return err
}

// trimmed is the CRD as YAML, without what only the API server sets.
func trimmed(crd apiextensionsv1.CustomResourceDefinition) ([]byte, error) {
	data, err := json.Marshal(crd)
	if err != nil {
		return nil, err
	}
	var members map[string]any
	if err := json.Unmarshal(data, &members); err != nil {
		return nil, err
	}
	delete(members, "status")
	return yaml.Marshal(members)
}
