package inject

import (
	"encoding/base64"
	"fmt"
	"net/url"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

const caBundle = "caBundle"

// State is what was found at a place.
type State int

const (
	// Absent: there is no bundle, or a blank one.
	Absent State = iota
	// Held: a bundle of the same certificates.
	Held
	// Stale: a bundle of other certificates.
	Stale
	// Unparsable: something that is not a bundle.
	Unparsable
)

// Place is a caBundle field.
type Place struct {
	// Path is the place in the object, such as
	// .webhooks[name=a.example.com].clientConfig.caBundle.
	Path string
	// State is how the field compares with the bundle.
	State State
	// Why explains what is wrong with an unparsable bundle.
	Why string
	// Server is the name that the API server asks for when it calls: the DNS name of the
	// Service, or the host of the URL. It is empty if there is neither.
	Server string

	element string // the name of the list's element
	text    []byte
	found   Bundle
}

// places finds every caBundle field of an object, empty ones included.
func (k kind) places(object *unstructured.Unstructured) ([]Place, error) {
	if k.list == "" {
		p, err := k.place(object.Object, "")
		if err != nil {
			return nil, named(object, err)
		}
		return []Place{p}, nil
	}
	list, _, err := unstructured.NestedFieldNoCopy(object.Object, k.list)
	if err != nil {
		return nil, named(object, err)
	}
	elements, isList := list.([]any)
	if list != nil && !isList {
		return nil, named(object, fmt.Errorf(".%s is not a list", k.list))
	}
	var all []Place
	for index, element := range elements {
		fields, _ := element.(map[string]any)
		name, _ := fields["name"].(string)
		if name == "" {
			return nil, named(object, fmt.Errorf(".%s[%d] has no name", k.list, index))
		}
		p, err := k.place(fields, name)
		if err != nil {
			return nil, named(object, fmt.Errorf(".%s[name=%s]%w", k.list, name, err))
		}
		all = append(all, p)
	}
	return all, nil
}

// place reads the one bundle of an object or element.
func (k kind) place(fields map[string]any, element string) (Place, error) {
	p := Place{Path: "." + strings.Join(append(k.path[:len(k.path):len(k.path)], caBundle), "."), element: element}
	if element != "" {
		p.Path = fmt.Sprintf(".%s[name=%s]%s", k.list, element, p.Path)
	}
	for depth, step := range k.path {
		inner, isObject := fields[step].(map[string]any)
		if !isObject {
			return p, fmt.Errorf(".%s is not an object", strings.Join(k.path[:depth+1], "."))
		}
		fields = inner
	}
	p.Server = server(fields)
	encoded, isString := fields[caBundle].(string)
	if fields[caBundle] != nil && !isString {
		p.State, p.Why = Unparsable, "it is not a string"
		return p, nil
	}
	text, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		p.State, p.Why = Unparsable, err.Error()
		return p, nil
	}
	p.text = text
	if blank(text) {
		return p, nil
	}
	if p.found, err = ParseBundle(text); err != nil {
		p.State, p.Why = Unparsable, err.Error()
		return p, nil
	}
	p.State = Stale // until the caller compares it
	return p, nil
}

// server returns the name of the server that the API server verifies in TLS
// (k8s.io/apiserver/pkg/util/webhook, k8s.io/kube-aggregator/pkg/apiserver).
func server(fields map[string]any) string {
	if service, is := fields["service"].(map[string]any); is {
		name, _ := service["name"].(string)
		namespace, _ := service["namespace"].(string)
		if name == "" || namespace == "" {
			return ""
		}
		return name + "." + namespace + ".svc"
	}
	text, _ := fields["url"].(string)
	address, err := url.Parse(text)
	if err != nil {
		return ""
	}
	return address.Hostname()
}

func named(object *unstructured.Unstructured, err error) error {
	return fmt.Errorf("%s %s: %w", object.GetKind(), object.GetName(), err)
}
