package aggregated

import (
	"context"
	"fmt"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/registry/rest"

	conversionv1alpha1 "github.com/crosswalk-dev/crosswalk/api/conversion/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion"
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
	"github.com/crosswalk-dev/crosswalk/webhook"
)

// conversions is the resource of that name. All that can be done with one is to create
// it, which answers it.
type conversions struct{ tables *webhook.Tables }

// It is what the library looks for.
var (
	_ rest.Creater              = conversions{}
	_ rest.Scoper               = conversions{}
	_ rest.SingularNameProvider = conversions{}
)

// New returns what a request is decoded into.
func (conversions) New() runtime.Object { return &conversionv1alpha1.Conversion{} }

// Destroy has nothing to let go.
func (conversions) Destroy() {}

// NamespaceScoped reports that a conversion is in no namespace, as an object in another
// version is none of the cluster's.
func (conversions) NamespaceScoped() bool { return false }

// GetSingularName is the name of one.
func (conversions) GetSingularName() string { return "conversion" }

// Create answers a conversion.
func (c conversions) Create(ctx context.Context, object runtime.Object, validate rest.ValidateObjectFunc, _ *metav1.CreateOptions) (runtime.Object, error) {
	asked, ok := object.(*conversionv1alpha1.Conversion)
	if !ok {
		return nil, apierrors.NewBadRequest(fmt.Sprintf("got %T, want a Conversion", object))
	}
	if validate != nil {
		if err := validate(ctx, object); err != nil {
			return nil, err
		}
	}
	answer := &conversionv1alpha1.Conversion{ObjectMeta: asked.ObjectMeta, Spec: asked.Spec}
	answer.ManagedFields = nil // of what is not stored nobody manages a field
	converter, problem, err := c.find(asked.Spec)
	if err == nil && problem == nil {
		answer.Status.Object.Raw, problem, err = convert(ctx, converter, asked.Spec)
	}
	switch {
	case err != nil:
		return nil, err
	case problem != nil:
		kind := schema.GroupKind{Group: conversionv1alpha1.GroupName, Kind: conversionv1alpha1.KindConversion}
		return nil, apierrors.NewInvalid(kind, asked.Name, field.ErrorList{problem})
	}
	return answer, nil
}

// find returns the converter for a question, or what is wrong with the question.
func (c conversions) find(spec conversionv1alpha1.ConversionSpec) (webhook.Converter, *field.Error, error) {
	if err := c.tables.Check(); err != nil {
		return nil, nil, apierrors.NewServiceUnavailable(err.Error())
	}
	if len(spec.Object.Raw) == 0 {
		return nil, field.Required(inObject(), "the object to convert, whole, with apiVersion and kind"), nil
	}
	scan := jsontext.Scanner{}
	scan.Reset(spec.Object.Raw)
	apiVersion, kind, err := scan.TypeMeta(scan.Space(0))
	if err != nil {
		return nil, refused(inObject(), err.Error()), nil
	}
	group, _, _ := strings.Cut(string(apiVersion), "/")
	converter := c.tables.Converter(group, string(kind))
	switch {
	case len(kind) == 0:
		return nil, field.Required(inObject().Child("kind"), ""), nil
	case len(apiVersion) == 0:
		return nil, field.Required(inObject().Child("apiVersion"), ""), nil
	case converter == nil:
		return nil, refused(inObject().Child("kind"), fmt.Sprintf("there is no table for kind %.64s of group %.253s; kubectl get crosswalks lists those that there are", kind, group)), nil
	case !slices.Contains(converter.Versions(), spec.Version):
		return nil, field.NotSupported(field.NewPath("spec", "version"), spec.Version, converter.Versions()), nil
	}
	return converter, nil, nil
}

func inObject() *field.Path { return field.NewPath("spec", "object") }

// refused does not repeat the value, which may be a whole object.
func refused(at *field.Path, why string) *field.Error {
	return field.Invalid(at, field.OmitValueType{}, why)
}

// convert returns the object that a question is about in the version that it names.
func convert(ctx context.Context, converter webhook.Converter, spec conversionv1alpha1.ConversionSpec) ([]byte, *field.Error, error) {
	converted, err := converter.ConvertNoting(ctx, nil, spec.Object.Raw, spec.Version, new(conversion.Notes))
	switch {
	case ctx.Err() != nil:
		return nil, nil, apierrors.NewTimeoutError("the conversion has taken too long", 0)
	case err != nil:
		return nil, refused(inObject(), err.Error()), nil
	}
	return converted, nil, nil
}
