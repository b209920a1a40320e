package cluster

import (
	"encoding/json"
	"fmt"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion"
)

// A revision is a table with the schemas that it was compiled against. It is stored as a
// ControllerRevision in Crosswalk's namespace. A CRD is armed only with a table that has a
// revision. So a replica that starts after the Crosswalk or the CRD has changed, or no longer
// compiles, can still convert with the table that the CRD is armed with.

const (
	// LabelFingerprint on a ControllerRevision marks it as a revision, and holds the
	// fingerprint with which CRDs request it.
	LabelFingerprint = v1alpha1.GroupName + "/fingerprint"
	// AnnotationCRD on a revision is the name of the CRD, which may be too long
	// for a label.
	AnnotationCRD = v1alpha1.GroupName + "/crd"
)

// revisionData is the content of a revision.
type revisionData struct {
	Crosswalk *v1alpha1.Crosswalk                       `json:"crosswalk"`
	CRD       *apiextensionsv1.CustomResourceDefinition `json:"crd"`
}

// NewRevision returns the revision of a compiled table.
func NewRevision(namespace string, t *Table) (*appsv1.ControllerRevision, error) {
	text, err := json.Marshal(revisionData{
		// Complete, so that a Crosswalk that was deleted can be applied again.
		Crosswalk: &v1alpha1.Crosswalk{
			TypeMeta:   metav1.TypeMeta{APIVersion: v1alpha1.GroupVersion().String(), Kind: v1alpha1.KindCrosswalk},
			ObjectMeta: metav1.ObjectMeta{Name: t.Crosswalk.Name},
			Spec:       t.Crosswalk.Spec,
		},
		CRD: bare(t.CRD),
	})
	if err != nil {
		return nil, err
	}
	fingerprint := t.Converter.Fingerprint()
	return &appsv1.ControllerRevision{
		ObjectMeta: metav1.ObjectMeta{
			Namespace:   namespace,
			Name:        RevisionName(t.Crosswalk.Name, fingerprint),
			Labels:      map[string]string{LabelFingerprint: fingerprint},
			Annotations: map[string]string{AnnotationCRD: t.Crosswalk.Name},
		},
		Data:     runtime.RawExtension{Raw: text},
		Revision: t.Crosswalk.Generation,
	}, nil
}

// RevisionName returns the name of the revision of a CRD's table.
func RevisionName(crd, fingerprint string) string {
	const longest = 253 // of an object's name (apimachinery validation.DNS1123SubdomainMaxLength)
	if most := longest - 1 - len(fingerprint); len(crd) > most {
		crd = strings.TrimRight(crd[:most], ".-") // a part of a name must not end with these
	}
	return crd + "-" + fingerprint
}

// Converter is a converter with the fingerprint with which CRDs request it. Another release may
// compute another fingerprint for the same table.
type Converter struct {
	*conversion.Converter
	fingerprint string
}

// Fingerprint returns the fingerprint of the converter's revision.
func (c Converter) Fingerprint() string { return c.fingerprint }

// Compiled returns the fingerprint that this process computes for the table. It differs from
// the revision's if another release has made the revision, or a build in which a function of
// the table has another revision.
func (c Converter) Compiled() string { return c.Converter.Fingerprint() }

// Revision returns the converter of a revision.
func (c Compiler) Revision(revision *appsv1.ControllerRevision) (Converter, error) {
	fail := func(err error) (Converter, error) {
		return Converter{}, fmt.Errorf("controllerrevision %s/%s: %w", revision.Namespace, revision.Name, err)
	}
	var data revisionData
	if err := json.Unmarshal(revision.Data.Raw, &data); err != nil {
		return fail(err)
	}
	if data.CRD == nil || data.Crosswalk == nil {
		return fail(fmt.Errorf("it has no table"))
	}
	// A revision whose name and labels contradict its table was not made by manage.
	if name := RevisionName(data.Crosswalk.Name, revision.Labels[LabelFingerprint]); name != revision.Name ||
		data.CRD.Name != data.Crosswalk.Name || revision.Annotations[AnnotationCRD] != data.CRD.Name {
		return fail(fmt.Errorf("its name, label and annotation are not those of the table in it"))
	}
	converter, err := conversion.Compile(data.CRD, data.Crosswalk, c.Options...)
	if err != nil {
		return fail(err)
	}
	return Converter{converter, revision.Labels[LabelFingerprint]}, nil
}

// bare returns the part of a CRD that compiling needs, without the descriptions, which are most
// of it.
func bare(crd *apiextensionsv1.CustomResourceDefinition) *apiextensionsv1.CustomResourceDefinition {
	b := new(apiextensionsv1.CustomResourceDefinition)
	b.Name = crd.Name
	b.Spec.Group, b.Spec.Names, b.Spec.Scope = crd.Spec.Group, crd.Spec.Names, crd.Spec.Scope
	for _, v := range crd.Spec.Versions {
		version := apiextensionsv1.CustomResourceDefinitionVersion{Name: v.Name, Served: v.Served, Storage: v.Storage}
		if v.Schema != nil {
			version.Schema = v.Schema.DeepCopy()
			stripTexts(version.Schema.OpenAPIV3Schema)
		}
		b.Spec.Versions = append(b.Spec.Versions, version)
	}
	return b
}

// stripTexts removes texts that only people read.
func stripTexts(s *apiextensionsv1.JSONSchemaProps) {
	if s == nil {
		return
	}
	s.Description, s.Title, s.Example, s.ExternalDocs = "", "", nil, nil
	strip := func(all map[string]apiextensionsv1.JSONSchemaProps) {
		for name, one := range all {
			stripTexts(&one)
			all[name] = one
		}
	}
	strip(s.Properties)
	strip(s.PatternProperties)
	for _, list := range [][]apiextensionsv1.JSONSchemaProps{s.AllOf, s.AnyOf, s.OneOf} {
		for i := range list {
			stripTexts(&list[i])
		}
	}
	stripTexts(s.Not)
	if s.Items != nil {
		stripTexts(s.Items.Schema)
		for i := range s.Items.JSONSchemas {
			stripTexts(&s.Items.JSONSchemas[i])
		}
	}
	if s.AdditionalProperties != nil {
		stripTexts(s.AdditionalProperties.Schema)
	}
}
