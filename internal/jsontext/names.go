package jsontext

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"math/bits"
	"slices"
)

// pairwise is the largest number of names of one object that are compared each with each. More
// names are hashed and sorted when the object closes, so that the time for a million members is
// not quadratic.
const pairwise = 16

// MaxNames is how many members the objects that are open at one place may have. A scanner keeps
// 40 bytes for each, so a hostile text would otherwise take five times its size. An object of
// 16 MiB cannot have more members, because no two of its names are equal.
const MaxNames = 2 << 20

// nameStack holds the names of all open objects, to find duplicates.
type nameStack struct {
	names   []seenName
	hashed  []hashedName
	scratch []byte
	seed    maphash.Seed
	seeded  bool
}

type seenName struct {
	word    uint64 // of the decoded name: equal names have equal words
	span    Span
	escaped bool
}

type hashedName struct {
	hash  uint64
	index int32
}

func (n *nameStack) reset() { n.names = n.names[:0] }

func (n *nameStack) open() int { return len(n.names) }

func (n *nameStack) add(src []byte, mark int, name Name) error {
	text := name.Bytes(src)
	if name.Escaped {
		n.scratch = Unquote(n.scratch[:0], text)
		text = n.scratch
	}
	word := word(text)
	if len(n.names)-mark < pairwise {
		for _, other := range n.names[mark:] {
			if other.word == word && n.same(src, other, seenName{word, name.Span, name.Escaped}) {
				return duplicate(src, name.Span)
			}
		}
	}
	if len(n.names) == MaxNames {
		return &SyntaxError{Offset: int(name.Start), Reason: fmt.Sprintf("an object has more than %d members", MaxNames)}
	}
	n.names = append(n.names, seenName{word, name.Span, name.Escaped})
	return nil
}

// close drops the names of the object that opened at mark.
func (n *nameStack) close(src []byte, mark int) error {
	if len(n.names)-mark > pairwise {
		if err := n.checkHashed(src, n.names[mark:]); err != nil {
			return err
		}
	}
	n.names = n.names[:mark]
	return nil
}

func (n *nameStack) checkHashed(src []byte, names []seenName) error {
	if !n.seeded {
		// The seed affects only the order of comparisons, never a result.
		n.seed, n.seeded = maphash.MakeSeed(), true
	}
	n.hashed = n.hashed[:0]
	for i, name := range names {
		n.hashed = append(n.hashed, hashedName{maphash.Bytes(n.seed, n.decode(src, name)), int32(i)})
	}
	slices.SortFunc(n.hashed, func(a, b hashedName) int {
		if c := cmp.Compare(a.hash, b.hash); c != 0 {
			return c
		}
		return cmp.Compare(a.index, b.index)
	})
	for i := 1; i < len(n.hashed); i++ {
		for j := i - 1; j >= 0 && n.hashed[j].hash == n.hashed[i].hash; j-- {
			if n.same(src, names[n.hashed[j].index], names[n.hashed[i].index]) {
				return duplicate(src, names[n.hashed[i].index].span)
			}
		}
	}
	return nil
}

func (n *nameStack) decode(src []byte, name seenName) []byte {
	if !name.escaped {
		return name.span.Bytes(src)
	}
	n.scratch = Unquote(n.scratch[:0], name.span.Bytes(src))
	return n.scratch
}

func (n *nameStack) same(src []byte, a, b seenName) bool {
	if !a.escaped && !b.escaped {
		return bytes.Equal(a.span.Bytes(src), b.span.Bytes(src))
	}
	return bytes.Equal(Unquote(nil, a.span.Bytes(src)), Unquote(nil, b.span.Bytes(src)))
}

func duplicate(src []byte, span Span) error {
	name := span.Bytes(src)
	if len(name) > 64 {
		name = name[:64]
	}
	return &SyntaxError{Offset: int(span.Start) - 1, Reason: fmt.Sprintf("the member %q occurs twice in one object", name)}
}

// word folds a name into 64 bits such that most different names differ.
func word(name []byte) uint64 {
	n := len(name)
	switch {
	case n >= 8:
		first := binary.LittleEndian.Uint64(name)
		last := binary.LittleEndian.Uint64(name[n-8:])
		return first ^ bits.RotateLeft64(last, 27) ^ uint64(n)<<56
	case n >= 4:
		first := uint64(binary.LittleEndian.Uint32(name))
		last := uint64(binary.LittleEndian.Uint32(name[n-4:]))
		return first | last<<32 ^ uint64(n)<<56
	case n > 0:
		return uint64(name[0]) | uint64(name[n/2])<<8 | uint64(name[n-1])<<16 | uint64(n)<<56
	}
	return 0
}
