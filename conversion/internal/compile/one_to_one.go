package compile

import (
	"fmt"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/mapping"
)

// oneToOne returns an error if a row maps several values to one: such a row must not map a key. It
// considers only the values that the row names. Values that are copied, and other spellings of a
// number, may still become equal; then several elements have one key, and are identified as such.
func (b *builder) oneToOne(w *writtenRow) error {
	m, ok := b.out.Rows[w.index].Mapping.(mapping.OneToOne)
	if !ok {
		return fmt.Errorf("is mapped by %s, which may convert several values into one", w.mapping.name)
	}
	if err := m.OneToOne(); err != nil {
		return fmt.Errorf("is mapped by %s, which %w", w.mapping.name, err)
	}
	return nil
}
