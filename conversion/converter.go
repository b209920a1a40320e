package conversion

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/caller"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/complement"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/engine"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/object"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// Converter converts the objects of one kind. It is compiled once, is safe for concurrent use
// and does no I/O.
type Converter struct {
	name, group, kind string
	hub               string
	versions          []string
	fingerprint       string
	functions         map[string]string
	// retired has the reason for each version that the table retires.
	retired     map[string]string
	warnings    []Problem
	plans       map[string]*plan.Plan
	steps       map[string]*[2]complement.Step
	apiVersions map[string][]byte
	schemas     map[string]*apiextensionsv1.JSONSchemaProps
	// hasStatus reports whether a version's status is a subresource.
	hasStatus map[string]bool
	// maxSize is the largest size of an object, in bytes.
	maxSize int
}

// Name returns the name of the CRD, for example crontabs.stable.example.com.
func (c *Converter) Name() string { return c.name }

// Group returns the API group, for example stable.example.com.
func (c *Converter) Group() string { return c.group }

// Kind returns the kind, for example CronTab.
func (c *Converter) Kind() string { return c.kind }

// Hub returns the version that all others are mapped to.
func (c *Converter) Hub() string { return c.hub }

// Versions returns all versions of the CRD, in its order.
func (c *Converter) Versions() []string { return c.versions }

// Fingerprint identifies the table. It is the same in every process of a release with the same
// table and the same schemas. It is lower-case hexadecimal.
func (c *Converter) Fingerprint() string { return c.fingerprint }

// Warnings returns properties of the table that are allowed, but may be mistakes.
func (c *Converter) Warnings() []Problem { return c.warnings }

// Functions returns the Go functions that the table calls, with their revisions, or nil if it
// calls none.
func (c *Converter) Functions() map[string]string { return c.functions }

// Schema returns the schema of a version as in the CRD, or nil if it has none. It must not be
// changed.
func (c *Converter) Schema(version string) *apiextensionsv1.JSONSchemaProps {
	return c.schemas[version]
}

// Convert appends object, converted to version to, for example v1, to dst. It does not change
// the object, and the result shares no memory with it. Errors are of type *Error.
func (c *Converter) Convert(dst, object []byte, to string) ([]byte, error) {
	return c.ConvertNoting(context.Background(), dst, object, to, nil)
}

var intermediate = sync.Pool{New: func() any { return new([]byte) }}

// ConvertNoting is Convert, and adds to notes, which may be nil. Once ctx is done it fails
// within 100 ms, with an *Error that unwraps to the cause. It can't interrupt registered Go
// functions, nor the parsing of one string by a row of text.
func (c *Converter) ConvertNoting(ctx context.Context, dst, object []byte, to string, notes *Notes) ([]byte, error) {
	from, err := c.source(object, to, c.maxSize)
	if err != nil {
		return dst, err
	}
	out, err := c.convert(ctx, dst, object, from, to, notes)
	if err != nil {
		return dst, c.fail(object, from, to, err)
	}
	return out, nil
}

// convert is ConvertNoting for an object of a known version. Between two versions of which neither is the
// hub it converts by way of the hub.
func (c *Converter) convert(ctx context.Context, dst, object []byte, from, to string, notes *Notes) ([]byte, error) {
	switch {
	case from == to:
		return c.unchanged(dst, object)
	case from == c.hub || to == c.hub:
		return convertStep(ctx, dst, object, c.step(from, to), complement.Leg{}, notes)
	}
	buf := intermediate.Get().(*[]byte)
	defer intermediate.Put(buf)
	first := c.step(from, c.hub)
	var err error
	if *buf, err = convertStep(ctx, (*buf)[:0], object, first, complement.Leg{}, notes); err != nil {
		return dst, err
	}
	return convertStep(ctx, dst, *buf, c.step(c.hub, to), complement.Leg{Step: first, Source: object}, notes)
}

// convertStep converts between the hub and another version. before is the step that has made the object.
func convertStep(ctx context.Context, dst, object []byte, by *complement.Step, before complement.Leg, notes *Notes) ([]byte, error) {
	out, result, err := by.Convert(ctx, dst, object, before)
	if notes != nil && err == nil {
		notes.add(result)
	}
	return out, err
}

// step returns the step between two versions of which one is the hub.
func (c *Converter) step(from, to string) *complement.Step {
	if from == c.hub {
		return &c.steps[to][plan.Hub]
	}
	return &c.steps[from][plan.Spoke]
}

func (c *Converter) unchanged(dst, object []byte) ([]byte, error) {
	var scan jsontext.Scanner
	scan.Reset(object)
	span, err := scan.Document()
	if err != nil {
		return dst, err
	}
	return append(dst, span.Bytes(object)...), nil
}

// source returns the version of the object, or an error if it can't be converted.
func (c *Converter) source(object []byte, to string, maxSize int) (string, error) {
	if err := checkSize(object, maxSize); err != nil {
		return "", c.fail(object[:min(len(object), LargestMaxSize)], "", to, err)
	}
	apiVersion, kind, err := typeMeta(object)
	if err != nil {
		return "", c.fail(object, "", to, err)
	}
	group, version, _ := bytes.Cut(apiVersion, []byte{'/'})
	at := slices.IndexFunc(c.versions, func(v string) bool { return v == string(version) })
	why, isRetired := c.retired[string(version)]
	switch {
	case string(kind) != c.kind:
		err = fmt.Errorf("its kind is %q, but the table is for %s", kind, c.kind)
	case string(group) == c.group && at < 0 && isRetired:
		err = fmt.Errorf("its apiVersion is %q, and the table has retired this version, with the reason %q, so objects stored in it can't be read; give the version rows again, or correct its object", apiVersion, why)
	case string(group) != c.group || at < 0:
		err = fmt.Errorf("its apiVersion is %q, but the table has only %s of the group %s", apiVersion, strings.Join(c.versions, ", "), c.group)
	case c.apiVersions[to] == nil:
		err = fmt.Errorf("the requested version is %q, but the table has only %s", to, strings.Join(c.versions, ", "))
	default:
		return c.versions[at], nil
	}
	return "", c.fail(object, "", to, err)
}

// typeMeta returns apiVersion and kind.
func typeMeta(object []byte) (apiVersion, kind []byte, err error) {
	scan := scanners.Get().(*jsontext.Scanner)
	defer scanners.Put(scan)
	scan.Reset(object)
	defer scan.Reset(nil)
	pos := scan.Space(0)
	if pos >= len(object) || object[pos] != '{' {
		return nil, nil, &engine.ShapeError{Offset: pos, Reason: "the object is not a JSON object"}
	}
	return scan.TypeMeta(pos)
}

var scanners = sync.Pool{New: func() any { return new(jsontext.Scanner) }}

// fail returns the Error for an object that could not be converted.
func (c *Converter) fail(text []byte, from, to string, err error) *Error {
	e := &Error{Kind: c.kind, From: from, To: to, Offset: -1, Reason: err.Error()}
	e.Namespace, e.Name = object.Name(text)
	var syntax *jsontext.SyntaxError
	var shape *engine.ShapeError
	var gone *caller.GoneError
	switch {
	case errors.As(err, &syntax):
		e.Offset, e.Reason = syntax.Offset, syntax.Reason
	case errors.As(err, &shape):
		e.Offset, e.Reason = shape.Offset, shape.Reason
	case errors.As(err, &gone):
		e.Cause = gone.Cause
		return e
	default:
		return e
	}
	e.Pointer = jsontext.Pointer(text, e.Offset)
	return e
}
