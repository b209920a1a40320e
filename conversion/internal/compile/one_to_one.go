package compile

import (
	"fmt"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/mapping"
)

// oneToOne reports whether what a row makes of a value no other value becomes, so far as the row
// itself names them: a key may be mapped by such a row. Values that pass through, and other ways to
// write a number, may still meet in one object; their elements then have one key on a side, and
// count as such.
func (b *builder) oneToOne(w *written) error {
	m, ok := b.out.Rows[w.index].Mapping.(mapping.OneToOne)
	if !ok {
		return fmt.Errorf("is mapped by %s, which may convert several values into one", w.mapping.name)
	}
	if err := m.OneToOne(); err != nil {
		return fmt.Errorf("is mapped by %s, which %w", w.mapping.name, err)
	}
	return nil
}
