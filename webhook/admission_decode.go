package webhook

import (
	"fmt"

	authenticationv1 "k8s.io/api/authentication/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// admissionDecoder decodes a review from a body, except for the objects, whose bytes it hands
// on. It validates every byte once. As in the API server's own decoder, members may come in any
// order, unknown members are ignored, and null is the same as a missing member.
type admissionDecoder struct {
	scanner  jsontext.Scanner
	scratch  []byte
	envelope admissionEnvelope
	// where names the object that the decoder is in, for messages.
	where string
	// strings are the strings that have been found, and groups the user's groups. One
	// allocation at the end makes all of them.
	strings []foundString
	groups  []jsontext.Name
	values  []jsontext.Name // of one key of the user's extra
}

// foundString is a string to set once all strings are known.
type foundString struct {
	target *string
	jsontext.Name
}

// decode decodes rev from body. It fails with an *httpError unless body is I-JSON and a review
// of a known version with everything that its operation needs.
func (d *admissionDecoder) decode(body []byte, rev *admissionReview) error {
	*rev = admissionReview{}
	d.envelope = admissionEnvelope{}
	d.where = ""
	d.strings, d.groups = d.strings[:0], d.groups[:0]
	d.scanner.Reset(body)
	request := new(admissionRequest)
	if err := d.document(request); err != nil {
		if d.where != "" {
			err = fmt.Errorf("in %s: %w", d.where, err)
		}
		return malformed("the body is not valid JSON: " + err.Error())
	}
	if err := d.envelope.check(body, rev); err != nil {
		return err
	}
	d.finish(request)
	rev.request = &request.AdmissionRequest
	return checkObjects(rev.request)
}

func (d *admissionDecoder) document(request *admissionRequest) error {
	s := &d.scanner
	pos := s.Space(0)
	if pos == len(s.Src) {
		return nil // check reports that the body is empty
	}
	e := &d.envelope
	end, err := d.object(pos, 0, &e.body, "", func(name []byte, pos int) (int, error) {
		switch string(name) {
		case "kind":
			return d.value(&e.kind, pos, 1)
		case "apiVersion":
			return d.value(&e.apiVersion, pos, 1)
		case "request":
			return d.request(request, pos)
		}
		return s.Value(pos, 1)
	})
	if err != nil {
		return err
	}
	return s.Trailing(end)
}

func (d *admissionDecoder) request(r *admissionRequest, pos int) (int, error) {
	return d.object(pos, 1, &d.envelope.request, "", func(name []byte, pos int) (int, error) {
		switch string(name) {
		case "uid":
			end, err := d.text((*string)(&r.UID), pos, 2, "request.uid")
			d.envelope.uid = jsontext.Span{Start: int32(pos), End: int32(end)}
			return end, err
		case "kind":
			return d.kind(&r.Kind, pos, "request.kind")
		case "resource":
			return d.resource(&r.Resource, pos, "request.resource")
		case "subResource":
			return d.text(&r.SubResource, pos, 2, "request.subResource")
		case "requestKind":
			if !d.opens(pos, 'n') {
				r.RequestKind = &r.requestKind
			}
			return d.kind(&r.requestKind, pos, "request.requestKind")
		case "requestResource":
			if !d.opens(pos, 'n') {
				r.RequestResource = &r.requestResource
			}
			return d.resource(&r.requestResource, pos, "request.requestResource")
		case "requestSubResource":
			return d.text(&r.RequestSubResource, pos, 2, "request.requestSubResource")
		case "name":
			return d.text(&r.Name, pos, 2, "request.name")
		case "namespace":
			return d.text(&r.Namespace, pos, 2, "request.namespace")
		case "operation":
			return d.text((*string)(&r.Operation), pos, 2, "request.operation")
		case "userInfo":
			return d.user(&r.UserInfo, pos)
		case "object":
			return d.raw(&r.Object, pos, "request.object")
		case "oldObject":
			return d.raw(&r.OldObject, pos, "request.oldObject")
		case "options":
			return d.raw(&r.Options, pos, "request.options")
		case "dryRun":
			return d.dryRun(r, pos)
		}
		return d.scanner.Value(pos, 2)
	})
}

func (d *admissionDecoder) kind(kind *metav1.GroupVersionKind, pos int, place string) (int, error) {
	return d.object(pos, 2, nil, place, func(name []byte, pos int) (int, error) {
		switch string(name) {
		case "group":
			return d.textIn(&kind.Group, pos, place, ".group")
		case "version":
			return d.textIn(&kind.Version, pos, place, ".version")
		case "kind":
			return d.textIn(&kind.Kind, pos, place, ".kind")
		}
		return d.scanner.Value(pos, 3)
	})
}

func (d *admissionDecoder) resource(resource *metav1.GroupVersionResource, pos int, place string) (int, error) {
	return d.object(pos, 2, nil, place, func(name []byte, pos int) (int, error) {
		switch string(name) {
		case "group":
			return d.textIn(&resource.Group, pos, place, ".group")
		case "version":
			return d.textIn(&resource.Version, pos, place, ".version")
		case "resource":
			return d.textIn(&resource.Resource, pos, place, ".resource")
		}
		return d.scanner.Value(pos, 3)
	})
}

// textIn sets a string that is a member of a member of request.
func (d *admissionDecoder) textIn(target *string, pos int, place, member string) (int, error) {
	if !d.opens(pos, '"') {
		place += member
	}
	return d.text(target, pos, 3, place)
}

func (d *admissionDecoder) user(user *authenticationv1.UserInfo, pos int) (int, error) {
	return d.object(pos, 2, nil, "request.userInfo", func(name []byte, pos int) (int, error) {
		switch string(name) {
		case "username":
			return d.text(&user.Username, pos, 3, "request.userInfo.username")
		case "uid":
			return d.text(&user.UID, pos, 3, "request.userInfo.uid")
		case "groups":
			if d.opens(pos, '[') {
				user.Groups = []string{} // the strings follow in finish
			}
			return d.texts(&d.groups, pos, 3, "request.userInfo.groups")
		case "extra":
			return d.extra(user, pos)
		}
		return d.scanner.Value(pos, 3)
	})
}

func (d *admissionDecoder) extra(user *authenticationv1.UserInfo, pos int) (int, error) {
	if d.opens(pos, '{') {
		user.Extra = map[string]authenticationv1.ExtraValue{}
	}
	return d.object(pos, 3, nil, "request.userInfo.extra", func(name []byte, pos int) (int, error) {
		key := string(name)
		user.Extra[key] = nil
		d.values = d.values[:0]
		end, err := d.texts(&d.values, pos, 4, "request.userInfo.extra")
		if err != nil || !d.opens(pos, '[') {
			return end, err
		}
		decoded := make(authenticationv1.ExtraValue, len(d.values))
		for i, value := range d.values {
			decoded[i] = string(d.name(value))
		}
		user.Extra[key] = decoded
		return end, nil
	})
}

// dryRun sets a boolean.
func (d *admissionDecoder) dryRun(r *admissionRequest, pos int) (int, error) {
	switch {
	case d.opens(pos, 't'):
		r.dryRun, r.DryRun = true, &r.dryRun
	case d.opens(pos, 'f'):
		r.DryRun = &r.dryRun
	default:
		return d.wrong(pos, 2, "request.dryRun", "a boolean")
	}
	return d.scanner.Value(pos, 2)
}

// raw keeps an object's bytes.
func (d *admissionDecoder) raw(object *runtime.RawExtension, pos int, place string) (int, error) {
	if !d.opens(pos, '{') {
		return d.wrong(pos, 2, place, "an object")
	}
	d.where = place
	end, err := d.scanner.Value(pos, 2)
	if err != nil {
		return end, err
	}
	d.where = ""
	// The slice has no spare capacity, so appending to it cannot change the body.
	object.Raw = d.scanner.Src[pos:end:end]
	return end, nil
}

// finish makes the strings.
func (d *admissionDecoder) finish(r *admissionRequest) {
	d.scratch = d.scratch[:0]
	for i := range d.strings {
		d.place(&d.strings[i].Name)
	}
	for i := range d.groups {
		d.place(&d.groups[i])
	}
	all := string(d.scratch)
	for _, found := range d.strings {
		*found.target = all[found.Start:found.End]
	}
	if len(d.groups) > 0 {
		r.UserInfo.Groups = make([]string, len(d.groups))
		for i, group := range d.groups {
			r.UserInfo.Groups[i] = all[group.Start:group.End]
		}
	}
}

// place copies a string's characters into scratch, and notes where they are.
func (d *admissionDecoder) place(name *jsontext.Name) {
	start := len(d.scratch)
	if name.Escaped {
		d.scratch = jsontext.Unquote(d.scratch, name.Bytes(d.scanner.Src))
	} else {
		d.scratch = append(d.scratch, name.Bytes(d.scanner.Src)...)
	}
	name.Start, name.End = int32(start), int32(len(d.scratch))
}
