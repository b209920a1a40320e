package patch

import "hash/maphash"

// hasher hashes values such that equal values have equal hashes, however they are written. The
// seed only decides which values collide.
type hasher struct {
	seed    maphash.Seed
	seeded  bool
	scratch []byte
}

// hash is stored in the node, so that all hashes together take one walk.
func (h *hasher) hash(t *tree, at int32) uint64 {
	n := &t.nodes[at]
	if n.hashed {
		return n.hash
	}
	sum := uint64(0)
	switch kind := t.kind(at); kind {
	case '{':
		for i := range t.inside(at) {
			// A sum does not depend on the order.
			sum += mix(h.bytes(t.name(i))*3 + h.hash(t, i))
		}
	case '[':
		for i := range t.inside(at) {
			sum = mix(sum*5 + h.hash(t, i) + 1)
		}
	case '"':
		sum = h.bytes(t.characters(at))
	case '0':
		h.scratch = appendDecimal(h.scratch[:0], t.text(at))
		sum = h.bytes(h.scratch)
	default:
		sum = uint64(kind)
	}
	n.hash, n.hashed = sum, true
	return sum
}

func (h *hasher) bytes(text []byte) uint64 {
	if !h.seeded {
		h.seed, h.seeded = maphash.MakeSeed(), true
	}
	return maphash.Bytes(h.seed, text)
}

// mix spreads every bit of x over the whole result (the finalizer of splitmix64,
// https://prng.di.unimi.it/splitmix64.c).
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
