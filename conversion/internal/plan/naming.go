package plan

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// Naming converts between the key that an element has in a map and the fields of the element in a list that
// identify it: one field that is the key, or several of which a template makes it.
type Naming struct {
	// Members are these fields, sorted.
	Members []string
	// Numbered says that the only field is an integer.
	Numbered bool
	// Form makes the key of the fields, which are on the side List. It is nil if the only field is the key.
	Form Mapping
	List Side
	// Text is what the row says.
	Text string
}

// Same reports whether two rows make the same keys.
func (n *Naming) Same(o *Naming) bool {
	if n == nil || o == nil {
		return n == o
	}
	return n.Text == o.Text
}

// Name returns the key, as JSON, that an element with these values of Members has in the map. It returns false
// if a value is missing, or if Keys would not return the same values.
func (n *Naming) Name(keys [][]byte) (name []byte, ok bool) {
	if n.Form == nil {
		return n.single(keys[0])
	}
	out := [][]byte{nil}
	if _, ok = n.Form.Convert(nil, n.List, keys, out); !ok || out[0] == nil {
		return nil, false
	}
	again := make([][]byte, len(keys))
	_, ok = n.Form.Convert(nil, n.List.Other(), out, again)
	return out[0], ok && slices.EqualFunc(keys, again, sameKey)
}

// Keys sets keys to the values of Members of the element that has a key, as JSON, in the map. A value is nil if it
// is missing. Keys returns false if the key has another form, or if Name would not return the same key.
func (n *Naming) Keys(name []byte, keys [][]byte) bool {
	if n.Form != nil {
		in, out := [][]byte{name}, [][]byte{nil}
		_, ok := n.Form.Convert(nil, n.List.Other(), in, keys)
		if ok {
			_, ok = n.Form.Convert(nil, n.List, keys, out)
		}
		return ok && sameKey(out[0], name)
	}
	if keys[0] = name; n.Numbered {
		keys[0] = name[1 : len(name)-1]
	}
	again, ok := n.single(keys[0])
	return ok && bytes.Equal(again, name)
}

// single returns the key for the value of the only field.
func (n *Naming) single(key []byte) ([]byte, bool) {
	switch {
	case key == nil:
		return nil, false
	case !n.Numbered:
		return key, key[0] == '"'
	}
	if i, err := strconv.ParseInt(string(key), 10, 64); err != nil || strconv.FormatInt(i, 10) != string(key) {
		return nil, false
	}
	return slices.Concat([]byte{'"'}, key, []byte{'"'}), true
}

// sameKey reports whether two JSON texts are the same value: a string can be written in several ways.
func sameKey(a, b []byte) bool {
	if a == nil || b == nil || a[0] != '"' || b[0] != '"' {
		return bytes.Equal(a, b)
	}
	return bytes.Equal(jsontext.Unquote(nil, a[1:len(a)-1]), jsontext.Unquote(nil, b[1:len(b)-1]))
}
