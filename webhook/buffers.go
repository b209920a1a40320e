package webhook

import (
	"math/bits"
	"sync"
)

const (
	// A review of one object of a few kB fits the smallest buffer.
	smallestClass = 14 // 16 KiB
	classes       = 11 // 16 KiB, 32 KiB, … 16 MiB
)

// buffers are pools of byte slices by size. With one pool for all sizes, small requests would
// borrow the buffers of an earlier large request and keep them alive for ever. sync.Pool frees
// a buffer that was not used for two garbage collections. Buffers larger than the largest class
// go to the garbage collector at once, because the memory budget does not include what is in a
// pool.
type buffers struct{ pools [classes]sync.Pool }

// buffer is a slice on loan from buffers.
type buffer struct{ bytes []byte }

// size returns the capacity of the buffer that get returns for n bytes.
func (p *buffers) size(n int) int {
	if c := class(n); c < classes {
		return 1 << (smallestClass + c)
	}
	return n
}

// get returns an empty buffer with room for at least n bytes.
func (p *buffers) get(n int) *buffer {
	c := class(n)
	if c >= classes {
		return &buffer{make([]byte, 0, n)}
	}
	if b, ok := p.pools[c].Get().(*buffer); ok {
		return b
	}
	return &buffer{make([]byte, 0, 1<<(smallestClass+c))}
}

// put takes a buffer back. A buffer that has grown, or that is larger than the largest class,
// goes to the garbage collector.
func (p *buffers) put(b *buffer) {
	c := class(cap(b.bytes))
	if c >= classes || cap(b.bytes) != 1<<(smallestClass+c) {
		return
	}
	b.bytes = b.bytes[:0]
	p.pools[c].Put(b)
}

// class returns the first class whose buffers hold n bytes.
func class(n int) int {
	if n <= 1<<smallestClass {
		return 0
	}
	return bits.Len(uint(n-1)) - smallestClass
}
