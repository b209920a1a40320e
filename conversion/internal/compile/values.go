package compile

import (
	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/diagnose"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/mapping"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
)

func (b *builder) checkValues(w *writtenRow) {
	if len(w.Values)+len(w.Inverse) == 0 {
		b.problem(w, "add values, or remove it", "values is empty")
	}
}

func (b *builder) valuesRow(w *writtenRow, r *plan.Row) bool {
	if b.leadsInto(w) {
		return false
	}
	if areValuesExchanged(&w.Row, w.pair()) {
		b.problem(w, "exchange the two: values: {VALUE OF "+b.versions[plan.Spoke]+": VALUE OF "+b.versions[plan.Hub]+"}", "values and inverse are exchanged: every key of values is in the enum of the hub, and every value is in the enum of the spoke")
		return false
	}
	v, errs := mapping.ParseValues(&w.Row, w.pair())
	for _, err := range errs {
		b.problem(w, "", "%v", err)
	}
	r.Kind, r.Mapping = plan.Map, v
	for _, side := range [...]plan.Side{plan.Spoke, plan.Hub} {
		r.Needs[side] = v.Needs(side)
	}
	return len(errs) == 0
}

// areValuesExchanged reports whether a table of values is valid only with keys and values exchanged: the
// author has written the spoke's value as the key.
func areValuesExchanged(row *v1alpha1.Row, types [2]*schema.Schema) bool {
	if len(row.Values) == 0 || len(types[plan.Spoke].Enum) == 0 || len(types[plan.Hub].Enum) == 0 {
		return false
	}
	fits := func(spoke, hub *schema.Schema) bool {
		for text, value := range row.Values {
			key, err := mapping.KeyValue(text, spoke)
			if err != nil || diagnose.InEnum(key, spoke) != nil || diagnose.InEnum(schema.Canonical(nil, value.JSON, nil), hub) != nil {
				return false
			}
		}
		return true
	}
	return !fits(types[plan.Spoke], types[plan.Hub]) && fits(types[plan.Hub], types[plan.Spoke])
}
