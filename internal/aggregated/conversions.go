package aggregated

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	goruntime "runtime"
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

// conversions is the resource of that name. It supports only create, whose response is the
// answer.
type conversions struct {
	tables  *webhook.Tables
	memory  *webhook.Memory
	metrics *webhook.Metrics
	log     *slog.Logger
	// turns limits the conversions at once to the number of processors minus one, because the
	// API server's requests to the webhook come first.
	turns chan struct{}
}

func newConversions(o Options) *conversions {
	return &conversions{
		tables: o.Tables, memory: o.Memory, metrics: o.Metrics, log: o.Logger,
		turns: make(chan struct{}, max(goruntime.GOMAXPROCS(0)-1, 1)),
	}
}

// The library uses these interfaces.
var (
	_ rest.Creater              = (*conversions)(nil)
	_ rest.Scoper               = (*conversions)(nil)
	_ rest.SingularNameProvider = (*conversions)(nil)
)

// New returns the object into which a request is decoded.
func (*conversions) New() runtime.Object { return &question{} }

// Destroy does nothing, because there is nothing to release.
func (*conversions) Destroy() {}

// NamespaceScoped reports that a conversion has no namespace.
func (*conversions) NamespaceScoped() bool { return false }

// GetSingularName returns the singular of the resource.
func (*conversions) GetSingularName() string { return "conversion" }

// Create answers a Conversion.
func (c *conversions) Create(ctx context.Context, object runtime.Object, validate rest.ValidateObjectFunc, _ *metav1.CreateOptions) (runtime.Object, error) {
	q, ok := object.(*question)
	if !ok {
		return nil, apierrors.NewBadRequest(fmt.Sprintf("got %T instead of a Conversion", object))
	}
	if validate != nil {
		if err := validate(ctx, object); err != nil {
			return nil, err
		}
	}
	status, problem, err := c.answer(ctx, q.asked.Spec)
	switch {
	case err != nil:
		return nil, err
	case problem != nil:
		kind := schema.GroupKind{Group: conversionv1alpha1.GroupName, Kind: conversionv1alpha1.KindConversion}
		return nil, apierrors.NewInvalid(kind, q.asked.Name, field.ErrorList{problem})
	}
	return &question{asked: conversionv1alpha1.Conversion{ObjectMeta: q.asked.ObjectMeta, Spec: q.asked.Spec, Status: *status}}, nil
}

// answer converts, or returns what is wrong with the request.
func (c *conversions) answer(ctx context.Context, spec conversionv1alpha1.ConversionSpec) (status *conversionv1alpha1.ConversionStatus, problem *field.Error, err error) {
	converter, problem, err := c.find(spec)
	if problem != nil || err != nil {
		return nil, problem, err
	}
	leave, err := c.enter(ctx, spec)
	if err != nil {
		return nil, nil, err
	}
	defer leave()
	defer func() {
		if p := recover(); p != nil {
			c.metrics.Panicked(ctx, c.log, p)
			err = apierrors.NewInternalError(errors.New("the converter panicked; Crosswalk's log has the details"))
		}
	}()
	var failed error
	status = new(conversionv1alpha1.ConversionStatus)
	if spec.Explain {
		status.Object.Raw, status.Steps, failed = explain(ctx, converter, spec)
	} else {
		status.Object.Raw, failed = converter.ConvertNoting(ctx, nil, spec.Object.Raw, spec.Version, new(conversion.Notes))
	}
	switch {
	case ctx.Err() != nil:
		return nil, nil, apierrors.NewTimeoutError("the conversion took too long", 0)
	case failed != nil:
		return nil, refused(inObject(), failed.Error()), nil
	}
	return status, nil, nil
}

// The memory of a request: for each byte of its object the same as in package webhook; an
// explanation has at most 8 MiB of text, in three forms.
const (
	workPerByte = 16
	explanation = 24 << 20
)

// enter waits for a turn, and reserves memory for a request.
func (c *conversions) enter(ctx context.Context, spec conversionv1alpha1.ConversionSpec) (leave func(), err error) {
	need := int64(workPerByte * len(spec.Object.Raw))
	if spec.Explain {
		need += explanation
	}
	select {
	case c.turns <- struct{}{}:
	case <-ctx.Done():
		return nil, apierrors.NewTimeoutError("too many other conversions are waiting; try again in a second", 1)
	}
	release, err := c.memory.Hold(need)
	if err != nil {
		<-c.turns
		return nil, err
	}
	return func() { release(); <-c.turns }, nil
}

// find returns the converter for a request, or what is wrong with the request.
func (c *conversions) find(spec conversionv1alpha1.ConversionSpec) (webhook.Converter, *field.Error, error) {
	if err := c.tables.Check(); err != nil {
		return nil, nil, apierrors.NewServiceUnavailable(err.Error())
	}
	if len(spec.Object.Raw) == 0 {
		return nil, field.Required(inObject(), "the complete object to convert, with apiVersion and kind"), nil
	}
	scan := jsontext.Scanner{}
	scan.Reset(spec.Object.Raw)
	apiVersion, kind, err := scan.TypeMeta(scan.Space(0))
	if err != nil {
		return nil, refused(inObject(), err.Error()), nil
	}
	group, _, named := strings.Cut(string(apiVersion), "/")
	if !named {
		group = "" // the group of v1
	}
	converter := c.tables.Converter(group, string(kind))
	switch {
	case len(kind) == 0:
		return nil, field.Required(inObject().Child("kind"), ""), nil
	case len(apiVersion) == 0:
		return nil, field.Required(inObject().Child("apiVersion"), ""), nil
	case converter == nil:
		return nil, refused(inObject().Child("kind"), fmt.Sprintf(`there is no table for the kind %.64s of the group %.253q; "kubectl get crosswalks" lists all tables`, kind, group)), nil
	case spec.Version == "":
		return nil, field.Required(field.NewPath("spec", "version"), "one of "+strings.Join(converter.Versions(), ", ")), nil
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
