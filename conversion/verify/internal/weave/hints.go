package weave

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// RowHints are the values that a row names, and texts that fit what it says, but for
// its rows for elements.
func RowHints(r v1alpha1.Row) []*tree.Value {
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
	return slices.Concat(out, scalarHints(r), booleanHints(r), joinHints(r), variantHints(r), textHints(r), whereHints(r), celHints(r))
}

// formsOf are a template with and without each of the parts that are in brackets.
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

// optional is what is in brackets in a template.
var optional = regexp.MustCompile(`\[([^\[\]]*)\]`)

var hole = regexp.MustCompile(`\{[^{}]*\}`)

// filled puts texts into the holes of a template, in turn.
func filled(template string, texts ...string) string {
	i := 0
	return hole.ReplaceAllStringFunc(template, func(string) string {
		i++
		return texts[(i-1)%len(texts)]
	})
}
