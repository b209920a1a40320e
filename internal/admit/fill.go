package admit

import (
	"maps"

	admissionv1 "k8s.io/api/admission/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// fillIn adds to objects of Kubernetes itself what nobody writes: to one that is created
// what plugins make of it; and to an old one that is written by hand what was made of it
// when it was created. What is written over that is changed in the same places, as kubectl
// apply does. Both are given as they are written.
func (p *passage) fillIn(object, old map[string]any) error {
	if p.old != nil && p.kind == p.of && byHand(old) {
		if err := p.begin(object, old); err != nil {
			return err
		}
	}
	if p.object == nil {
		return nil
	}
	// A Pod that is there has all that plugins make, and cannot change it; of others it is
	// not known.
	if p.request.Operation == admissionv1.Create || p.kind.GroupVersionKind == pods {
		if err := p.plug(&p.object); err != nil {
			return err
		}
	}
	p.result.Sent, p.result.filled = copied(p.object), true
	return nil
}

// byHand reports whether an object that is there is written by hand: its uid is missing.
func byHand(object map[string]any) bool {
	return (&unstructured.Unstructured{Object: object}).GetUID() == ""
}

// plug lets the plugins of the API server make of what is created what they make of it.
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

// begin makes of the old object what it was once it was created.
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

// begun gives an object of Kubernetes itself, as it is read, with what was made of it when
// it was created. What is written counts.
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

// applied makes of a live object what kubectl apply makes of it, after one that was applied
// and with one that is, but that lists are whole.
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

// completed is a value with what another has and it has not. Lists that differ in length
// are whole.
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
