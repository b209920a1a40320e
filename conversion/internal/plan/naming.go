package plan

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// Naming ties the name that an element has in a map to its keys in a list: one that is
// the name, or several that a template makes it of.
type Naming struct {
	// members are the fields of the list's elements that are the keys, sorted.
	members []string
	// numbered says that the only key is an integer.
	numbered bool
	// form makes the name of the keys, which are on the side of the list; nil if the only key is the name. It
	// is text, so far as people wrote it.
	form Mapping
	list Side
	text string
}

// naming reads what the key of a row says of the elements of a list.
func (b *builder) naming(w *written, items *schema.Schema, list Side) (*Naming, bool) {
	n := &Naming{members: keysIn(w.Keyed.Key), list: list, text: w.Keyed.Key}
	isTemplate := strings.Contains(n.text, "{")
	var keys []*schema.Schema
	for _, name := range n.members {
		key := items.Member(name)
		if bare := strings.TrimPrefix(name, "."); key == nil && items.Member(bare) != nil {
			b.problem(w, "write keyed: {key: "+bare+"}", "keyed: the key must be the name of a field, but %s is a path", name)
			return nil, false
		}
		if p, err := keyPath("." + strings.TrimPrefix(name, ".")); key == nil && err == nil && items.At(p) != nil {
			value := "e"
			if w.Keyed.Value != "" {
				value = "e." + w.Keyed.Value
			}
			b.problem(w, fmt.Sprintf("compute both fields with cel, with %s: self%s.transformMapEntry(i, e, {e%s: %s})", direction(list.Other()), w.paths[list][0], p, value),
				"keyed: the key in the map can only have fields of the element itself, but %s is in an object in the element", p)
			return nil, false
		}
		if form := bracedNames(name, items); key == nil && !isTemplate && form != "" {
			b.problem(w, fmt.Sprintf("write the names of fields in braces: keyed: {key: %q}", form), "keyed: %s is not a field of the elements of %s", name, w.paths[list][0])
			return nil, false
		}
		if key == nil {
			b.noField(w, name, items, list)
			return nil, false
		}
		if key.Type != "string" && key.Type != "integer" && !key.IsAny() {
			b.problem(w, "use a key of type string or integer", "keyed: the key %s is of type %s, but the keys of a map are strings", name, key.Describe())
			return nil, false
		}
		keys = append(keys, key)
	}
	if !isTemplate {
		n.numbered = keys[0].Type == "integer"
		return n, true
	}
	var err error
	if len(keys) == 0 {
		err = errors.New("it contains no field of the element; write the names of fields in braces, as in {namespace}/{name}")
	} else {
		n.form, err = parseTemplate(n.text, n.members, keys, list.Other())
	}
	if err != nil {
		b.problem(w, "", "keyed: the key %q: %v", n.text, err)
		return nil, false
	}
	return n, true
}

// keysIn are the fields of an element that a key names: itself, or the holes of a template.
func keysIn(key string) []string {
	if strings.Contains(key, "{") {
		return holesOf(key)
	}
	return []string{key}
}

// bracedNames is a text with the fields in it, of which it has some besides other
// characters, in braces; empty if it has none.
func bracedNames(text string, items *schema.Schema) string {
	fields := 0
	form := regexp.MustCompile(`\w+`).ReplaceAllStringFunc(text, func(name string) string {
		if items.Member(name) == nil {
			return name
		}
		fields++
		return "{" + name + "}"
	})
	if fields == 0 {
		return ""
	}
	return form
}

// same reports whether two rows name elements alike.
func (n *Naming) same(o *Naming) bool {
	if n == nil || o == nil {
		return n == o
	}
	return n.text == o.text
}

// Name is the name, quoted, that an element with these keys has in a map. There is none
// where a key is missing that the name needs, or where other keys would be read from it.
func (n *Naming) Name(keys [][]byte) (name []byte, ok bool) {
	if n.form == nil {
		return n.single(keys[0])
	}
	out := [][]byte{nil}
	if _, ok = n.form.Convert(nil, n.list, keys, out); !ok || out[0] == nil {
		return nil, false
	}
	again := make([][]byte, len(keys))
	_, ok = n.form.Convert(nil, n.list.Other(), out, again)
	return out[0], ok && slices.EqualFunc(keys, again, sameKey)
}

// Keys sets the keys of the element that has this name, quoted, in a map; nil is one that
// is missing. There are none where the name does not fit, or another one would be made of them.
func (n *Naming) Keys(name []byte, keys [][]byte) bool {
	if n.form != nil {
		in, out := [][]byte{name}, [][]byte{nil}
		_, ok := n.form.Convert(nil, n.list.Other(), in, keys)
		if ok {
			_, ok = n.form.Convert(nil, n.list, keys, out)
		}
		return ok && sameKey(out[0], name)
	}
	if keys[0] = name; n.numbered {
		keys[0] = name[1 : len(name)-1]
	}
	again, ok := n.single(keys[0])
	return ok && bytes.Equal(again, name)
}

// single is the name where one key is it.
func (n *Naming) single(key []byte) ([]byte, bool) {
	switch {
	case key == nil:
		return nil, false
	case !n.numbered:
		return key, key[0] == '"'
	}
	if i, err := strconv.ParseInt(string(key), 10, 64); err != nil || strconv.FormatInt(i, 10) != string(key) {
		return nil, false
	}
	return slices.Concat([]byte{'"'}, key, []byte{'"'}), true
}

// sameKey reports whether two texts are one value: a string may be written in several ways.
func sameKey(a, b []byte) bool {
	if a == nil || b == nil || a[0] != '"' || b[0] != '"' {
		return bytes.Equal(a, b)
	}
	return bytes.Equal(jsontext.Unquote(nil, a[1:len(a)-1]), jsontext.Unquote(nil, b[1:len(b)-1]))
}
