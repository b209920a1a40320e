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

// Option configures a Converter.
type Option func(*Converter) error

// Spoke sets the functions that convert between a version and the hub. S and H must be the
// types that the scheme has for the two versions. Each function gets a new, empty second
// argument, which it must fill.
func Spoke[S, H runtime.Object](version string, toHub func(S, H) error, fromHub func(H, S) error) Option {
	return func(c *Converter) error {
		if toHub == nil || fromHub == nil {
			return fmt.Errorf("version %s: both functions must be given", version)
		}
		made, err := c.types(version)
		if err != nil {
			return err
		}
		if _, ok := made.spoke.empty.(S); !ok {
			return fmt.Errorf("version %s: the function is for %T, but the scheme has %T", version, *new(S), made.spoke.empty)
		}
		if _, ok := made.hub.empty.(H); !ok {
			return fmt.Errorf("version %s: the function is for %T as the hub, but the scheme has %T", version, *new(H), made.hub.empty)
		}
		made.toHub = func(spoke, hub runtime.Object) error { return toHub(spoke.(S), hub.(H)) }
		made.fromHub = func(hub, spoke runtime.Object) error { return fromHub(hub.(H), spoke.(S)) }
		c.codes[version] = made
		return nil
	}
}

// convertible uses the methods of the types of a version and of the hub.
func (c *Converter) convertible(version string) error {
	made, err := c.types(version)
	if err != nil {
		return err
	}
	if _, ok := made.hub.empty.(conversion.Hub); !ok {
		return fmt.Errorf("version %s: %T, the type of the hub %s, is not a conversion.Hub", version, made.hub.empty, c.hub)
	}
	if _, ok := made.spoke.empty.(conversion.Convertible); !ok {
		return fmt.Errorf("version %s: %T is not a conversion.Convertible: give it the methods ConvertTo and ConvertFrom, or pass typed.Spoke", version, made.spoke.empty)
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

// types returns the types of a version and of the hub.
func (c *Converter) types(version string) (*code, error) {
	if version == c.hub {
		return nil, fmt.Errorf("version %s is the hub, and needs no functions", version)
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

// run lets the code convert a document. If the code returns an error, so does run, whatever the
// code has written.
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

// panicError is the value with which the code has panicked.
type panicError struct{ value any }

func (e *panicError) Error() string { return fmt.Sprintf("the code panicked: %v", e.value) }

// findHub returns the version whose type is a conversion.Hub, or "" if there is not exactly
// one.
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
