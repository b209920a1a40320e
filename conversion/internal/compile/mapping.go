package compile

import (
	"slices"
	"strings"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
)

// rowMapping describes one mapping of the language to the compiler. Everything else about a mapping
// is in the file with its name.
type rowMapping struct {
	name string
	// in reports whether a row has the mapping.
	in func(*v1alpha1.Row) bool
	// check reports mistakes that do not depend on the schemas. It may be nil.
	check func(*builder, *writtenRow)
	// build compiles the mapping. It sets what the row needs, or reports problems and returns
	// false.
	build func(*builder, *writtenRow, *plan.Row) bool
	// parts says that one side may name several fields.
	parts bool
	// alone says that it may compute a field that only one version has.
	alone bool
	// elements says that it maps elements, so that a default has no meaning for it.
	elements bool
	// kinds says that it must know the types of both sides.
	kinds bool
	// beside returns the type of a field for anything, if its counterpart has a type, or nil if
	// that is not known or not needed. It may be nil.
	beside func(w *writtenRow, counterpart *schema.Schema) *schema.Schema
}

// mappings returns all mappings, in the order in which messages list them.
func mappings() []rowMapping {
	return []rowMapping{
		{
			name: "template", kinds: true, parts: true,
			beside: (*writtenRow).templateBeside,
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
			beside: (*writtenRow).joinBeside,
			in:     func(r *v1alpha1.Row) bool { return r.Join != nil },
			check:  (*builder).checkJoin,
			build:  (*builder).joinRow,
		},
		{
			name: "text", kinds: true,
			beside: (*writtenRow).textBeside,
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
			beside: (*writtenRow).keyedBeside,
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

// findMapping sets the mapping of a row, or nil if it has none. It reports rows with several;
// constant and drop are treated as mappings there.
func (b *builder) findMapping(w *writtenRow) bool {
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
func (w *writtenRow) oneMapping(names []string) string {
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
