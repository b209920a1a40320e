package typed

import (
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/conversion"
)

// code converts between the hub and one version.
type code struct {
	hub, spoke *kind
	toHub      func(spoke, hub runtime.Object) error
	fromHub    func(hub, spoke runtime.Object) error
}

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
		if _, ok := made.spoke.empty.(S); !ok {
			return fmt.Errorf("version %s: the function is for %T, and the scheme has %T", version, *new(S), made.spoke.empty)
		}
		if _, ok := made.hub.empty.(H); !ok {
			return fmt.Errorf("version %s: the function is for %T as the hub, and the scheme has %T", version, *new(H), made.hub.empty)
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
	if _, ok := made.hub.empty.(conversion.Hub); !ok {
		return fmt.Errorf("version %s: %T, the type of the hub %s, is no conversion.Hub", version, made.hub.empty, c.hub)
	}
	if _, ok := made.spoke.empty.(conversion.Convertible); !ok {
		return fmt.Errorf("version %s: %T is no conversion.Convertible: give it the methods ConvertTo and ConvertFrom, or say typed.Spoke", version, made.spoke.empty)
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
	hub, err := c.newKind(c.hub)
	if err != nil {
		return nil, err
	}
	spoke, err := c.newKind(version)
	if err != nil {
		return nil, err
	}
	return &code{hub: hub, spoke: spoke}, nil
}

// run lets the code convert a document. What it cannot convert is an error, whatever
// the code makes of it.
func (k *code) run(document map[string]any, toHub bool) (made map[string]any, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &panicError{p}
		}
	}()
	source, target, convert := k.spoke, k.hub, k.toHub
	if !toHub {
		source, target, convert = k.hub, k.spoke, k.fromHub
	}
	from, err := source.read(document)
	if err != nil {
		return nil, err
	}
	to, err := target.make()
	if err != nil {
		return nil, err
	}
	if err := convert(from, to); err != nil {
		return nil, err
	}
	return target.write(to)
}

// panicError is what the code panicked with.
type panicError struct{ value any }

func (e *panicError) Error() string { return fmt.Sprintf("the code panicked: %v", e.value) }

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
