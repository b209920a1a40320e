package proof

import (
	"context"
	"os"
	"testing"

	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/cost"
)

// L8 in a form that takes seconds. The whole of it is make prove.
func TestCosts(t *testing.T) {
	families, err := cost.Families(os.DirFS("../../../../examples"))
	if err != nil {
		t.Fatal(err)
	}
	wrong, err := cost.Run(context.Background(), cost.Short(families), func(cost.Verdict) {})
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range wrong {
		t.Error(v)
	}
}
