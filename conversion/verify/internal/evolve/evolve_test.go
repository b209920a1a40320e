package evolve

import (
	"math/rand/v2"
	"reflect"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/draw"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/weave"
)

// Each change is possible in some generated table, and changes it. One that is not possible may
// change it as well: Change drops the copy.
func TestChanges(t *testing.T) {
	for _, kind := range changes() {
		made := 0
		for seed := range uint64(200) {
			g := &draw.Generator{Rand: rand.New(rand.NewPCG(seed, 1))}
			crd, table := (&weave.Tables{Rand: g.Rand, Functions: true}).Generate()
			nextCRD, next := crd.DeepCopy(), table.DeepCopy()
			if !kind.make(changer{g}, nextCRD, next) {
				continue
			}
			if !reflect.DeepEqual(crd, nextCRD) || !reflect.DeepEqual(table, next) {
				made++
			}
		}
		if made < 2 {
			t.Errorf("%s: changed %d of 200 tables", kind.class, made)
		}
	}
}

func TestChangeLeavesItsArguments(t *testing.T) {
	orders := map[Order]int{}
	var seen draw.Coverage
	for seed := range uint64(100) {
		g := &draw.Generator{Rand: rand.New(rand.NewPCG(seed, 2)), Seen: &seen}
		crd, table := (&weave.Tables{Rand: g.Rand}).Generate()
		wasCRD, was := crd.DeepCopy(), table.DeepCopy()
		orders[Change(g, crd, table, func(*apiextensionsv1.CustomResourceDefinition, *v1alpha1.Crosswalk) bool { return true })]++
		if !reflect.DeepEqual(crd, wasCRD) || !reflect.DeepEqual(table, was) {
			t.Fatalf("seed %d: it changed what it was given", seed)
		}
	}
	if orders[Later] < 10 || orders[Earlier] < 10 {
		t.Errorf("too few of one order: %v", orders)
	}
	if seen.Of("change/several") == 0 || seen.Of("change/rows, undone") == 0 {
		t.Errorf("these were not counted: %s", &seen)
	}
}

func TestChangeGivesUp(t *testing.T) {
	calls := 0
	g := &draw.Generator{Rand: rand.New(rand.NewPCG(3, 3))}
	crd, table := (&weave.Tables{Rand: g.Rand}).Generate()
	if order := Change(g, crd, table, func(*apiextensionsv1.CustomResourceDefinition, *v1alpha1.Crosswalk) bool { calls++; return false }); order != None || calls == 0 || calls > 12 {
		t.Errorf("order %d after %d attempts", order, calls)
	}
}
