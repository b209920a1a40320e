// Package hints makes values that are likely to show a mistake in the mapping of a row: those that
// the row names, and texts that its mapping reads in a special way.
package hints

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// OfTable returns the values for all rows of a table.
func OfTable(table *v1alpha1.Crosswalk) []*tree.Value {
	var out []*tree.Value
	var walk func(rows []v1alpha1.Row)
	walk = func(rows []v1alpha1.Row) {
		for _, r := range rows {
			out = append(out, OfRow(r)...)
			for _, inner := range r.Inner() {
				walk(*inner.Rows)
			}
		}
	}
	for _, v := range table.Spec.Versions {
		walk(v.Rows)
		for _, name := range slices.Sorted(maps.Keys(v.Tables)) {
			walk(v.Tables[name])
		}
	}
	return out
}

// OfRow returns the values for a row, without those for the rows inside it.
func OfRow(r v1alpha1.Row) []*tree.Value {
	var out []*tree.Value
	add := func(v *v1alpha1.Value) {
		if v == nil {
			return
		}
		if t, err := tree.Parse(v.JSON); err == nil {
			out = append(out, t)
		}
	}
	names := func(m map[string]v1alpha1.Value) {
		for _, k := range slices.Sorted(maps.Keys(m)) {
			out = append(out, tree.NewString(k))
			v := m[k]
			add(&v)
		}
	}
	names(r.Values)
	names(r.Inverse)
	add(r.Constant)
	if r.Default != nil {
		add(r.Default.Spoke)
		add(r.Default.Hub)
	}
	template := r.Template
	if r.Keyed != nil && strings.Contains(r.Keyed.Key, "{") {
		template = r.Keyed.Key
	}
	if template != "" {
		for _, form := range formsOf(template) {
			for _, fill := range []string{"a", "80", "", "b:c", "007"} {
				out = append(out, tree.NewString(hole.ReplaceAllString(form, fill)))
			}
			out = append(out, tree.NewString(filled(form, "host", "8080", "x")))
		}
	}
	return slices.Concat(out, ofScalar(r), ofBoolean(r), ofJoin(r), ofVariant(r), ofText(r), ofWhere(r), ofCEL(r))
}

// formsOf returns a template with and without each of its optional parts.
func formsOf(template string) []string {
	at := optional.FindStringSubmatchIndex(template)
	if at == nil {
		return []string{template}
	}
	var forms []string
	for _, rest := range formsOf(template[at[1]:]) {
		forms = append(forms, template[:at[0]]+template[at[2]:at[3]]+rest, template[:at[0]]+rest)
	}
	return forms
}

// optional finds the optional parts of a template, and hole its placeholders.
var (
	optional = regexp.MustCompile(`\[([^\[\]]*)\]`)
	hole     = regexp.MustCompile(`\{[^{}]*\}`)
)

// filled puts texts into the placeholders of a template, in turn.
func filled(template string, texts ...string) string {
	i := 0
	return hole.ReplaceAllStringFunc(template, func(string) string {
		i++
		return texts[(i-1)%len(texts)]
	})
}
