package expression

import (
	"encoding/base64"
	"strconv"
	"time"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"k8s.io/kube-openapi/pkg/validation/strfmt"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// decode returns a value for expressions, given as valid JSON in canonical form. It adds the
// defaults that the canonical form leaves out. A value that does not have its format is an error
// for expressions that read it.
func decode(text []byte, s *schema.Schema) ref.Val {
	d := decoder{}
	d.scan.Reset(text)
	value, _ := d.value(d.scan.Space(0), s)
	return value
}

type decoder struct{ scan jsontext.Scanner }

func (d *decoder) value(pos int, s *schema.Schema) (ref.Val, int) {
	if s == nil {
		s = schema.Any()
	}
	switch d.scan.Src[pos] {
	case '{':
		return d.object(pos, s)
	case '[':
		return d.list(pos, s)
	}
	end, err := d.scan.Value(pos, 0)
	if err != nil {
		return types.WrapErr(err), end // only values that were read before get here
	}
	return scalar(d.scan.Src[pos:end], s), end
}

func (d *decoder) list(pos int, s *schema.Schema) (ref.Val, int) {
	a := d.scan.Array(pos)
	elements := []ref.Val{}
	for {
		ok, err := a.Next()
		if err != nil || !ok {
			break
		}
		var element ref.Val
		element, a.End = d.value(a.Value, s.Items)
		elements = append(elements, element)
	}
	return types.NewRefValList(types.DefaultTypeAdapter, elements), a.End
}

func (d *decoder) object(pos int, s *schema.Schema) (ref.Val, int) {
	o := d.scan.Object(pos)
	members := map[string]ref.Val{}
	var nulls map[string]bool
	for {
		name, ok, err := o.Next()
		if err != nil || !ok {
			break
		}
		text := name.Bytes(d.scan.Src)
		if name.Escaped {
			text = jsontext.Unquote(nil, text)
		}
		var member ref.Val
		member, o.End = d.value(o.Value, s.Member(string(text)))
		if member == types.NullValue && s.Members != nil {
			// A field that is null is treated as absent, as in validation rules.
			if nulls == nil {
				nulls = map[string]bool{}
			}
			nulls[string(text)] = true
			continue
		}
		members[string(text)] = member
	}
	for name, m := range s.Members {
		if m.Default != nil && members[name] == nil && !nulls[name] {
			members[name] = decode(m.Default, m)
		}
	}
	return newRecord(members, s.Members != nil), o.End
}

func scalar(text []byte, s *schema.Schema) ref.Val {
	switch text[0] {
	case 'n':
		return types.NullValue
	case 't', 'f':
		return types.Bool(text[0] == 't')
	case '"':
		return parseFormat(string(jsontext.Unquote(nil, text[1:len(text)-1])), s)
	}
	if s.Type != "number" {
		if n, err := strconv.ParseInt(string(text), 10, 64); err == nil {
			return types.Int(n)
		}
	}
	n, err := strconv.ParseFloat(string(text), 64)
	if err != nil {
		return types.NewErr("the number %s is too large", text)
	}
	return types.Double(n)
}

// parseFormat returns a string as validation rules read it (k8s.io/apiserver/pkg/cel/common,
// UnstructuredToVal).
func parseFormat(text string, s *schema.Schema) ref.Val {
	if s.Type != "string" {
		return types.String(text)
	}
	switch s.Format {
	case "duration":
		d, err := strfmt.ParseDuration(text)
		if err != nil {
			return types.NewErr("%q is not a duration", text)
		}
		return types.Duration{Duration: d}
	case "date":
		t, err := time.Parse(strfmt.RFC3339FullDate, text)
		if err != nil {
			return types.NewErr("%q is not a date", text)
		}
		return types.Timestamp{Time: t}
	case "date-time":
		t, err := strfmt.ParseDateTime(text)
		if err != nil {
			return types.NewErr("%q is not a time", text)
		}
		return types.Timestamp{Time: time.Time(t)}
	case "byte":
		raw, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			return types.NewErr("%q is not base64", text)
		}
		return types.Bytes(raw)
	}
	return types.String(text)
}
