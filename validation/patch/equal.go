package patch

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// sameText recognizes quickly that many values are equal: those before the first and after the
// last byte in which the documents differ.
func (d *Differ) sameText(a, b int32) bool {
	x, y := d.from.nodes[a].span, d.to.nodes[b].span
	if x == y && int(x.End) <= d.prefix {
		return true
	}
	n, m := len(d.from.src), len(d.to.src)
	return n-int(x.Start) == m-int(y.Start) && x.End-x.Start == y.End-y.Start && n-int(x.Start) <= d.suffix
}

// sameScalar compares two scalars of the same kind.
func (d *Differ) sameScalar(a, b int32) bool {
	x, y := d.from.text(a), d.to.text(b)
	if bytes.Equal(x, y) {
		return true
	}
	switch d.from.kind(a) {
	case '"':
		return bytes.Equal(d.from.characters(a), d.to.characters(b))
	case '0':
		d.from.scratch = appendDecimal(d.from.scratch[:0], x)
		d.to.scratch = appendDecimal(d.to.scratch[:0], y)
		return bytes.Equal(d.from.scratch, d.to.scratch)
	}
	return false
}

func commonPrefix(a, b []byte) int {
	n, i := min(len(a), len(b)), 0
	for ; i+8 <= n; i += 8 {
		if x := binary.LittleEndian.Uint64(a[i:]) ^ binary.LittleEndian.Uint64(b[i:]); x != 0 {
			return i + bits.TrailingZeros64(x)>>3
		}
	}
	for i < n && a[i] == b[i] {
		i++
	}
	return i
}

func commonSuffix(a, b []byte) int {
	n, i := min(len(a), len(b)), 0
	for ; i+8 <= n; i += 8 {
		x := binary.LittleEndian.Uint64(a[len(a)-i-8:]) ^ binary.LittleEndian.Uint64(b[len(b)-i-8:])
		if x != 0 {
			return i + bits.LeadingZeros64(x)>>3
		}
	}
	for i < n && a[len(a)-1-i] == b[len(b)-1-i] {
		i++
	}
	return i
}
