package admit

import (
	"maps"

	admissionv1 "k8s.io/api/admission/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// fillIn adds the fields that the API server sets and people leave out. A new object gets the
// changes of the admission plugins. An old object that is written by hand gets the fields
// that the API server set when it created the object; the new object is applied to that, as
// kubectl apply does. The arguments are the two objects before their defaults were set.
func (p *passage) fillIn(object, old map[string]any) error {
	if p.old != nil && p.kind == p.of && byHand(old) {
		if err := p.begin(object, old); err != nil {
			return err
		}
	}
	if p.object == nil {
		return nil
	}
	// A Pod keeps for life what plugins set. Other objects may have been changed since.
	if p.request.Operation == admissionv1.Create || p.kind.GroupVersionKind == pods {
		if err := p.plug(&p.object); err != nil {
			return err
		}
	}
	p.result.Sent, p.result.filled = copied(p.object), true
	return nil
}

// byHand reports whether an existing object is written by hand, because it has no uid.
func byHand(object map[string]any) bool {
	return (&unstructured.Unstructured{Object: object}).GetUID() == ""
}

// plug applies the API server's admission plugins to a new object.
func (p *passage) plug(object *map[string]any) error {
	plugin := plugins[p.kind.GroupVersionKind]
	if plugin == nil {
		return nil
	}
	made, err := plugin(p.world, *object)
	if err != nil {
		return err
	}
	*object = made
	return nil
}

// begin completes an old object that is written by hand, and applies the new one to it.
func (p *passage) begin(object, old map[string]any) error {
	if p.kind.GroupVersionKind == pods {
		if err := p.plug(&p.old); err != nil {
			return err
		}
	}
	begun, err := p.kind.begun(p.old, old)
	if err != nil {
		return err
	}
	if p.object != nil {
		if p.object, _, err = p.kind.receive(applied(old, object, begun)); err != nil {
			return err
		}
	}
	p.old = begun
	return nil
}

// begun returns an existing object with the fields that the API server set when it created the
// object. Fields in written, the object before its defaults were set, keep their values.
func (k *kind) begun(object, written map[string]any) (map[string]any, error) {
	if !k.kept {
		return object, nil
	}
	created, err := k.created(object, authenticationv1.UserInfo{})
	if err != nil {
		return nil, err
	}
	begun, _, err := k.receive(completed(written, created).(map[string]any))
	return begun, err
}

// applied returns the live object with the changes between the last applied object and the
// new one, as kubectl apply makes them, except that lists are replaced as a unit.
func applied(last, now, live map[string]any) map[string]any {
	made := maps.Clone(live)
	for name := range last {
		if _, found := now[name]; !found {
			delete(made, name)
		}
	}
	for name, value := range now {
		before, found := last[name]
		inner, isMap := value.(map[string]any)
		there, wasMap := live[name].(map[string]any)
		switch {
		case isMap && wasMap:
			was, _ := before.(map[string]any)
			made[name] = applied(was, inner, there)
		case !found || !equality.Semantic.DeepEqual(before, value):
			made[name] = value
		}
	}
	return made
}

// completed returns a value with the fields that it lacks and another has. Lists are completed
// element by element if they have the same length, and left unchanged otherwise.
func completed(value, by any) any {
	switch value := value.(type) {
	case map[string]any:
		other, _ := by.(map[string]any)
		made := maps.Clone(value)
		for name, one := range other {
			if had, found := value[name]; found {
				one = completed(had, one)
			}
			made[name] = one
		}
		return made
	case []any:
		other, _ := by.([]any)
		if len(other) != len(value) {
			return value
		}
		made := make([]any, len(value))
		for i, one := range value {
			made[i] = completed(one, other[i])
		}
		return made
	}
	return value
}
