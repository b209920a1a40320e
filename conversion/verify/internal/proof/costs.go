package proof

import (
	"context"
	"io/fs"
	"strings"

	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/cost"
)

// CostOptions configures a measurement.
type CostOptions struct {
	// Examples has a folder for each example table.
	Examples fs.FS
	// Tables is the number of tables to generate in addition, from Seed.
	Tables int
	Seed   uint64
	// Family selects the families whose names contain it; "" selects all.
	Family string
}

// Costs tests law L8 with families of objects, each of which grows to hundreds of kilobytes.
// Most of the objects have a stash that no conversion has written. It calls each with the cost
// of each family and the number of families. It returns the violations. Those that are known
// are in package cost, and are not returned; if all families are tested, it also returns known
// violations that no longer occur. All families take about ten minutes.
func Costs(ctx context.Context, o CostOptions, each func(verdict string, of int)) (wrong []string, err error) {
	all, err := cost.Families(o.Examples)
	if err != nil {
		return nil, err
	}
	for n := range o.Tables {
		f, err := cost.Drawn(o.Seed, uint64(n))
		if err != nil {
			return nil, err
		}
		all = append(all, f)
	}
	var families []cost.Family
	for _, f := range all {
		if strings.Contains(f.Name, o.Family) {
			families = append(families, f)
		}
	}
	var verdicts []cost.Verdict
	broken, err := cost.Run(ctx, families, func(v cost.Verdict) {
		verdicts = append(verdicts, v)
		each(v.String(), len(families))
	})
	if err != nil {
		return nil, err
	}
	for _, v := range broken {
		wrong = append(wrong, v.String())
	}
	if len(families) == len(all) {
		for _, mended := range cost.Mended(verdicts) {
			wrong = append(wrong, "no family shows this shortfall any more, strike it from the list: "+mended)
		}
	}
	return wrong, nil
}
