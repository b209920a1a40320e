package report

import (
	"fmt"
	"slices"
	"strings"
)

// few is how many texts [Few] lists.
const few = 5

// Few lists the first of some texts, in order and each once, and how many more there are.
func Few(texts []string) string {
	texts = slices.Compact(slices.Sorted(slices.Values(texts)))
	if more := len(texts) - few; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(texts[:few], ", "), more)
	}
	return strings.Join(texts, ", ")
}
