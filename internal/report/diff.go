package report

import (
	"strings"

	"znkr.io/diff"

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
// Where there are few lines or few changes, no other choice has fewer changes; else
// it takes time and memory about in proportion to the lines.
func Diff(before, now []string) string {
	var b strings.Builder
	for _, edit := range diff.Edits(before, now) {
		switch edit.Op {
		case diff.Delete:
			b.WriteString("- " + edit.X)
		case diff.Insert:
			b.WriteString("+ " + edit.Y)
		default:
			b.WriteString("  " + edit.Y)
		}
		b.WriteByte('\n')
	}
	return b.String()
}
