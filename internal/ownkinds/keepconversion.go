package ownkinds

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	admissionv1 "k8s.io/api/admission/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crosswalk-dev/crosswalk/internal/cluster"
	"github.com/crosswalk-dev/crosswalk/internal/manifest"
	"github.com/crosswalk-dev/crosswalk/validation"
)

// Names finds Crosswalks by the name of their CRD.
type Names interface {
	// Has reports whether a Crosswalk exists. An error means that it is unknown.
	Has(ctx context.Context, name string) (bool, error)
}

// KeepConversion configures whose conversion is kept.
type KeepConversion struct {
	// Service is the Service that armed CRDs name.
	Service cluster.Service
	// Armer is the field manager that may remove the conversion: crosswalk manage. This
	// prevents mistakes, not attacks: whoever may write a CRD can point its conversion
	// anywhere.
	Armer string
	// Crosswalks finds the existing Crosswalks. A CRD without one is left unchanged.
	Crosswalks Names
}

// Review implements [validation.Reviewer], for updates of CRDs. If the write would remove a
// conversion that named the Service, Review restores it. An installer writes its own copy of
// the CRD, and does not intend to remove the conversion. Objects that are written until
// crosswalk manage has restored the conversion would be stored unconverted.
//
// A write that names another converter passes, because it is intended.
func (k KeepConversion) Review(ctx context.Context, request *admissionv1.AdmissionRequest) (*validation.Verdict, error) {
	verdict := new(validation.Verdict)
	if request.Kind.Group != apiextensionsv1.GroupName || request.Kind.Kind != "CustomResourceDefinition" || request.SubResource != "" ||
		request.Operation != admissionv1.Update || fieldManager(request) == k.Armer {
		return verdict, nil
	}
	old, now := new(apiextensionsv1.CustomResourceDefinition), new(apiextensionsv1.CustomResourceDefinition)
	if err := errors.Join(json.Unmarshal(request.OldObject.Raw, old), json.Unmarshal(request.Object.Raw, now)); err != nil {
		return nil, fmt.Errorf("customresourcedefinition %s: %w", request.Name, err)
	}
	if _, asks := k.Service.ArmedWith(old); !asks || !converterless(now) {
		return verdict, nil
	}
	there, err := k.Crosswalks.Has(ctx, old.Name)
	if err != nil {
		return nil, fmt.Errorf("crosswalk %s: %w", old.Name, err)
	}
	if !there {
		return verdict, nil
	}
	verdict.Object, err = withConversion(request.Object.Raw, request.OldObject.Raw)
	if err != nil {
		return nil, fmt.Errorf("customresourcedefinition %s: %w", old.Name, err)
	}
	verdict.Warnings = []string{fmt.Sprintf(
		"spec.conversion was kept, because Crosswalk converts the objects; to remove it, delete crosswalk %s", old.Name)}
	return verdict, nil
}

// converterless reports whether a CRD's objects are converted by changing only their
// apiVersion.
func converterless(crd *apiextensionsv1.CustomResourceDefinition) bool {
	c := crd.Spec.Conversion
	return c == nil || c.Strategy == "" || c.Strategy == apiextensionsv1.NoneConverter
}

// fieldManager returns the field manager of a request, or "".
func fieldManager(request *admissionv1.AdmissionRequest) string {
	var options struct {
		FieldManager string `json:"fieldManager"`
	}
	if json.Unmarshal(request.Options.Raw, &options) != nil {
		return ""
	}
	return options.FieldManager
}

// withConversion returns a CRD with the spec.conversion of another. The rest stays byte for
// byte.
func withConversion(crd, from []byte) ([]byte, error) {
	theirs, found := member(from, "spec")
	if !found {
		return nil, errors.New("the old object has no spec")
	}
	conversion, found := member(from[theirs.Start:theirs.End], "conversion")
	if !found {
		return nil, errors.New("the old object has no spec.conversion")
	}
	conversion.Start, conversion.End = conversion.Start+theirs.Start, conversion.End+theirs.Start
	ours, found := member(crd, "spec")
	if !found {
		return nil, errors.New("the object has no spec")
	}
	value := from[conversion.Start:conversion.End]
	place, found := member(crd[ours.Start:ours.End], "conversion")
	if found {
		return slices.Concat(crd[:ours.Start+place.Start], value, crd[ours.Start+place.End:]), nil
	}
	comma := ""
	if len(manifest.Members(crd[ours.Start:ours.End])) > 0 {
		comma = ","
	}
	return slices.Concat(crd[:ours.Start+1], []byte(`"conversion":`), value, []byte(comma), crd[ours.Start+1:]), nil
}

// member finds a member of a JSON object.
func member(text []byte, name string) (manifest.Span, bool) {
	members := manifest.Members(text)
	i := slices.IndexFunc(members, func(m manifest.Span) bool { return m.Key == name })
	if i < 0 {
		return manifest.Span{}, false
	}
	return members[i], true
}
