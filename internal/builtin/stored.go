package builtin

import (
	"reflect"
	"slices"

	authenticationv1 "k8s.io/api/authentication/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Write is one write of an object, as a client sends it to the API server.
type Write struct {
	Kind schema.GroupVersionKind
	// Subresource is empty, or a subresource that takes objects of the same kind: status,
	// approval, ephemeralcontainers, finalize or resize.
	Subresource string
	// Object and Old are in the form that [Read] returns. Old is nil if the write creates the
	// object; Object then has its name and its uid already.
	Object, Old map[string]any
	// User is the author of the write.
	User authenticationv1.UserInfo
}

// Stored returns the object as the API server stores it, and as it passes the object to
// validating admission: fields that clients cannot write keep their old values, and the API
// server has set the fields that it computes, as metadata.generation. An error means that
// Object or Old does not have the type of the kind. For
//
//	Write{Kind: Deployment, Old: {metadata: {generation: 1}, spec: {replicas: 1}, status: {replicas: 1}}, Object: {spec: {replicas: 2}, status: {replicas: 9}}}
//
// it returns {metadata: {generation: 2}, spec: {replicas: 2}, status: {replicas: 1}}.
func (w Write) Stored() (map[string]any, error) {
	object, err := typedOf(w.Kind, w.Object)
	if err != nil {
		return nil, err
	}
	var old runtime.Object
	if w.Old != nil {
		if old, err = typedOf(w.Kind, w.Old); err != nil {
			return nil, err
		}
	}
	dropGated(object, old)
	if rule := strategies()[reflect.TypeOf(object)]; old == nil {
		rule.create(w, object)
	} else {
		rule.update(w.Subresource, object, old)
	}
	object.GetObjectKind().SetGroupVersionKind(w.Kind)
	return runtime.DefaultUnstructuredConverter.ToUnstructured(object)
}

func typedOf(kind schema.GroupVersionKind, object map[string]any) (runtime.Object, error) {
	typed, err := types().New(kind)
	if err != nil {
		return nil, err
	}
	return typed, runtime.DefaultUnstructuredConverter.FromUnstructured(object, typed)
}

// strategy is how the API server prepares objects of one Go type for storage. Nil functions
// do nothing.
type strategy struct {
	// generation names the fields whose changes increment metadata.generation. If it is nil, the
	// type has no generation.
	generation []string
	// status keeps the status that a client sends with a new object. Otherwise it is cleared
	// before created runs.
	status bool
	// created prepares a new object.
	created func(object any, by authenticationv1.UserInfo)
	// updated prepares an update, by subresource. The status of the old object is restored
	// before updated[""] runs, and its spec before updated["status"] does.
	updated map[string]func(object, old any)
}

// create prepares a new object.
func (s strategy) create(w Write, object runtime.Object) {
	if status, found := statusOf(w.Kind, object); found && !s.status {
		status.SetZero()
	}
	if s.generation != nil {
		object.(metav1.Object).SetGeneration(1)
	}
	if s.created != nil {
		s.created(object, w.User)
	}
}

// statusOf returns the status of an object if the kind has a status subresource.
func statusOf(kind schema.GroupVersionKind, object runtime.Object) (reflect.Value, bool) {
	resource, _ := Find(kind)
	if _, found := resource.Sub("status"); !found {
		return reflect.Value{}, false
	}
	return fieldOf(object, "Status"), true
}

// update prepares an update: it restores the fields that the request cannot change.
func (s strategy) update(subresource string, object, old runtime.Object) {
	is, was := object.(metav1.Object), old.(metav1.Object)
	is.SetGeneration(was.GetGeneration())
	if name := map[string]string{"": "Status", "status": "Spec"}[subresource]; name != "" {
		if field := fieldOf(object, name); field.IsValid() {
			field.Set(fieldOf(old, name))
		}
	}
	if own := s.updated[subresource]; own != nil {
		own(object, old)
	}
	changed := func(field string) bool {
		return !equality.Semantic.DeepEqual(fieldOf(object, field).Interface(), fieldOf(old, field).Interface())
	}
	if subresource != "status" && slices.ContainsFunc(s.generation, changed) {
		is.SetGeneration(was.GetGeneration() + 1)
	}
}

func fieldOf(object runtime.Object, name string) reflect.Value {
	return reflect.ValueOf(object).Elem().FieldByName(name)
}

// of is a [strategy] with the types of the functions spelled out. Of created and by, at most
// one is set; by also gets the author of the write.
type of[T any] struct {
	generation []string
	status     bool
	created    func(*T)
	by         func(*T, authenticationv1.UserInfo)
	updated    map[string]func(object, old *T)
}

func (o of[T]) add(to map[reflect.Type]strategy) {
	s := strategy{generation: o.generation, status: o.status, updated: map[string]func(object, old any){}}
	if o.created != nil {
		s.created = func(object any, _ authenticationv1.UserInfo) { o.created(object.(*T)) }
	}
	if o.by != nil {
		s.created = func(object any, user authenticationv1.UserInfo) { o.by(object.(*T), user) }
	}
	for name, do := range o.updated {
		s.updated[name] = func(object, old any) { do(object.(*T), old.(*T)) }
	}
	to[reflect.TypeFor[*T]()] = s
}

// bySpec is the value of generation for most types.
var bySpec = []string{"Spec"}

// resetMetadata restores the metadata that a write to a subresource does not change.
func resetMetadata[T any, P interface {
	*T
	metav1.Object
}](object, old *T) {
	metav1.ResetObjectMetaForStatus(P(object), P(old))
}

// withOne appends an element unless the list contains it.
func withOne[T comparable](list []T, one T) []T {
	if slices.Contains(list, one) {
		return list
	}
	return append(list, one)
}
