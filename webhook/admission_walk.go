package webhook

import (
	"strconv"

	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// object walks the members of the object at pos, and keeps its span if span is not nil. member
// returns the end of the member's value. If the value is not an object, it is skipped, and
// noted as an error if place is not empty.
func (d *admissionDecoder) object(pos, depth int, span *jsontext.Span, place string, member func(name []byte, pos int) (int, error)) (int, error) {
	if !d.opens(pos, '{') {
		if span != nil {
			return d.value(span, pos, depth)
		}
		return d.wrong(pos, depth, place, "an object")
	}
	o := d.scanner.Object(pos)
	for {
		name, more, err := o.Next()
		if err != nil {
			return pos, err
		}
		if !more {
			if span != nil {
				*span = jsontext.Span{Start: int32(pos), End: int32(o.End)}
			}
			return o.End, nil
		}
		if o.End, err = member(d.name(name), o.Value); err != nil {
			return pos, err
		}
	}
}

// text notes the string at pos as the new value of target.
func (d *admissionDecoder) text(target *string, pos, depth int, place string) (int, error) {
	if !d.opens(pos, '"') {
		return d.wrong(pos, depth, place, "a string")
	}
	end, escaped, err := d.scanner.String(pos)
	if err == nil {
		d.strings = append(d.strings, foundString{target, inside(pos, end, escaped)})
	}
	return end, err
}

// texts adds the strings of the array at pos to found.
func (d *admissionDecoder) texts(found *[]jsontext.Name, pos, depth int, place string) (int, error) {
	if !d.opens(pos, '[') {
		return d.wrong(pos, depth, place, "an array")
	}
	a := d.scanner.Array(pos)
	for {
		more, err := a.Next()
		if err != nil || !more {
			return a.End, err
		}
		var name jsontext.Name // null becomes an empty string
		if d.opens(a.Value, '"') {
			var escaped bool
			if a.End, escaped, err = d.scanner.String(a.Value); err != nil {
				return pos, err
			}
			name = inside(a.Value, a.End, escaped)
		} else if a.End, err = d.wrong(a.Value, depth+1, place+"["+strconv.Itoa(len(*found))+"]", "a string"); err != nil {
			return pos, err
		}
		*found = append(*found, name)
	}
}

// inside returns the string from pos to end without its quotes.
func inside(pos, end int, escaped bool) jsontext.Name {
	return jsontext.Name{Span: jsontext.Span{Start: int32(pos + 1), End: int32(end - 1)}, Escaped: escaped}
}

// wrong skips a value. Unless the value is null, wrong notes that another kind of value was
// expected.
func (d *admissionDecoder) wrong(pos, depth int, place, want string) (int, error) {
	end, err := d.scanner.Value(pos, depth)
	if err == nil && d.envelope.problem == "" && !d.opens(pos, 'n') {
		d.envelope.problem = place + " is " + describe(d.scanner.Src[pos:end]) + " instead of " + want
	}
	return end, err
}

// value validates the value at pos and keeps its span.
func (d *admissionDecoder) value(span *jsontext.Span, pos, depth int) (int, error) {
	end, err := d.scanner.Value(pos, depth)
	if err == nil {
		*span = jsontext.Span{Start: int32(pos), End: int32(end)}
	}
	return end, err
}

func (d *admissionDecoder) opens(pos int, first byte) bool {
	return pos < len(d.scanner.Src) && d.scanner.Src[pos] == first
}

// name returns the characters of a name. They are valid until the next call.
func (d *admissionDecoder) name(name jsontext.Name) []byte {
	if !name.Escaped {
		return name.Bytes(d.scanner.Src)
	}
	d.scratch = jsontext.Unquote(d.scratch[:0], name.Bytes(d.scanner.Src))
	return d.scratch
}
