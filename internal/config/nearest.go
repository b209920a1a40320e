package config

import (
	"strings"

	"github.com/crosswalk-dev/crosswalk/internal/edits"
)

// nearest returns the candidate that a writer most likely meant, or "" if none is near. One
// letter of a short word may differ, two letters of a word of four, and a third of a long word.
func nearest(word string, candidates []string) string {
	allowed := 1
	if len(word) >= 4 {
		allowed = max(2, len(word)/3)
	}
	best, bestDistance := "", allowed+1
	for _, candidate := range candidates {
		if d := edits.Distance(strings.ToLower(word), strings.ToLower(candidate)); d < bestDistance {
			best, bestDistance = candidate, d
		}
	}
	return best
}
