package typed

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	runtimeschema "k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crosswalk-dev/crosswalk/conversion"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/caller"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/complement"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/object"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// Converter converts the objects of one kind by Go code. It does no I/O of its own. It is safe
// for concurrent use if the code is.
type Converter struct {
	name, group, kind, listKind, hub string
	versions                         []string
	fingerprint                      string
	scheme                           *runtime.Scheme
	codes                            map[string]*code
	plans                            map[string]*plan.Plan
	schemas                          map[string]*apiextensionsv1.JSONSchemaProps
	// hasStatus reports for each version whether its status is a subresource.
	hasStatus map[string]bool
	// maxSize is the largest size of an object that can be converted, in bytes.
	maxSize int
	logger  *slog.Logger
}

// New returns the converter of a CRD. The scheme must have a type for each of its versions. For
// every version without an option [Spoke], the type must be a conversion.Convertible of
// controller-runtime. The hub is the version whose type is a conversion.Hub, unless the option
// [Hub] names it.
//
// Revision identifies the code, for example by the version of the program. API servers cache
// the results of conversions until it changes.
func New(crd *apiextensionsv1.CustomResourceDefinition, scheme *runtime.Scheme, revision string, options ...Option) (*Converter, error) {
	c := &Converter{
		name: crd.Name, group: crd.Spec.Group, kind: crd.Spec.Names.Kind, listKind: crd.Spec.Names.ListKind, scheme: scheme,
		codes: map[string]*code{}, plans: map[string]*plan.Plan{}, logger: slog.New(slog.DiscardHandler), maxSize: conversion.MaxSize,
		schemas: map[string]*apiextensionsv1.JSONSchemaProps{}, hasStatus: map[string]bool{},
	}
	if c.listKind == "" {
		c.listKind = c.kind + "List" // as the API server fills it in
	}
	for _, v := range crd.Spec.Versions {
		c.versions = append(c.versions, v.Name)
		c.hasStatus[v.Name] = v.Subresources != nil && v.Subresources.Status != nil
		if v.Schema != nil {
			c.schemas[v.Name] = v.Schema.OpenAPIV3Schema
		}
	}
	if err := c.build(options); err != nil {
		return nil, fmt.Errorf("customresourcedefinition %s: %w", crd.Name, err)
	}
	text, err := json.Marshal([]any{revision, c.hub, crd.Spec.Versions})
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(text)
	c.fingerprint = hex.EncodeToString(sum[:8])
	hub := schema.New(c.schemas[c.hub], false)
	for _, version := range c.versions {
		if version != c.hub {
			c.plans[version] = plan.OfCode([2]string{version, c.hub}, [2]*schema.Schema{schema.New(c.schemas[version], false), hub}, c.fingerprint)
		}
	}
	return c, nil
}

func (c *Converter) build(options []Option) error {
	c.hub = c.findHub()
	var failed []error
	for _, o := range options {
		failed = append(failed, o(c))
	}
	if err := errors.Join(failed...); err != nil {
		return err
	}
	if c.hub == "" {
		return errors.New("no version has a type that is a conversion.Hub: give one the method Hub, or pass typed.Hub first")
	}
	for _, version := range c.versions {
		if version != c.hub && c.codes[version] == nil {
			failed = append(failed, c.convertible(version))
		}
	}
	return errors.Join(failed...)
}

// Hub names the version that all others are converted to and from. It must precede [Spoke].
func Hub(version string) Option {
	return func(c *Converter) error {
		if !slices.Contains(c.versions, version) {
			return fmt.Errorf("the CRD has no version %s, which is named as the hub; it has %s", version, strings.Join(c.versions, ", "))
		}
		c.hub = version
		return nil
	}
}

// Logger sets the log for conversions that the code fails on. Entries contain no values of
// objects. Without this option, nothing is logged.
func Logger(logger *slog.Logger) Option {
	return func(c *Converter) error { c.logger = logger; return nil }
}

// MaxSize sets the largest size of an object that can be converted, in bytes, from 1 to
// conversion.LargestMaxSize. The default is conversion.MaxSize. It limits the same calls as
// conversion.WithMaxSize.
func MaxSize(bytes int) Option {
	return func(c *Converter) error {
		if bytes < 1 || bytes > conversion.LargestMaxSize {
			return fmt.Errorf("typed.MaxSize(%d): want 1 to %d", bytes, conversion.LargestMaxSize)
		}
		c.maxSize = bytes
		return nil
	}
}

// Name returns the name of the CRD.
func (c *Converter) Name() string { return c.name }

// Group returns the API group.
func (c *Converter) Group() string { return c.group }

// Kind returns the kind.
func (c *Converter) Kind() string { return c.kind }

// ListKind returns the kind of lists.
func (c *Converter) ListKind() string { return c.listKind }

// Hub returns the version that all others are converted to and from.
func (c *Converter) Hub() string { return c.hub }

// Versions returns all versions of the CRD, in its order.
func (c *Converter) Versions() []string { return c.versions }

// Fingerprint returns an identifier in lower-case hexadecimal. It changes with the revision and
// the schemas.
func (c *Converter) Fingerprint() string { return c.fingerprint }

func (c *Converter) groupVersion(version string) runtimeschema.GroupVersion {
	return runtimeschema.GroupVersion{Group: c.group, Version: version}
}

// Convert converts object to version to, and appends the result to dst. It fails only if object
// is not a JSON object of a version of the CRD. Values that the code can't convert are kept.
// Errors are of type *conversion.Error.
func (c *Converter) Convert(dst, object []byte, to string) ([]byte, error) {
	return c.ConvertNoting(context.Background(), dst, object, to, nil)
}

// ConvertNoting is Convert, and also adds to notes what an operator should see. notes may be
// nil. If ctx is done, it fails as soon as the running code has returned. Errors are of type
// *conversion.Error, and unwrap to the cause.
func (c *Converter) ConvertNoting(ctx context.Context, dst, object []byte, to string, notes *conversion.Notes) ([]byte, error) {
	document, from, err := c.read(object, to, c.maxSize)
	if err != nil {
		return dst, err
	}
	if from == to {
		return appendJSON(dst, document), nil
	}
	out, err := c.convert(ctx, dst, object, from, to, notes)
	if err != nil {
		return dst, c.fail(document, from, to, err)
	}
	return out, nil
}

// through returns the versions that a conversion goes through, from the first to the last.
func (c *Converter) through(from, to string) []string {
	switch {
	case from == to:
		return nil
	case from == c.hub || to == c.hub:
		return []string{from, to}
	}
	return []string{from, c.hub, to}
}

// convert converts to another version, if needed through the hub.
func (c *Converter) convert(ctx context.Context, dst, text []byte, from, to string, notes *conversion.Notes) ([]byte, error) {
	through := c.through(from, to)
	var before complement.Leg
	for i := 1; i < len(through); i++ {
		var out []byte
		if i == len(through)-1 {
			out = dst
		}
		step, by := c.step(through[i-1], through[i])
		out, result, err := step.Convert(ctx, out, text, before)
		if err != nil {
			return dst, err
		}
		by.log()
		if notes != nil {
			notes.Residuals += result.Kept
			notes.IgnoredStashes += result.Ignored
			notes.LeftOut += result.LeftOut
			notes.Unplaced += result.Unplaced
		}
		before, text = complement.Leg{Step: step, Source: text}, out
	}
	return text, nil
}

// checkSize returns an error if an object is larger than limit bytes.
func checkSize(text []byte, limit int) error {
	return object.CheckSize(text, limit, "typed.MaxSize")
}

// read decodes an object for a conversion, and finds its version.
func (c *Converter) read(text []byte, to string, maxSize int) (document map[string]any, from string, err error) {
	if err := checkSize(text, maxSize); err != nil {
		e := c.fail(nil, "", to, err)
		e.Namespace, e.Name = object.Name(text[:min(len(text), object.LargestMaxSize)])
		return nil, "", e
	}
	var scan jsontext.Scanner
	scan.Reset(text)
	if _, err := scan.Document(); err != nil {
		return nil, "", c.fail(nil, "", to, err)
	}
	document, ok := decode(text).(map[string]any)
	if !ok {
		return nil, "", c.fail(nil, "", to, errors.New("the object is not a JSON object"))
	}
	if from, err = c.source(document, to); err != nil {
		return nil, "", c.fail(document, "", to, err)
	}
	return document, from, nil
}

// source returns the version of an object, or an error if the object can't be converted.
func (c *Converter) source(document map[string]any, to string) (string, error) {
	apiVersion, _ := document["apiVersion"].(string)
	kind, _ := document["kind"].(string)
	group, version, _ := strings.Cut(apiVersion, "/")
	switch {
	case kind != c.kind:
		return "", fmt.Errorf("its kind is %q, but the code is for %s", kind, c.kind)
	case group != c.group || !slices.Contains(c.versions, version):
		return "", fmt.Errorf("its apiVersion is %q, but the code has only %s of the group %s", apiVersion, strings.Join(c.versions, ", "), c.group)
	case !slices.Contains(c.versions, to):
		return "", fmt.Errorf("the requested version is %q, but the code has only %s", to, strings.Join(c.versions, ", "))
	}
	return version, nil
}

// fail adds the name of the object to an error.
func (c *Converter) fail(document map[string]any, from, to string, err error) *conversion.Error {
	e := &conversion.Error{Kind: c.kind, From: from, To: to, Offset: -1, Reason: err.Error()}
	metadata, _ := document["metadata"].(map[string]any)
	e.Namespace, _ = metadata["namespace"].(string)
	e.Name, _ = metadata["name"].(string)
	if syntax, ok := errors.AsType[*jsontext.SyntaxError](err); ok {
		e.Offset, e.Reason = syntax.Offset, syntax.Reason
	}
	if gone, ok := errors.AsType[*caller.GoneError](err); ok {
		e.Cause = gone.Cause
	}
	return e
}
