package builtin

import (
	"reflect"
	"sync"
)

// change is a function for every value of one type.
type change struct {
	of reflect.Type
	// do receives the address of a value.
	do func(address any)
}

func in[T any](do func(*T)) change {
	return change{reflect.TypeFor[T](), func(address any) { do(address.(*T)) }}
}

// walker applies changes to all values in an object: to a struct before its fields, because
// some defaults of a struct depend on which of its fields are missing.
type walker struct {
	changes map[reflect.Type]func(any)
	lock    sync.Mutex
	known   map[reflect.Type]*way
}

func newWalker(tables ...[]change) *walker {
	w := &walker{changes: map[reflect.Type]func(any){}, known: map[reflect.Type]*way{}}
	for _, table := range tables {
		for _, c := range table {
			w.changes[c.of] = c.do
		}
	}
	return w
}

// visit applies the changes to the value at an address.
func (w *walker) visit(address any) {
	value := reflect.ValueOf(address).Elem()
	w.lock.Lock()
	way := w.through(value.Type())
	w.lock.Unlock()
	way.visit(value)
}

// way leads to all values of a type to which changes apply. It is nil if there are none.
type way struct {
	// own changes a value of the type itself, or is nil.
	own func(address any)
	// fields are the fields of a struct with values to change.
	fields []part
	// to is the element type of a pointer or a list.
	to *way
}

type part struct {
	index int
	way   *way
}

// through analyses every type once. A type with values to change never contains itself. JSON
// schemas contain themselves, and have no values to change.
func (w *walker) through(t reflect.Type) *way {
	if known, found := w.known[t]; found {
		return known
	}
	w.known[t] = nil
	found := &way{own: w.changes[t]}
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			if !t.Field(i).IsExported() {
				continue
			}
			if of := w.through(t.Field(i).Type); of != nil {
				found.fields = append(found.fields, part{i, of})
			}
		}
	case reflect.Pointer, reflect.Slice:
		found.to = w.through(t.Elem())
	}
	if found.own != nil || found.fields != nil || found.to != nil {
		w.known[t] = found
	}
	return w.known[t]
}

func (w *way) visit(value reflect.Value) {
	if w == nil {
		return
	}
	if w.own != nil {
		w.own(value.Addr().Interface())
	}
	for _, f := range w.fields {
		f.way.visit(value.Field(f.index))
	}
	switch {
	case w.to == nil:
	case value.Kind() == reflect.Slice:
		for i := range value.Len() {
			w.to.visit(value.Index(i))
		}
	case !value.IsNil():
		w.to.visit(value.Elem())
	}
}
