package engine

// blocks hold values that never move: their addresses hold until they are forgotten. The
// memory stays, for the next conversion.
type blocks[T any] struct {
	all [][]T
	// used says of each block how many of its values are taken.
	used []int
	// at is the block that is filled.
	at int
}

// The first block holds the values of a small object. Each is twice as long as the one
// before it, so that they are few, and none is so long that much of it is left over.
const (
	leastBlock = 64
	mostBlock  = 8192
)

// take returns n values beside each other, all of them zero.
func (b *blocks[T]) take(n int) []T {
	for b.at < len(b.all) && b.used[b.at]+n > len(b.all[b.at]) {
		b.at++
	}
	if b.at == len(b.all) {
		size := leastBlock
		if b.at > 0 {
			size = min(2*len(b.all[b.at-1]), mostBlock)
		}
		b.all, b.used = append(b.all, make([]T, max(size, n))), append(b.used, 0)
	}
	start := b.used[b.at]
	b.used[b.at] += n
	return b.all[b.at][start:b.used[b.at]:b.used[b.at]]
}

// forget takes back all that was taken.
func (b *blocks[T]) forget() {
	for i := 0; i <= b.at && i < len(b.all); i++ {
		clear(b.all[i][:b.used[i]])
		b.used[i] = 0
	}
	b.at = 0
}

// memory holds the frames of a conversion, and their slots.
type memory struct {
	frames   blocks[frame]
	slots    blocks[slot]
	sparse   blocks[sparse]
	groups   blocks[group]
	pointers blocks[*group]
}

func (m *memory) forget() {
	m.frames.forget()
	m.slots.forget()
	m.sparse.forget()
	m.groups.forget()
	m.pointers.forget()
}
