package complement

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// Values that the API server treats as the same have the same hash. The order of members, and the
// spelling of numbers and texts, do not matter. A null that the schema does not allow is the same
// as absence, and so is the default. Sensitive fields are left out, because hashes are kept in
// metadata. So are fields that fade: those that some table drops, because a trip through another
// version loses them, and what rows make of them. A full hash has them.
//
// The hash of a value is made of the hashes of what is inside it. So the hashes of all values of a
// tree take no more time than one pass over the tree.

// hash is half of SHA-256, whose collision resistance is far more than a guard needs.
type hash [12]byte

// absent is the hash of absence, and of a default.
var absent = hash{}

// text appends the hash in the form of stashes.
func (h hash) text(dst []byte) []byte { return base64.RawURLEncoding.AppendEncode(dst, h[:]) }

// sum returns the hash of a text.
func sum(text []byte) (h hash) {
	full := sha256.Sum256(text)
	copy(h[:], full[:])
	return h
}

// hash returns the hash of a value. That of none is the hash of absence.
func (t *tree) hash(id int32) hash {
	if id == none || t.isMissing(id) {
		return absent
	}
	n := &t.nodes[id]
	if of := n.schema; of != nil && of.Sensitive {
		return absent
	} else if t.fades(id) {
		return t.fullHash(id) // nothing of it would be left
	}
	if n.kind == scalar || n.kind == null {
		var buf [64]byte
		text := appendScalar(buf[:0], t.value(id))
		if of := t.defaultOf(id); of != nil && bytes.Equal(text, of) {
			return absent
		}
		return sum(text)
	}
	hashes := &t.hashes
	if t.full {
		hashes = &t.fullHashes
	}
	if h, ok := (*hashes)[id]; ok {
		return h
	}
	t.caller.Work(1)
	h := t.hashInside(id)
	if of := t.defaultOf(id); of != nil && (of[0] == '{' || of[0] == '[') && t.hashesAsDefault(h, n.schema) {
		h = absent
	}
	if *hashes == nil {
		*hashes = map[int32]hash{}
	}
	(*hashes)[id] = h
	return h
}

// fullHash returns the hash of a value with the fields that fade.
func (t *tree) fullHash(id int32) hash {
	was := t.full
	t.full = true
	h := t.hash(id)
	t.full = was
	return h
}

// fades reports whether a value is left out of the hash of what is around it.
func (t *tree) fades(id int32) bool {
	of := t.nodes[id].schema
	return !t.full && of != nil && of.Fades
}

// hasDefaultThatFades reports whether a value may be another one after a trip through a third version
// because of its default.
func (t *tree) hasDefaultThatFades(id int32) bool {
	of := t.nodes[id].schema
	return of != nil && of.DefaultFades
}

// hashInside returns the hash of an object or a list, even if it is the default.
func (t *tree) hashInside(id int32) hash {
	if t.nodes[id].kind == list {
		start := len(t.texts)
		t.texts = append(t.texts, '[')
		t.each(id, func(child int32) bool {
			h := t.hash(child)
			t.texts = append(t.texts, h[:]...)
			return true
		})
		return t.sumFrom(start)
	}
	first := len(t.members)
	t.each(id, func(child int32) bool {
		if t.fades(child) {
			return true
		}
		if h := t.hash(child); h != absent {
			t.members = append(t.members, memberHash{t.name(child), h})
		}
		return true
	})
	all := t.members[first:]
	slices.SortFunc(all, func(a, b memberHash) int { return bytes.Compare(a.name, b.name) })
	start := len(t.texts)
	t.texts = append(t.texts, '{')
	for _, m := range all {
		t.texts = jsontext.Quote(t.texts, m.name)
		t.texts = append(t.texts, m.hash[:]...)
	}
	t.members = t.members[:first]
	return t.sumFrom(start)
}

// memberHash is a member and its hash.
type memberHash struct {
	name []byte
	hash hash
}

// sumFrom returns the hash of the texts from an offset on, and removes them.
func (t *tree) sumFrom(start int) hash {
	h := sum(t.texts[start:])
	t.texts = t.texts[:start]
	return h
}

// hashesAsDefault reports whether a hash is that of the schema's default.
func (t *tree) hashesAsDefault(h hash, of *schema.Schema) bool {
	var d tree
	d.full = t.full
	d.parse(of.Default, of)
	return d.hashInside(0) == h
}

// isMissing reports whether the API server removes a value: a null that the schema does not allow.
func (t *tree) isMissing(id int32) bool {
	n := &t.nodes[id]
	return n.kind == null && n.schema != nil && !n.schema.Nullable && t.inObject(id)
}

// defaultOf returns the default of a member, or nil. Defaults of elements, and of values of maps,
// are never added.
func (t *tree) defaultOf(id int32) []byte {
	n := &t.nodes[id]
	if n.schema == nil || n.schema.Default == nil || !t.inObject(id) {
		return nil
	}
	if around := t.nodes[n.parent].schema; around.Members[string(t.name(id))] != n.schema {
		return nil
	}
	return n.schema.Default
}

// namesFrom returns the names that lead from an object to a value in it.
func (t *tree) namesFrom(around, id int32) (names []string) {
	for ; id != around; id = t.nodes[id].parent {
		names = append(names, string(t.name(id)))
	}
	slices.Reverse(names)
	return names
}

// inObject reports whether a value is a member.
func (t *tree) inObject(id int32) bool {
	p := t.nodes[id].parent
	return p != none && t.nodes[p].kind == object
}

// isInDefault reports whether an object around a value is its default. Then the API server adds the value
// if the object is absent.
func (t *tree) isInDefault(id int32) bool {
	for id != none && t.inObject(id) {
		if id = t.nodes[id].parent; t.isDefault(id) {
			return true
		}
	}
	return false
}

// appendScalar appends a number, a text, a boolean or null in a form that is the same for equal
// values.
func appendScalar(dst, text []byte) []byte {
	switch b := text[0]; {
	case b == '"':
		return jsontext.Quote(dst, jsontext.Unquoted(text[1:len(text)-1]))
	case b == '-' || b-'0' <= 9:
		return jsontext.AppendNumber(dst, text)
	}
	return append(dst, text...)
}

// fadesIn reports whether a value of the view has something that fades.
func (r *reader) fadesIn(id int32) bool {
	fades, known := r.fading[id]
	if !known {
		t := r.view
		t.caller.Work(1)
		fades = t.nodes[id].schema != nil && t.nodes[id].schema.Fades
		t.each(id, func(child int32) bool {
			fades = fades || r.fadesIn(child)
			return !fades
		})
		if r.fading == nil {
			r.fading = map[int32]bool{}
		}
		r.fading[id] = fades
	}
	return fades
}

// isHollow reports whether an object of the view has nothing that rows read but defaults and what
// fades. Another value of what only the version of the view has is no edit of the object.
func (r *reader) isHollow(p place, id int32) bool {
	is, known := r.hollow[id]
	if known {
		return is
	}
	t := r.view
	t.caller.Work(1)
	is = true
	t.each(id, func(m int32) bool {
		q := p.member(t.name(m))
		switch o := q.owner(); {
		case o == dropped, o == fixed, o == own && (q.depth > 0 || q.at().Kind != plan.Container):
		case o == own && t.nodes[m].kind == object:
			is = r.isHollow(q, m)
		default:
			is = t.fades(m) || t.hash(m) == absent
		}
		return is
	})
	if r.hollow == nil {
		r.hollow = map[int32]bool{}
	}
	r.hollow[id] = is
	return is
}
