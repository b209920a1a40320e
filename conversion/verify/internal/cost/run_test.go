package cost

import (
	"context"
	"os"
	"testing"
)

// L8 in a form that takes seconds. The whole of it is make prove.
func TestCosts(t *testing.T) {
	all, err := Families(os.DirFS("../../../../examples"))
	if err != nil {
		t.Fatal(err)
	}
	wrong, err := Run(context.Background(), Short(all), func(Verdict) {})
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range wrong {
		t.Error(v)
	}
}
