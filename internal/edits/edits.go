// Package edits computes how different two words are, for messages that ask "did you mean".
package edits

import "strings"

// Distance returns how many bytes must be inserted, removed or replaced to make b of a
// (Levenshtein).
func Distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], cost
		}
	}
	return row[len(b)]
}

// Nearest returns the candidate that a writer most likely meant, or "" if none is near. One
// letter of a short word may differ, two letters of a word of four, and a third of a long word.
func Nearest(word string, candidates []string) string {
	allowed := 1
	if len(word) >= 4 {
		allowed = max(2, len(word)/3)
	}
	best, bestDistance := "", allowed+1
	for _, candidate := range candidates {
		if d := Distance(strings.ToLower(word), strings.ToLower(candidate)); d < bestDistance {
			best, bestDistance = candidate, d
		}
	}
	return best
}
