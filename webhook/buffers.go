package webhook

import (
	"math/bits"
	"sync"
)

const (
	// A review of one object of a few kB fits the smallest buffer.
	smallestClass = 14 // 16 KiB
	classes       = 13 // 16 KiB, 32 KiB, … 64 MiB
	largestClass  = smallestClass + classes - 1
)

// buffers are pools of byte slices by size. With one pool for all sizes, small
// requests would borrow the buffers that a large list has left and keep them
// alive for ever. Here only large requests use large buffers, and what nobody
// has used for two garbage collections is freed (sync.Pool).
type buffers struct{ pools [classes]sync.Pool }

// buffer is a slice on loan from buffers.
type buffer struct{ bytes []byte }

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

// put takes a buffer back. It may have grown since; one larger than the
// largest class is left to the garbage collector.
func (p *buffers) put(b *buffer) {
	// The class whose gets it can satisfy: round down.
	c := bits.Len(uint(cap(b.bytes))) - 1 - smallestClass
	if c < 0 || cap(b.bytes) > 1<<largestClass {
		return
	}
	b.bytes = b.bytes[:0]
	p.pools[c].Put(b)
}

// grow moves what b holds to a buffer with room for at least n bytes.
func (p *buffers) grow(b *buffer, n int) *buffer {
	larger := p.get(n)
	larger.bytes = append(larger.bytes, b.bytes...)
	p.put(b)
	return larger
}

// class is the first class whose buffers hold n bytes.
func class(n int) int {
	if n <= 1<<smallestClass {
		return 0
	}
	return bits.Len(uint(n-1)) - smallestClass
}
