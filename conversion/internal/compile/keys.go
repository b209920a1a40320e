package compile

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/diagnose"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/path"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
)

// listKeys is what a list's schema and row tell about its keys.
type listKeys struct {
	lists  [2]*schema.Schema
	names  []string // that the author names, or nil
	unique bool
	w      *writtenRow
}

// all returns the keys that the author names, or nil.
func (k *listKeys) all() []string {
	if k == nil {
		return nil
	}
	return k.names
}

// keyPath parses a key: the name of a field, or a path from the element.
func keyPath(text string) (path.Path, error) {
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "['") {
		return path.Parse(text)
	}
	return path.Path{text}, nil
}

// keyText formats a key as an author would write it.
func keyText(key path.Path) string {
	if len(key) == 1 {
		return key[0]
	}
	return key.String()
}

// mappedKey has the paths of a key on both sides. A path is empty if the element itself is the key.
type mappedKey [2]path.Path

// placesOf returns the paths of keys on both sides, without those of elements themselves.
func placesOf(keys []mappedKey) (at [2][]path.Path) {
	for _, key := range keys {
		for side := range key {
			if len(key[side]) > 0 {
				at[side] = append(at[side], key[side])
			}
		}
	}
	return at
}

// findKeys finds the keys that identify the elements of a list on both sides. Without a key, the
// content identifies an element.
func (b *builder) findKeys(list *listKeys, claims [2]*claim, schemas [2]*schema.Schema) []mappedKey {
	if len(list.names) > 0 {
		names, err := readKeys(list.names)
		var keys []mappedKey
		at := [2][]path.Path{plan.Spoke: names}
		if err == nil && sensitiveKey(at, schemas) == "" { // otherwise it need not be mapped
			keys, err = b.mapKeys(plan.Spoke, names, claims, schemas)
			at = placesOf(keys)
		}
		if err != nil {
			remedy := "map the key with a row without a mapping or with one-to-one values, choose another key, or none: without a key, elements are identified by their content"
			var named *otherName
			if errors.As(err, &named) {
				remedy = named.remedy
			}
			b.problem(list.w, remedy, "each: %v", err)
			return nil
		}
		if key := sensitiveKey(at, schemas); key != "" {
			b.problem(list.w, "choose another key", "each: the key %s is sensitive, but a stash identifies elements by their keys", key)
			return nil
		}
		promised := sameKeys(list.lists[plan.Spoke].Keys, at[plan.Spoke]) || sameKeys(list.lists[plan.Hub].Keys, at[plan.Hub])
		if !promised && !list.unique {
			remedy := "set x-kubernetes-list-type: map with that key in the schema, or write unique: true if you know that the key is unique"
			if slices.ContainsFunc(at[plan.Spoke], isNested) && slices.ContainsFunc(at[plan.Hub], isNested) {
				remedy = "write unique: true if you know that the key is unique" // no schema can promise it
			}
			b.problem(list.w, remedy, "each: neither schema guarantees that the key %s is unique", strings.Join(list.names, ", "))
		}
		return keys
	}
	for _, side := range [...]plan.Side{plan.Spoke, plan.Hub} {
		if len(list.lists[side].Keys) == 0 {
			continue
		}
		var names []path.Path
		for _, name := range list.lists[side].Keys {
			names = append(names, path.Path{name})
		}
		// If the key of the schema is sensitive, elements are identified by their content.
		if keys, err := b.mapKeys(side, names, claims, schemas); err == nil && sensitiveKey(placesOf(keys), schemas) == "" {
			return keys
		}
	}
	return nil
}

// readKeys parses the keys that an author names.
func readKeys(texts []string) ([]path.Path, error) {
	var keys []path.Path
	for _, text := range texts {
		key, err := keyPath(text)
		if err != nil {
			return nil, err
		}
		for i, other := range keys {
			if n := min(len(key), len(other)); slices.Equal(key[:n], other[:n]) {
				return nil, fmt.Errorf("the keys %s and %s are the same field, or one is in the other", texts[i], text)
			}
		}
		keys = append(keys, key)
	}
	return keys, nil
}

// sensitiveKey returns a key that must not be in an annotation as part of an address, or "".
func sensitiveKey(keys [2][]path.Path, schemas [2]*schema.Schema) string {
	for side := range keys {
		for _, key := range keys[side] {
			for n := range key {
				if s := schemas[side].At(key[:n+1]); s != nil && s.Sensitive {
					return keyText(key)
				}
			}
		}
	}
	return ""
}

// mapKeys finds the fields of the other side for the keys that one side names.
func (b *builder) mapKeys(side plan.Side, names []path.Path, claims [2]*claim, schemas [2]*schema.Schema) (keys []mappedKey, err error) {
	for _, key := range names {
		if len(key) == 0 {
			return keys, errors.New("the key . is the element itself; a key is a single value in it")
		}
		s := schemas[side].At(key)
		if s == nil {
			meant := ""
			if p := diagnose.Nearest(schemas[side], key); p != "" {
				if len(key) == 1 {
					p = strings.TrimPrefix(p, ".")
				}
				meant = " (did you mean " + p + "?)"
			}
			if known := b.otherName(side, key, claims); known != nil {
				return keys, known
			}
			if meant == "" && schemas[side.Other()].At(key) != nil {
				meant = " (keys are fields of " + b.versions[side] + ")"
			}
			return keys, fmt.Errorf("the key %s is not in the %s schema of an element%s", keyText(key), side, meant)
		}
		if s.Type == "object" || s.Type == "array" {
			return keys, fmt.Errorf("the key %s is of type %s; a key is a single value", keyText(key), s.Describe())
		}
		there, err := b.counterpart(side, key, claims, schemas)
		switch {
		case err != nil:
			return keys, fmt.Errorf("the key %s %w", keyText(key), err)
		case there == nil:
			continue // all elements have the same value there
		}
		tied := mappedKey{}
		tied[side], tied[side.Other()] = key, there
		keys = append(keys, tied)
	}
	return keys, nil
}

// otherName is an error about a key with another name on the other side.
type otherName struct{ message, remedy string }

func (e *otherName) Error() string { return e.message }

// otherName returns the error if a row maps a key of the other side to a field of another name on
// side, or nil.
func (b *builder) otherName(side plan.Side, key path.Path, claims [2]*claim) *otherName {
	other := side.Other()
	w, depth := claims[other].innermost(key)
	if w == nil || len(w.paths[side]) != 1 || depth < len(key) && w.mapping != nil {
		return nil
	}
	mine := keyText(slices.Concat(w.paths[side][0], key[depth:]))
	return &otherName{
		fmt.Sprintf("the key %s is not in the %s schema of an element", keyText(key), side),
		fmt.Sprintf("keys are fields of %s: did you mean %s, which %s maps to %s?", b.versions[side], mine, w.title, keyText(key)),
	}
}

var errOtherValue = errors.New("is not the same value in both versions")

// counterpart finds the field of the other version with the value of a key, or with another value
// that corresponds to it one to one. It returns nil if all elements have the same value there.
func (b *builder) counterpart(side plan.Side, key path.Path, claims [2]*claim, schemas [2]*schema.Schema) (there path.Path, err error) {
	other := side.Other()
	w, depth := claims[side].innermost(key)
	mine, theirs := schemas[side].At(key), (*schema.Schema)(nil)
	switch {
	case w == nil:
		there = key
		if theirs = schemas[other].At(there); theirs == nil {
			return nil, fmt.Errorf("is only in %s, and no row maps it%s", b.versions[side], b.candidates(other, mine))
		}
	case w.fixed != nil && depth == len(key):
		return nil, nil
	case w.Default != nil:
		return nil, errors.New("has a default in its row, so one version may lack it")
	case len(w.paths[other]) != 1:
		return nil, errOtherValue
	case depth == len(key) && w.index == plan.None:
		return nil, errOtherValue
	case depth == len(key) && w.mapping != nil:
		if len(w.paths[side]) > 1 {
			return nil, errOtherValue
		}
		return w.paths[other][0], b.oneToOne(w)
	case depth == len(key):
		there = w.paths[other][0]
		mine, theirs = w.schemas[side][0], w.schemas[other][0]
	case !w.deep:
		return nil, errOtherValue
	default:
		there = slices.Concat(w.paths[other][0], key[depth:])
		theirs = schemas[other].At(there)
	}
	if back, _ := claims[other].innermost(there); back != w || theirs == nil || !schema.Same(mine, theirs) {
		return nil, errOtherValue
	}
	if claims[side].at(key).leads() || claims[other].at(there).leads() {
		return nil, errOtherValue
	}
	return there, nil
}

// sameKeys reports whether the keys of a list's schema are the given ones, in any order.
func sameKeys(names []string, keys []path.Path) bool {
	if slices.ContainsFunc(keys, isNested) {
		return false
	}
	var mine []string
	for _, key := range keys {
		mine = append(mine, key[0])
	}
	return slices.Equal(slices.Sorted(slices.Values(names)), slices.Sorted(slices.Values(mine)))
}

// isNested reports whether a key is inside an object of the element.
func isNested(key path.Path) bool { return len(key) > 1 }
