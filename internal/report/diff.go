package report

import (
	"strings"

	"github.com/crosswalk-dev/crosswalk/internal/manifest"
)

// YAML writes JSON as lines of YAML.
func YAML(text []byte) []string { return YAMLLike(text, nil) }

// YAMLLike writes JSON as lines of YAML, its members in the order of other JSON, so
// that a diff of the two shows what is different only.
func YAMLLike(text, like []byte) []string {
	node, err := parse(text)
	if err != nil {
		return []string{err.Error()}
	}
	if other, err := parse(like); err == nil && like != nil {
		manifest.OrderLike(node, other)
	}
	if text, err = node.AppendYAML(nil); err != nil {
		return []string{err.Error()}
	}
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
}

func parse(text []byte) (*manifest.Node, error) {
	return manifest.Parse(manifest.Document{Number: 1, Line: 1, Text: text}, manifest.JSON)
}

// Diff shows all lines, with - before those that are gone and + before new ones.
func Diff(before, now []string) string {
	// common[i][j] is how many lines the rests from i and j have in common.
	common := make([][]int, len(before)+1)
	for i := range common {
		common[i] = make([]int, len(now)+1)
	}
	for i := len(before) - 1; i >= 0; i-- {
		for j := len(now) - 1; j >= 0; j-- {
			if before[i] == now[j] {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}
	var b strings.Builder
	line := func(mark, text string) { b.WriteString(mark + " " + text + "\n") }
	i, j := 0, 0
	for i < len(before) || j < len(now) {
		switch {
		case i < len(before) && j < len(now) && before[i] == now[j]:
			line(" ", now[j])
			i, j = i+1, j+1
		case j == len(now) || i < len(before) && common[i+1][j] >= common[i][j+1]:
			line("-", before[i])
			i++
		default:
			line("+", now[j])
			j++
		}
	}
	return b.String()
}
