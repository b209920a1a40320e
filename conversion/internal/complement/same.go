package complement

import (
	"bytes"
	"slices"
)

// same reports whether the API server treats two values as the same. none is absent, which is the
// same as the default.
func same(t *tree, a int32, u *tree, b int32) bool {
	switch {
	case a == none && b == none:
		return true
	case a == none:
		return u.isDefault(b)
	case b == none:
		return t.isDefault(a)
	}
	x, y := &t.nodes[a], &u.nodes[b]
	if x.kind != y.kind {
		return false
	}
	t.caller.Work(1)
	switch x.kind {
	case object:
		return sameMembers(t, a, u, b)
	case list:
		was, is := t.elements(a), u.elements(b)
		return slices.EqualFunc(was, is, func(a, b int32) bool { return same(t, a, u, b) })
	}
	p, q := t.value(a), u.value(b)
	var buf, other [64]byte
	return bytes.Equal(p, q) || bytes.Equal(appendScalar(buf[:0], p), appendScalar(other[:0], q))
}

func sameMembers(t *tree, a int32, u *tree, b int32) bool {
	differ := false
	t.each(a, func(x int32) bool {
		differ = !same(t, t.unlessRemoved(x), u, u.unlessRemoved(u.child(b, t.name(x))))
		return !differ
	})
	if differ {
		return false
	}
	u.each(b, func(y int32) bool {
		differ = t.child(a, u.name(y)) == none && !same(t, none, u, u.unlessRemoved(y))
		return !differ
	})
	return !differ
}

// unlessRemoved returns a member, or none if the API server removes it.
func (t *tree) unlessRemoved(id int32) int32 {
	if id == none || t.isMissing(id) {
		return none
	}
	return id
}

// isDefault reports whether a member is the default of its schema.
func (t *tree) isDefault(id int32) bool {
	of := t.defaultOf(id)
	if of == nil {
		return false
	}
	var d tree
	d.parse(of, t.nodes[id].schema)
	return same(t, id, &d, 0)
}

// extends reports whether a value has everything of another one, possibly with more members in its
// objects. none is absent.
func extends(t *tree, a int32, u *tree, b int32) bool {
	if a == none || b == none || t.nodes[a].kind != u.nodes[b].kind {
		return b == none
	}
	t.caller.Work(1)
	switch t.nodes[a].kind {
	case object:
		all := true
		u.each(b, func(y int32) bool {
			all = extends(t, t.unlessRemoved(t.child(a, u.name(y))), u, u.unlessRemoved(y))
			return all
		})
		return all
	case list:
		return slices.EqualFunc(t.elements(a), u.elements(b), func(x, y int32) bool { return extends(t, x, u, y) })
	}
	return same(t, a, u, b)
}
