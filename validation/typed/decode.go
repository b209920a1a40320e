package typed

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	kjson "sigs.k8s.io/json"

	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
	"github.com/crosswalk-dev/crosswalk/validation"
)

// decoded is a decoded object.
type decoded struct {
	object runtime.Object
	// unknown are the fields that the type does not have.
	unknown []string
	// problem is why the object does not fit the type. The object is then nil.
	problem *validation.Cause
}

// decode reads an object strictly, as the API server does: names are case-sensitive, and
// integers exact.
func (r *Registry) decode(kind schema.GroupVersionKind, raw []byte) (*decoded, error) {
	object, err := r.scheme.New(kind)
	if err != nil {
		return nil, err // the kind was known when its handlers were added
	}
	strict, err := kjson.UnmarshalStrict(raw, object)
	if err != nil {
		return &decoded{problem: problemOf(kind, raw, err)}, nil
	}
	d := &decoded{object: object}
	for _, wrong := range strict {
		// The API server sends no duplicate members.
		if field := (kjson.FieldError)(nil); errors.As(wrong, &field) {
			d.unknown = append(d.unknown, field.FieldPath())
		}
	}
	return d, nil
}

// problemOf explains what a writer must correct so that the object fits the type.
func problemOf(kind schema.GroupVersionKind, raw []byte, err error) *validation.Cause {
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) {
		is, _, _ := strings.Cut(wrong.Value, " ") // a number comes with its digits
		return &validation.Cause{
			Field:   fieldOf(jsontext.Pointer(raw, int(wrong.Offset)-1)),
			Type:    metav1.CauseTypeTypeInvalid,
			Message: fmt.Sprintf("Invalid value: it is of the type %s instead of %s", is, describe(wrong.Type)),
		}
	}
	message := err.Error()
	if secret(kind) {
		message = "Invalid value: it cannot be read"
	}
	return &validation.Cause{Type: metav1.CauseTypeTypeInvalid, Message: message}
}

// describe names a Go type in the terms of JSON.
func describe(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Bool:
		return "boolean"
	case reflect.String:
		return "string"
	case reflect.Float32, reflect.Float64:
		return "number"
	case reflect.Slice, reflect.Array:
		return "array"
	case reflect.Struct, reflect.Map:
		return "object"
	case reflect.Pointer:
		return describe(t.Elem())
	}
	if t.Kind() >= reflect.Int && t.Kind() <= reflect.Uint64 {
		return "integer"
	}
	return t.String()
}

// fieldOf writes a JSON pointer as a field path: /spec/jobs/0 as spec.jobs[0].
func fieldOf(pointer string) string {
	var b strings.Builder
	unescape := strings.NewReplacer("~1", "/", "~0", "~")
	for _, token := range strings.Split(pointer, "/")[1:] {
		token = unescape.Replace(token)
		_, err := strconv.Atoi(token)
		switch {
		case err == nil || strings.ContainsAny(token, "./[]"):
			b.WriteString("[" + token + "]")
		case b.Len() > 0:
			b.WriteString("." + token)
		default:
			b.WriteString(token)
		}
	}
	return b.String()
}

// secret reports whether no value of a kind may be shown in a message.
func secret(kind schema.GroupVersionKind) bool {
	return kind.Group == "" && kind.Kind == "Secret"
}
