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

// buffers are pools of byte slices by size. With one pool for all sizes, small
// requests would borrow the buffers that a larger one has left and keep them alive for
// ever. What nobody has used for two garbage collections is freed (sync.Pool). Buffers
// that are larger than the largest class are left to the garbage collector at once:
// nobody counts what lies in a pool.
type buffers struct{ pools [classes]sync.Pool }

// buffer is a slice on loan from buffers.
type buffer struct{ bytes []byte }

// size is how much room the buffer has that get returns for n bytes.
func (p *buffers) size(n int) int {
	if c := class(n); c < classes {
		return 1 << (smallestClass + c)
	}
	return n
}

// get returns an empty buffer with room for n bytes at least.
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

// put takes a buffer back. One that is not of a class, because it has grown since or
// is larger than all, is left to the garbage collector.
func (p *buffers) put(b *buffer) {
	c := class(cap(b.bytes))
	if c >= classes || cap(b.bytes) != 1<<(smallestClass+c) {
		return
	}
	b.bytes = b.bytes[:0]
	p.pools[c].Put(b)
}

// class is the first class whose buffers hold n bytes.
func class(n int) int {
	if n <= 1<<smallestClass {
		return 0
	}
	return bits.Len(uint(n-1)) - smallestClass
}
