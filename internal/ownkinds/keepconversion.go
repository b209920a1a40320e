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
	// Has reports whether there is a Crosswalk of a name. An error says that it is
	// not known.
	Has(ctx context.Context, name string) (bool, error)
}

// KeepConversion says whose conversion is kept, and from whom.
type KeepConversion struct {
	// Service is the one that CRDs ask.
	Service cluster.Service
	// Armer is the field manager that may take the conversion away: crosswalk
	// manage. It is a declaration, and no protection: who may write a CRD can point
	// its conversion anywhere.
	Armer string
	// Crosswalks are those that there are. A CRD without one is left alone.
	Crosswalks Names
}

// Review implements [validation.Reviewer], for updates of CRDs: one that asked the
// Service for conversions goes on asking it where the write would leave it without
// any. An installer writes the CRD that it was made with, and means nothing by it;
// what is written until crosswalk manage has restored the conversion would be stored
// unconverted.
//
// A write that names another converter passes: it is meant.
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
		"spec.conversion is kept, because Crosswalk converts the objects; to take it away, delete crosswalk %s", old.Name)}
	return verdict, nil
}

// converterless reports whether a CRD has its objects converted by changing their
// apiVersion alone.
func converterless(crd *apiextensionsv1.CustomResourceDefinition) bool {
	c := crd.Spec.Conversion
	return c == nil || c.Strategy == "" || c.Strategy == apiextensionsv1.NoneConverter
}

// fieldManager is the one that a request names; empty where it names none.
func fieldManager(request *admissionv1.AdmissionRequest) string {
	var options struct {
		FieldManager string `json:"fieldManager"`
	}
	if json.Unmarshal(request.Options.Raw, &options) != nil {
		return ""
	}
	return options.FieldManager
}

// withConversion is one CRD with the spec.conversion of another. The rest stays byte
// for byte.
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
