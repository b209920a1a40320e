package engine

// blocks holds values that never move: a pointer to one is valid until forget is called. The memory
// stays for the next conversion.
type blocks[T any] struct {
	all [][]T
	// used has the number of taken values of each block.
	used []int
	// at is the block that values are taken from.
	at int
}

// The first block holds the values of a small object. Each block is twice as long as the one before
// it, so that there are few, and little of the last one is unused.
const (
	leastBlock = 64
	mostBlock  = 8192
)

// take returns n zero values in a row.
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

// forget makes all values free again.
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
