package compile

import (
	"slices"
	"strings"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
)

// rowMapping is one mapping of the language: what a row says to have it, and what
// the compiler makes of it. Everything else about a mapping is in the file of
// its name.
type rowMapping struct {
	name string
	// in reports whether a row has it.
	in func(*v1alpha1.Row) bool
	// check reports what is wrong with it whatever the schemas say; it may be nil.
	check func(*builder, *written)
	// build compiles it. It reports problems and returns false, or sets what
	// the row needs.
	build func(*builder, *written, *plan.Row) bool
	// parts says that one side names several places.
	parts bool
	// alone says that it may compute a place that only one version has.
	alone bool
	// elements says that it maps elements rather than values, so that an absent place stands for
	// nothing else.
	elements bool
	// kinds says that it has to know which kind of thing stands at either side.
	kinds bool
	// beside is what it makes of a place for anything whose counterpart is of a type, or nil if
	// that does not say it, or need not.
	beside func(w *written, counterpart *schema.Schema) *schema.Schema
}

// mappings returns all that map places of both sides, in the order in which messages list them.
func mappings() []rowMapping {
	return []rowMapping{
		{
			name: "template", kinds: true, parts: true,
			beside: (*written).templateBeside,
			in:     func(r *v1alpha1.Row) bool { return r.Template != "" },
			check:  (*builder).checkTemplate,
			build:  (*builder).templateRow,
		},
		{
			name:  "values",
			in:    func(r *v1alpha1.Row) bool { return r.Values != nil },
			check: (*builder).checkValues,
			build: (*builder).valuesRow,
		},
		{
			name: "scalar", kinds: true,
			in:    func(r *v1alpha1.Row) bool { return r.Scalar != nil },
			check: (*builder).checkScalar,
			build: (*builder).scalarRow,
		},
		{
			name: "boolean", kinds: true,
			in:    func(r *v1alpha1.Row) bool { return r.Boolean != nil },
			check: (*builder).checkBoolean,
			build: (*builder).booleanRow,
		},
		{
			name: "join", kinds: true,
			beside: (*written).joinBeside,
			in:     func(r *v1alpha1.Row) bool { return r.Join != nil },
			check:  (*builder).checkJoin,
			build:  (*builder).joinRow,
		},
		{
			name: "text", kinds: true,
			beside: (*written).textBeside,
			in:     func(r *v1alpha1.Row) bool { return r.Text != "" },
			check:  (*builder).checkText,
			build:  (*builder).textRow,
		},
		{
			name: "variant", kinds: true, parts: true,
			in:    func(r *v1alpha1.Row) bool { return r.Variant != nil },
			check: (*builder).checkVariant,
			build: (*builder).variantRow,
		},
		{
			name: "cel", parts: true, alone: true,
			in:    func(r *v1alpha1.Row) bool { return r.CEL != nil },
			check: (*builder).checkCEL,
			build: (*builder).celRow,
		},
		{
			name: "func", parts: true,
			in:    func(r *v1alpha1.Row) bool { return r.Func != "" },
			check: (*builder).checkFunc,
			build: (*builder).funcRow,
		},
		{
			name: "each", elements: true,
			in:    func(r *v1alpha1.Row) bool { return r.Each != nil },
			build: (*builder).eachRow,
		},
		{
			name: "single", kinds: true, elements: true,
			in:    func(r *v1alpha1.Row) bool { return r.Single != nil },
			check: (*builder).checkSingleMapping,
			build: (*builder).singleRow,
		},
		{
			name: "wrap", elements: true,
			in:    func(r *v1alpha1.Row) bool { return r.Wrap != "" },
			build: (*builder).wrapRow,
		},
		{
			name: "keyed", kinds: true, elements: true,
			beside: (*written).keyedBeside,
			in:     func(r *v1alpha1.Row) bool { return r.Keyed != nil },
			check:  (*builder).checkKeyed,
			build:  (*builder).keyedRow,
		},
		{
			name: "where", kinds: true, parts: true, elements: true,
			in:    func(r *v1alpha1.Row) bool { return r.Where != nil },
			check: (*builder).checkWhere,
			build: (*builder).whereRow,
		},
		{
			name: "entries", kinds: true, parts: true, elements: true,
			in:    func(r *v1alpha1.Row) bool { return r.Entries != nil },
			check: (*builder).checkEntries,
			build: (*builder).entriesRow,
		},
	}
}

// findMapping finds the mapping of a row, nil if it has none. It reports rows
// that have several; constant and drop count as mappings there.
func (b *builder) findMapping(w *written) bool {
	var names []string
	for _, m := range mappings() {
		if m.in(&w.Row) {
			names = append(names, m.name)
			w.mapping = &m
		}
	}
	if w.Table != "" {
		names = append(names, "table")
	}
	if w.Constant != nil {
		names = append(names, "constant")
	}
	if w.Drop != "" {
		names = append(names, "drop")
	}
	if len(names) > 1 {
		b.problem(w, w.oneMapping(names), "%s in one row: a row can have only one mapping", strings.Join(names[:2], " and "))
		return false
	}
	return true
}

// oneMapping returns the remedy for several mappings in a row.
func (w *written) oneMapping(names []string) string {
	mapping := names[0]
	switch {
	case w.Constant != nil || w.Drop != "":
		return "keep one of them"
	case w.Table == "":
		return "keep one of them, or compute both with cel"
	case mapping == "where":
		return "move the table to its parts: where: [{place: ..., table: " + w.Table + "}]"
	case slices.Contains([]string{"each", "single", "keyed", "variant"}, mapping):
		return "move the table: " + mapping + ": {table: " + w.Table + "}"
	case mapping == "text":
		return "text needs the same names in the string and in the field; if the names differ, name a field with the schema of the text, or convert it in Go, with func"
	}
	return "keep one of them: a table is for the fields of objects, and " + mapping + " for single values"
}
