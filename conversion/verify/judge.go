package verify

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/draw"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// Judge tests one table against the laws, object by object. Its caller decides how far to go,
// and reports progress. A Judge reduces the objects of counterexamples, but does not change the
// table. It must not be used by several goroutines at a time.
type Judge struct {
	Subject *Subject
	// Seed makes the test repeatable.
	Seed uint64
	// Most is the number of cases of each law with generated objects.
	Most int

	// Watch is called with every generated object and its version, if it is not nil.
	Watch func(object []byte, version string)

	// Tried is the number of cases of each law, and Samples the number of those that were made
	// from samples.
	Tried, Samples map[Law]int
	// Seen counts the classes of input.
	Seen draw.Coverage
	// Uses counts how often the fields of each row had values.
	Uses Uses
	// Found has the counterexamples, at most one for each law.
	Found map[Law]*Found
}

// Found is a counterexample and its origin.
type Found struct {
	*Counterexample
	// Generated is the number of the generated object, from 1, or 0 for a sample.
	Generated int
	// Sample is the name of the sample, or "".
	Sample string
}

// NewJudge returns a Judge for a table.
func NewJudge(s *Subject, seed uint64, most int) *Judge {
	return &Judge{
		Subject: s, Seed: seed, Most: most,
		Tried: map[Law]int{}, Samples: map[Law]int{}, Found: map[Law]*Found{},
		Uses: newUses(s.Table),
	}
}

// rounds is how often a sample is tested: as it is, and then with other edits and other versions.
const rounds = 5

// unlikely is the number of objects after which a law is given up that lacks cases: some laws need
// three versions, or rows of some kind.
const unlikely = 200

// Generated tests generated objects until every law has enough cases, except for laws that no
// object gives a case for. It calls between after each object, and ends if that returns false.
func (j *Judge) Generated(between func() bool) {
	idle := 0
	for i := 0; idle < unlikely && j.Most > 0; i++ {
		before := j.triedGenerated()
		r := rand.New(rand.NewPCG(j.Seed, uint64(i)))
		for _, c := range j.Subject.Cases(r, &j.Seen) {
			j.Uses.see(c)
			if c.Law == Native && j.Watch != nil { // every object makes one such case
				j.Watch(c.Object, c.From)
			}
			if j.Tried[c.Law]-j.Samples[c.Law] < j.Most {
				j.try(c, Found{Generated: i + 1})
			}
		}
		if idle++; j.triedGenerated() > before {
			idle = 0
		} else if j.hasEnough() {
			return
		}
		if !between() {
			return
		}
	}
}

// triedGenerated returns the number of cases of generated objects.
func (j *Judge) triedGenerated() int {
	n := 0
	for law, tried := range j.Tried {
		n += tried - j.Samples[law]
	}
	return n
}

// hasEnough reports whether every law that has any cases has enough.
func (j *Judge) hasEnough() bool {
	for law, tried := range j.Tried {
		if tried-j.Samples[law] < j.Most && j.Found[law] == nil {
			return false
		}
	}
	return len(j.Tried) > 0
}

// Sample tests a real object of any version. Name identifies it in reports. The values of
// sensitive fields are replaced first. It returns an error if the object can't be tested.
func (j *Judge) Sample(name string, number int, object []byte) error {
	v, err := tree.Parse(object)
	if err != nil {
		return err
	}
	version, ok := j.Subject.convertible(v)
	if !ok {
		return fmt.Errorf("it can't be converted as a %s: its version must be one of %v, and its labels and annotations must be strings", j.Subject.CRD.Spec.Names.Kind, j.Subject.Versions())
	}
	v = j.Subject.hide(v, version)
	for round := range rounds {
		r := rand.New(rand.NewPCG(j.Seed+1, uint64(number*rounds+round)))
		g := &generator{draw.Generator{Rand: r, Seen: &j.Seen, Hints: j.Subject.hints}}
		// The API server prunes what it stores.
		pruned, from := coerce(v, j.Subject.schemas[version]), version
		if round > 0 && g.Chance(50) {
			pruned, from = j.Subject.walk(g, pruned, from)
		}
		for _, c := range j.Subject.casesOf(g, pruned, from) {
			j.Uses.see(c)
			j.Samples[c.Law]++
			j.try(c, Found{Sample: name})
		}
	}
	return nil
}

func (j *Judge) try(c Case, from Found) {
	if j.Found[c.Law] != nil {
		return
	}
	j.Tried[c.Law]++
	if found := j.Subject.Check(c); found != nil {
		from.Counterexample = smaller(found)
		j.Found[c.Law] = &from
	}
}

// smaller makes a counterexample smaller as Shrink does, on the same table.
func smaller(found *Counterexample) *Counterexample {
	s := &shrinker{ctx: context.Background(), best: found, left: shrinkTries}
	s.repeat(s.way, s.object, s.edits, s.insideEdits, s.damage)
	return s.best
}
