package report

import (
	"strings"

	"znkr.io/diff"

	"github.com/crosswalk-dev/crosswalk/internal/manifest"
)

// YAML writes JSON as lines of YAML.
func YAML(text []byte) []string { return YAMLLike(text, nil) }

// YAMLLike writes JSON as lines of YAML, with its members in the order of other JSON, so that a
// diff of the two shows only differences.
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

// Diff shows all lines, with - before removed lines and + before new ones. If there are few
// lines or few changes, the number of changes is minimal. Otherwise time and memory are roughly
// proportional to the number of lines.
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
