package complement

import (
	"bytes"
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
)

// seen returns the hash of a value without fields that only the version of the view has, because no
// row reads them. root is the value that the scope of the place pairs.
func (r *reader) seen(p place, id, root int32) hash {
	if h := r.hash(r.view, id); !r.view.holds(id) || h == absent {
		return h
	}
	return r.content(p, id, root)
}

// content is seen for a value that may be the default. It hashes the content of the default, too.
// Each value is hashed once, because many entries may read it.
func (r *reader) content(p place, id, root int32) hash {
	known := &r.known
	if r.full {
		known = &r.knownFull
	}
	if h, ok := (*known)[id]; ok {
		return h
	}
	h := r.see(p, id, root)
	if *known == nil {
		*known = map[int32]hash{}
	}
	(*known)[id] = h
	return h
}

func (r *reader) see(p place, id, root int32) hash {
	t := r.view
	t.caller.Work(1)
	row, isObject := p.elements(), t.nodes[id].kind == object
	one := p.alternative(t, root)
	switch {
	case one != nil:
		return r.seen(rootOf(p.scope.Rows[one.Row].Elements, p.side), id, id)
	case row != nil && row.Forms[p.side] == plan.One:
		return r.see(rootOf(row.Elements, p.side), id, id)
	case row != nil && (isObject || t.nodes[id].kind == list):
		var text []byte
		for _, e := range t.sorted(id) {
			if isObject {
				text = append(append(text, t.name(e)...), 0)
			}
			text = appendHash(text, r.seen(rootOf(row.Elements, p.side), e, e))
		}
		return sum(append(text, byte(t.nodes[id].kind)))
	case isObject && (p.at().Kind == plan.Container || p.depth > 0):
		var text []byte
		for _, m := range t.sorted(id) {
			if h := r.seenIn(p.member(t.name(m)), m, root); h != absent {
				text = appendHash(append(append(text, t.name(m)...), 0), h)
			}
		}
		return sum(append(text, '{'))
	}
	return r.hash(t, id)
}

// seenIn is seen for a member of an object, whose place is p. Of an object that only the version of
// the view has, it hashes only what rows read.
func (r *reader) seenIn(p place, id, root int32) hash {
	o := p.owner()
	switch {
	case r.view.isMissing(id), o == dropped, o == fixed, o == own && (p.depth > 0 || !p.isOpen()):
		return absent
	case o != own:
		return r.seen(p, id, root)
	}
	if h := r.content(p, id, root); h != hollow {
		return h
	}
	return absent
}

// isHollow reports whether the other version has nothing of an object but what fades. Then another
// value of that is no edit of the object.
func (r *reader) isHollow(p place, id, root int32) bool {
	full := r.full
	r.full = false
	h := r.content(p, id, root)
	r.full = full
	return h == hollow
}

// sorted returns the values inside a value: members in the order of their names.
func (t *tree) sorted(id int32) []int32 {
	all := t.elements(id)
	if t.nodes[id].kind == object {
		slices.SortFunc(all, func(a, b int32) int { return bytes.Compare(t.name(a), t.name(b)) })
	}
	return all
}

// hollow is the hash of an object of which the other version has nothing.
var hollow = sum([]byte{'{'})
