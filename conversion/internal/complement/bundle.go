package complement

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
)

const (
	// maxNamed is the number of paths of what was left out that are named, and maxMark how many
	// bytes they may take: keys and names in a path can be long.
	maxNamed = 16
	maxMark  = 3 << 10
	// maxHeld is how many bytes of entries are held before the largest are left out. Their
	// addresses may take far more than the object itself.
	maxHeld = 4 * maxStashes
)

// bundle has the entries of a version, those of status apart. If there is no room for all, the
// largest are left out.
type bundle struct {
	writers [2]stash.Writer
	// leftOut is the number of entries that were left out, and shown the number of those that are
	// named.
	leftOut, shown int
	named          []byte
}

// isEmpty reports whether no entry was added.
func (b *bundle) isEmpty() bool { return b.len()+b.leftOut == 0 }

// len returns the number of entries that will be written.
func (b *bundle) len() int { return b.writers[0].Left() + b.writers[1].Left() }

// size returns how much memory the entries take.
func (b *bundle) size() int { return b.writers[0].Cap() + b.writers[1].Cap() }

// reset empties a bundle. Its memory is used again.
func (b *bundle) reset() {
	b.writers[0].Reset()
	b.writers[1].Reset()
	b.leftOut, b.shown, b.named = 0, 0, b.named[:0]
}

// add adds an entry. address is the text of its address, or nil.
func (b *bundle) add(e stash.Entry, address []byte) {
	w := &b.writers[0]
	if e.OfStatus() {
		w = &b.writers[1]
	}
	if address == nil {
		w.Add(e)
	} else {
		w.AddAt(address, e)
	}
	if b.writers[0].Size()+b.writers[1].Size() > maxHeld {
		b.fit(maxStashes)
		b.writers[0].Compact()
		b.writers[1].Compact()
	}
}

// close leaves out entries for which there is no room. mark is that of the table that writes the
// entries.
func (b *bundle) close(mark string, room int) {
	for i := range b.writers {
		b.writers[i].Table = mark
		b.writers[i].Sort()
	}
	b.fit(room)
}

// fit leaves the largest entries out until there is room for the others.
func (b *bundle) fit(room int) {
	size := b.writers[0].Size() + b.writers[1].Size()
	if size <= room {
		return
	}
	type candidate struct{ writer, entry, size int }
	var largest []candidate
	for i := range b.writers {
		for entry := range b.writers[i].Len() { // none of them is left out yet
			largest = append(largest, candidate{i, entry, b.writers[i].SizeOf(entry)})
		}
	}
	slices.SortStableFunc(largest, func(a, b candidate) int { return cmp.Compare(b.size, a.size) })
	for _, c := range largest {
		if b.writers[0].Size()+b.writers[1].Size() <= room {
			break
		}
		w := &b.writers[c.writer]
		w.LeaveOut(c.entry)
		if b.leftOut++; b.shown == b.leftOut-1 && b.shown < maxNamed {
			b.name(w.At(c.entry))
		}
	}
}

// name names an entry that was left out, if there is room for its path.
func (b *bundle) name(at []stash.Step) {
	before := len(b.named)
	if b.shown > 0 {
		b.named = append(b.named, ", "...)
	}
	if b.named = stash.AppendPath(b.named, at); len(b.named) > maxMark {
		b.named = b.named[:before]
		return
	}
	b.shown++
}

// names returns the paths of what was left out, and the number of others.
func (b *bundle) names() []byte {
	named := b.named
	if b.leftOut > b.shown {
		if b.shown > 0 {
			named = append(named, " and "...)
		}
		named = append(strconv.AppendInt(named, int64(b.leftOut-b.shown), 10), " more"...)
	}
	return named
}
