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

// Write is an object that is written.
type Write struct {
	Kind schema.GroupVersionKind
	// Subresource is one whose objects are of the kind of the resource, or empty.
	Subresource string
	// Object and Old are as [Read] gives them. Old is nil where an object is created, which
	// then has its name and uid.
	Object, Old map[string]any
	// User is who writes.
	User authenticationv1.UserInfo
}

// Stored gives the object as the API server stores it and shows it to those who validate
// it: with what no client can write as it was, and with what is counted and worked out. An
// error says that it is no object of the kind. After
//
//	Write{Kind: Deployment, Old: {metadata: {generation: 1}, spec: {replicas: 1}, status: {replicas: 1}}, Object: {spec: {replicas: 2}, status: {replicas: 9}}}
//
// {metadata: {generation: 2}, spec: {replicas: 2}, status: {replicas: 1}} is stored.
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

// strategy is what the API server makes of objects of a type when they are written. What
// is nil does nothing.
type strategy struct {
	// counts names the fields whose changes metadata.generation counts, which is not
	// counted where it is nil.
	counts []string
	// status says that an object begins with the status that it is sent with, of which
	// created makes what it must be.
	status bool
	// created comes after the status is taken away.
	created func(object any, by authenticationv1.UserInfo)
	// updated is by subresource, and comes after the status is brought back, or for the
	// status all else that is not metadata.
	updated map[string]func(object, old any)
}

// create makes an object what it is at the beginning.
func (s strategy) create(w Write, object runtime.Object) {
	if status, found := statusOf(w.Kind, object); found && !s.status {
		status.SetZero()
	}
	if s.counts != nil {
		object.(metav1.Object).SetGeneration(1)
	}
	if s.created != nil {
		s.created(object, w.User)
	}
}

// statusOf gives the status where it is a subresource.
func statusOf(kind schema.GroupVersionKind, object runtime.Object) (reflect.Value, bool) {
	resource, _ := Find(kind)
	if _, found := resource.Sub("status"); !found {
		return reflect.Value{}, false
	}
	return fieldOf(object, "Status"), true
}

// update leaves in an object what a write to a subresource, or to none, may change.
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
	if subresource != "status" && slices.ContainsFunc(s.counts, changed) {
		is.SetGeneration(was.GetGeneration() + 1)
	}
}

func fieldOf(object runtime.Object, name string) reflect.Value {
	return reflect.ValueOf(object).Elem().FieldByName(name)
}

// of makes a strategy one for a type.
type of[T any] struct {
	counts  []string
	status  bool
	created func(*T)
	by      func(*T, authenticationv1.UserInfo)
	updated map[string]func(object, old *T)
}

func (o of[T]) add(to map[reflect.Type]strategy) {
	s := strategy{counts: o.counts, status: o.status, updated: map[string]func(object, old any){}}
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

// bySpec is what most generations count.
var bySpec = []string{"Spec"}

// resetMetadata brings back all metadata that a write to a subresource of a type does not
// change.
func resetMetadata[T any, P interface {
	*T
	metav1.Object
}](object, old *T) {
	metav1.ResetObjectMetaForStatus(P(object), P(old))
}

// withOne appends what a list does not have.
func withOne[T comparable](list []T, one T) []T {
	if slices.Contains(list, one) {
		return list
	}
	return append(list, one)
}
