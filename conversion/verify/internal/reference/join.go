package reference

import (
	"slices"
	"strconv"
	"strings"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// join returns the list of a string's parts, or the string of a list's.
func (s side) join(m *v1alpha1.Join, value *tree.Value, from, to *schema) (*tree.Value, bool) {
	if from.Type == "string" {
		if value.Kind != tree.String {
			return nil, false
		}
		return s.split(m, value.Text, to)
	}
	if value.Kind != tree.List {
		return nil, false
	}
	var parts []string
	for _, item := range value.Items {
		if string(from.Items.Schema.Type) != map[tree.Kind]string{tree.String: "string", tree.Number: "integer"}[item.Kind] {
			return nil, false
		}
		if _, err := strconv.ParseInt(item.Text, 10, 64); item.Kind == tree.Number && err != nil {
			return nil, false
		}
		parts = append(parts, item.Text)
	}
	made := m.Prefix + strings.Join(parts, m.Separator) + m.Suffix
	back, ok := s.split(m, made, from)
	return tree.NewString(made), ok && tree.Equal(back, value)
}

func (s side) split(m *v1alpha1.Join, text string, to *schema) (*tree.Value, bool) {
	if len(text) < len(m.Prefix)+len(m.Suffix) || !strings.HasPrefix(text, m.Prefix) || !strings.HasSuffix(text, m.Suffix) {
		return nil, false
	}
	text = text[len(m.Prefix) : len(text)-len(m.Suffix)]
	list := tree.NewList()
	if m.Trim {
		text = strings.TrimSpace(text)
	}
	if text == "" {
		return list, true
	}
	for _, part := range strings.Split(text, m.Separator) {
		if m.Trim {
			part = strings.TrimSpace(part)
		}
		if to.Items.Schema.Type == "string" {
			list.Items = append(list.Items, tree.NewString(part))
			continue
		}
		n, err := strconv.ParseInt(part, 10, 64)
		if err != nil || strings.HasPrefix(part, "+") || len(strings.TrimLeft(part, "-")) > 19 {
			return nil, false
		}
		list.Items = append(list.Items, tree.NewNumber(strconv.FormatInt(n, 10)))
	}
	return list, slices.Index(list.Items, nil) < 0
}
