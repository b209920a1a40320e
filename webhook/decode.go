package webhook

import "github.com/crosswalk-dev/crosswalk/internal/jsontext"

// decoder finds a review in a body and decodes almost none of it. As in the API server's own
// decoder, members may come in any order, and unknown members are ignored.
type decoder struct {
	scanner  jsontext.Scanner
	scratch  []byte
	envelope envelope
	place    place
	thorough bool
}

// decode finds rev in body. It fails with an *httpError unless body is I-JSON and a review of a
// known version, with a uid and a desired version.
//
// It skims the values inside the objects, because their converters validate them: once every
// object has been converted, every byte of body has been validated exactly once. If an object
// has not been converted, call validate.
func (d *decoder) decode(body []byte, rev *review) error {
	d.thorough = false
	return d.run(body, rev)
}

// validate validates every byte of body, and explains in an *httpError what is wrong. Positions
// within body stay valid.
func (d *decoder) validate(body []byte) error {
	d.thorough = true
	return d.run(body, new(review))
}

func (d *decoder) run(body []byte, rev *review) error {
	*rev = review{objects: rev.objects[:0]}
	d.envelope = envelope{}
	d.place = place{object: -1}
	d.scanner.Reset(body)
	if err := d.document(rev); err != nil {
		return malformed("the body is not valid JSON: " + d.place.String() + err.Error())
	}
	return d.envelope.check(body, rev)
}

// document walks the body.
func (d *decoder) document(rev *review) error {
	s := &d.scanner
	pos := s.Space(0)
	if pos == len(s.Src) {
		return nil // check reports that the body is empty
	}
	if s.Src[pos] != '{' {
		_, err := s.Document()
		d.envelope.body = jsontext.Span{Start: int32(pos), End: int32(pos + 1)}
		return err
	}
	o := s.Object(pos)
	for {
		name, more, err := o.Next()
		if err != nil {
			return err
		}
		if !more {
			d.envelope.body = jsontext.Span{Start: int32(pos), End: int32(o.End)}
			return s.Trailing(o.End)
		}
		switch string(d.name(name)) {
		case "kind":
			o.End, err = d.value(&d.envelope.kind, o.Value, 1)
		case "apiVersion":
			o.End, err = d.value(&d.envelope.apiVersion, o.Value, 1)
		case "request":
			o.End, err = d.request(rev, o.Value)
		default:
			o.End, err = s.Value(o.Value, 1)
		}
		if err != nil {
			return err
		}
	}
}

// request walks the member request, if it is an object.
func (d *decoder) request(rev *review, pos int) (int, error) {
	s := &d.scanner
	if !d.opens(pos, '{') {
		return d.value(&d.envelope.request, pos, 1)
	}
	o := s.Object(pos)
	for {
		name, more, err := o.Next()
		if err != nil {
			return pos, err
		}
		if !more {
			d.envelope.request = jsontext.Span{Start: int32(pos), End: int32(o.End)}
			return o.End, nil
		}
		switch string(d.name(name)) {
		case "uid":
			o.End, err = d.value(&d.envelope.uid, o.Value, 2)
		case "desiredAPIVersion":
			o.End, err = d.value(&d.envelope.desired, o.Value, 2)
		case "objects":
			o.End, err = d.objects(rev, o.Value)
		default:
			o.End, err = s.Value(o.Value, 2)
		}
		if err != nil {
			return pos, err
		}
	}
}

// objects walks the member objects, if it is an array, up to the first entry that cannot be
// converted.
func (d *decoder) objects(rev *review, pos int) (int, error) {
	if !d.opens(pos, '[') {
		return d.value(&d.envelope.objects, pos, 2)
	}
	a := d.scanner.Array(pos)
	broken := false
	for {
		more, err := a.Next()
		if err != nil {
			return pos, err
		}
		if !more {
			d.place.object = -1
			d.envelope.objects = jsontext.Span{Start: int32(pos), End: int32(a.End)}
			return a.End, nil
		}
		d.place.object++
		var e element
		if a.End, err = d.element(&e, a.Value); err != nil {
			return pos, err
		}
		// One object without a kind fails the whole review, so the entries after it are not
		// noted. A hostile body of a hundred million entries of two bytes would otherwise take
		// twenty times its size.
		if !broken {
			rev.objects = append(rev.objects, e)
			broken = e.problem(d.scanner.Src) != ""
		}
	}
}

// element walks the first level of one object to find its kind and version.
func (d *decoder) element(e *element, pos int) (int, error) {
	s := &d.scanner
	if !d.opens(pos, '{') {
		return d.value(&e.span, pos, 3)
	}
	e.isObject = true
	o := s.Object(pos)
	for {
		name, more, err := o.Next()
		if err != nil {
			return pos, err
		}
		if !more {
			e.span = jsontext.Span{Start: int32(pos), End: int32(o.End)}
			return o.End, nil
		}
		switch string(d.name(name)) {
		case "kind":
			o.End, err = d.value(&e.kind, o.Value, 4)
		case "apiVersion":
			o.End, err = d.value(&e.apiVersion, o.Value, 4)
		default:
			o.End, err = d.inside(o.Value)
		}
		if err != nil {
			return pos, err
		}
	}
}

// inside finds the end of a value inside an object.
func (d *decoder) inside(pos int) (int, error) {
	if !d.thorough {
		if end, err := d.scanner.Skim(pos); err == nil {
			return end, nil
		}
		// The value has no end. The validation of the object reports the exact place.
	}
	return d.scanner.Value(pos, 4)
}

// value validates the value at pos and keeps its span.
func (d *decoder) value(span *jsontext.Span, pos, depth int) (int, error) {
	end, err := d.scanner.Value(pos, depth)
	if err == nil {
		*span = jsontext.Span{Start: int32(pos), End: int32(end)}
	}
	return end, err
}

func (d *decoder) opens(pos int, bracket byte) bool {
	return pos < len(d.scanner.Src) && d.scanner.Src[pos] == bracket
}

// name returns a member's name. It is valid until the next call.
func (d *decoder) name(name jsontext.Name) []byte {
	if !name.Escaped {
		return name.Bytes(d.scanner.Src)
	}
	d.scratch = jsontext.Unquote(d.scratch[:0], name.Bytes(d.scanner.Src))
	return d.scratch
}
