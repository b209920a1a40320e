package compile

import (
	"fmt"
	"strings"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/expression"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/path"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
)

// withoutDefault returns a remedy: how the expressions of a row handle the default themselves. They
// read an absent field as the default, and write the default as absence.
func (w *writtenRow) withoutDefault() string {
	remedies := []string{"remove default"}
	for side, v := range [...]*v1alpha1.Value{w.Default.Spoke, w.Default.Hub} {
		place, computed := w.side(plan.Side(side)), w.expressions(plan.Side(side))
		if v == nil || place == nil || place.Named != nil || computed == nil || computed.Named != nil {
			continue
		}
		p, err := path.Parse(place.Path)
		if err != nil || len(p) <= len(w.prefix[side]) {
			continue
		}
		read, way := expression.Optional(p[len(w.prefix[side]):]), plan.Side(side)
		remedies = append(remedies, fmt.Sprintf("let %s read %s.orValue(%s)", direction(way.Other()), read, v.JSON),
			fmt.Sprintf("and write %[1]s: (%[2]s) == %[3]s ? optional.none() : optional.of(%[2]s)", direction(way), computed.One, v.JSON))
	}
	if len(remedies) == 1 {
		return "remove default, and read the field as in self.?spec.?name.orValue('none')"
	}
	return strings.Join(remedies, ", ")
}
