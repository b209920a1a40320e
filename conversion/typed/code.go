package typed

import (
	"encoding/json"
	"errors"
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/conversion"
	kjson "sigs.k8s.io/json"
)

// code converts between the hub and one version.
type code struct {
	hub, spoke  func() runtime.Object
	toHub       func(spoke, hub runtime.Object) error
	fromHub     func(hub, spoke runtime.Object) error
	hubAlways   map[string]any // what the types write whatever is in them
	spokeAlways map[string]any
}

var errPanicked = errors.New("the code panicked")

// Option says how a version is converted.
type Option func(*Converter) error

// Spoke says by functions what a version is to the hub. S and H are the types that
// the scheme has for the two versions; new ones are given to be filled.
func Spoke[S, H runtime.Object](version string, toHub func(S, H) error, fromHub func(H, S) error) Option {
	return func(c *Converter) error {
		if toHub == nil || fromHub == nil {
			return fmt.Errorf("version %s: both functions are needed", version)
		}
		made, err := c.types(version)
		if err != nil {
			return err
		}
		if _, ok := made.spoke().(S); !ok {
			return fmt.Errorf("version %s: the function is for %T, and the scheme has %T", version, *new(S), made.spoke())
		}
		if _, ok := made.hub().(H); !ok {
			return fmt.Errorf("version %s: the function is for %T as the hub, and the scheme has %T", version, *new(H), made.hub())
		}
		made.toHub = func(spoke, hub runtime.Object) error { return toHub(spoke.(S), hub.(H)) }
		made.fromHub = func(hub, spoke runtime.Object) error { return fromHub(hub.(H), spoke.(S)) }
		c.codes[version] = made
		return nil
	}
}

// convertible uses what the types of a version and of the hub implement.
func (c *Converter) convertible(version string) error {
	made, err := c.types(version)
	if err != nil {
		return err
	}
	if _, ok := made.hub().(conversion.Hub); !ok {
		return fmt.Errorf("version %s: %T, the type of the hub %s, is no conversion.Hub", version, made.hub(), c.hub)
	}
	if _, ok := made.spoke().(conversion.Convertible); !ok {
		return fmt.Errorf("version %s: %T is no conversion.Convertible: give it the methods ConvertTo and ConvertFrom, or say typed.Spoke", version, made.spoke())
	}
	made.toHub = func(spoke, hub runtime.Object) error {
		return spoke.(conversion.Convertible).ConvertTo(hub.(conversion.Hub))
	}
	made.fromHub = func(hub, spoke runtime.Object) error {
		return spoke.(conversion.Convertible).ConvertFrom(hub.(conversion.Hub))
	}
	c.codes[version] = made
	return nil
}

// types finds the types of a version and of the hub.
func (c *Converter) types(version string) (*code, error) {
	if version == c.hub {
		return nil, fmt.Errorf("version %s is the hub: it converts to itself", version)
	}
	made := new(code)
	for _, side := range []struct {
		version string
		make    *func() runtime.Object
		always  *map[string]any
	}{{c.hub, &made.hub, &made.hubAlways}, {version, &made.spoke, &made.spokeAlways}} {
		kind := c.groupVersion(side.version).WithKind(c.kind)
		if !c.scheme.Recognizes(kind) {
			return nil, fmt.Errorf("version %s: the scheme has no type for it: add it to the scheme", side.version)
		}
		scheme := c.scheme
		*side.make = func() runtime.Object {
			object, err := scheme.New(kind)
			if err != nil {
				panic(err) // it was there before
			}
			return object
		}
		text, err := json.Marshal((*side.make)())
		if err != nil {
			return nil, fmt.Errorf("version %s: %w", side.version, err)
		}
		*side.always, _ = decode(text).(map[string]any)
	}
	return made, nil
}

// run lets the code convert a document. What it cannot convert is an error, whatever
// the code makes of it.
func (k *code) run(document map[string]any, toHub bool) (made map[string]any, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: %v", errPanicked, p)
		}
	}()
	from, to, convert, always := k.spoke(), k.hub(), k.toHub, k.hubAlways
	if !toHub {
		from, to, always = to, from, k.spokeAlways
		convert = k.fromHub
	}
	if err := kjson.UnmarshalCaseSensitivePreserveInts(appendJSON(nil, document), from); err != nil {
		return nil, err
	}
	if err := convert(from, to); err != nil {
		return nil, err
	}
	text, err := json.Marshal(to)
	if err != nil {
		return nil, err
	}
	made, ok := decode(text).(map[string]any)
	if !ok {
		return nil, errors.New("what it makes is no object")
	}
	prune(made, always)
	return made, nil
}

// prune removes objects in which nothing is and which a type always writes, because
// it cannot say that they are missing: they would be in every object.
func prune(made, always map[string]any) {
	for name, value := range always {
		always, isObject := value.(map[string]any)
		now, stillObject := made[name].(map[string]any)
		if !isObject || !stillObject {
			continue
		}
		prune(now, always)
		if len(now) == 0 {
			delete(made, name)
		}
	}
}

// findHub finds the version whose type is a conversion.Hub; none where there is no
// or more than one.
func (c *Converter) findHub() string {
	hub := ""
	for _, version := range c.versions {
		object, err := c.scheme.New(c.groupVersion(version).WithKind(c.kind))
		if err != nil {
			continue
		}
		if _, is := object.(conversion.Hub); is {
			if hub != "" {
				return ""
			}
			hub = version
		}
	}
	return hub
}
