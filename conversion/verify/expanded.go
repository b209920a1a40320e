package verify

import (
	"maps"
	"regexp"
	"slices"
	"strconv"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/rows"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// expanded returns a table with the values of its parameters in their places. The table must have
// been compiled: all parameters are JSON then, and all references lead to one.
func expanded(table *v1alpha1.Crosswalk) *v1alpha1.Crosswalk {
	if len(table.Spec.Parameters) == 0 {
		return table
	}
	p := parameters{}
	for name, v := range table.Spec.Parameters {
		if value, err := tree.Parse(v.JSON); err == nil {
			p[name] = value
		}
	}
	out := table.DeepCopy()
	rows.EachList(out, func(rows *[]v1alpha1.Row) {
		for i := range *rows {
			p.fillIn(&(*rows)[i])
		}
	})
	out.Spec.Parameters = nil
	return out
}

// parameters has the values of a table's parameters.
type parameters map[string]*tree.Value

func (p parameters) fillIn(r *v1alpha1.Row) {
	r.EachValue(func(_ string, v *v1alpha1.Value) {
		if value, err := tree.Parse(v.JSON); err == nil {
			v.JSON = p.value(value).Append(nil)
		}
	})
	if r.CEL == nil {
		return
	}
	for _, e := range []*v1alpha1.Expressions{r.CEL.ToHub, r.CEL.ToSpoke} {
		if e == nil {
			continue
		}
		e.One = p.expression(e.One)
		for name, text := range e.Named {
			e.Named[name] = p.expression(text)
		}
	}
}

// value returns a value in which parameters are replaced by their values, at any depth.
func (p parameters) value(v *tree.Value) *tree.Value {
	if name := v.Get("$parameter"); name != nil && p[name.Text] != nil {
		return p[name.Text]
	}
	for i := range v.Items {
		v.Items[i] = p.value(v.Items[i])
	}
	for i := range v.Members {
		v.Members[i].Value = p.value(v.Members[i].Value)
	}
	return v
}

// expression returns an expression in which parameters are replaced by their values, as CEL.
func (p parameters) expression(text string) string {
	for _, name := range slices.Sorted(maps.Keys(p)) {
		literal := "(" + p[name].String() + ")"
		if p[name].Kind == tree.String {
			literal = strconv.Quote(p[name].Text) // CEL lacks some escapes of JSON
		}
		text = regexp.MustCompile(`\bparameters\.`+regexp.QuoteMeta(name)+`\b`).ReplaceAllLiteralString(text, literal)
	}
	return text
}
