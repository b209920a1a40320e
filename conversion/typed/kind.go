package typed

import (
	"encoding/json"
	"errors"
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"
	kjson "sigs.k8s.io/json"
)

// kind is the type of one version.
type kind struct {
	make   func() (runtime.Object, error)
	empty  runtime.Object
	always map[string]any // what the type writes even if it is empty
}

// newKind finds the type of a version.
func (c *Converter) newKind(version string) (*kind, error) {
	known := c.groupVersion(version).WithKind(c.kind)
	if !c.scheme.Recognizes(known) {
		return nil, fmt.Errorf("version %s: the scheme has no type for it; add one", version)
	}
	k := &kind{make: func() (runtime.Object, error) { return c.scheme.New(known) }}
	var err error
	if k.empty, err = k.make(); err != nil {
		return nil, fmt.Errorf("version %s: %w", version, err)
	}
	text, err := json.Marshal(k.empty)
	if err != nil {
		return nil, fmt.Errorf("version %s: %T cannot be written as JSON: %w", version, k.empty, err)
	}
	k.always, _ = decode(text).(map[string]any)
	return k, nil
}

// read fills an object of the type.
func (k *kind) read(document map[string]any) (runtime.Object, error) {
	object, err := k.make()
	if err != nil {
		return nil, err
	}
	return object, kjson.UnmarshalCaseSensitivePreserveInts(appendJSON(nil, document), object)
}

// write returns the document of an object of the type.
func (k *kind) write(object runtime.Object) (map[string]any, error) {
	text, err := json.Marshal(object)
	if err != nil {
		return nil, err
	}
	made, ok := decode(text).(map[string]any)
	if !ok {
		return nil, errors.New("the result is not a JSON object")
	}
	prune(made, k.always)
	return made, nil
}

// prune removes the empty objects that a type always writes because it has no way to omit them.
// Otherwise every object would have them.
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
