package verify

import (
	"fmt"
	"math/rand/v2"

	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/draw"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// Judge puts one table to the laws, object by object, for a caller that decides
// how far to go and what to tell on the way. It keeps the table as it is: what it
// finds is made small, but not the table. It must not be used by several
// goroutines.
type Judge struct {
	Subject *Subject
	// Seed makes a judgement repeatable.
	Seed uint64
	// Most is how many cases of each law are tried on generated objects.
	Most int

	// Watch, if it is there, is shown every generated object and its version.
	Watch func(object []byte, version string)

	// Tried counts the cases by their laws, and Samples those among them that
	// were made of samples.
	Tried, Samples map[Law]int
	// Seen counts the classes of input.
	Seen draw.Coverage
	// Uses says which rows had something to do.
	Uses Uses
	// Found are the counterexamples, at most one for each law.
	Found map[Law]*Found
}

// Found is a counterexample and the object that it was made from.
type Found struct {
	*Counterexample
	// Generated is the number of the object, from 1, or 0 for a sample.
	Generated int
	// Sample is the name of the sample, if it was one.
	Sample string
}

// NewJudge makes a judge of a table.
func NewJudge(s *Subject, seed uint64, most int) *Judge {
	return &Judge{
		Subject: s, Seed: seed, Most: most,
		Tried: map[Law]int{}, Samples: map[Law]int{}, Found: map[Law]*Found{},
		Uses: newUses(s.Table),
	}
}

// rounds is how often a sample is judged: as it is, and then with other edits on
// other ways.
const rounds = 5

// unlikely is how many objects in a row may bring no case of a law that still
// lacks some, until that law is given up: some need three versions.
const unlikely = 200

// Generated judges the objects from 0 on, as many as it takes for the cases of
// every law that there is one for. It calls between after each, and ends when
// that returns false.
func (j *Judge) Generated(between func() bool) {
	idle := 0
	for i := 0; idle < unlikely && j.Most > 0; i++ {
		before := j.made()
		r := rand.New(rand.NewPCG(j.Seed, uint64(i)))
		for _, c := range j.Subject.cases(r, &j.Seen) {
			j.Uses.see(c)
			if c.Law == Native && j.Watch != nil { // every object makes one such case
				j.Watch(c.Object, c.From)
			}
			if j.Tried[c.Law]-j.Samples[c.Law] < j.Most {
				j.try(c, Found{Generated: i + 1})
			}
		}
		if idle++; j.made() > before {
			idle = 0
		} else if j.enough() {
			return
		}
		if !between() {
			return
		}
	}
}

// made is the number of cases of generated objects.
func (j *Judge) made() int {
	n := 0
	for law, tried := range j.Tried {
		n += tried - j.Samples[law]
	}
	return n
}

// enough reports whether no law that any case was for lacks cases.
func (j *Judge) enough() bool {
	for law, tried := range j.Tried {
		if tried-j.Samples[law] < j.Most && j.Found[law] == nil {
			return false
		}
	}
	return len(j.Tried) > 0
}

// Sample judges a real object of any version, by its name for reports. Values of
// places that the table calls sensitive are replaced before. The error says why it
// cannot be judged.
func (j *Judge) Sample(name string, number int, object []byte) error {
	v, err := tree.Parse(object)
	if err != nil {
		return err
	}
	version, ok := j.Subject.convertible(v)
	if !ok {
		return fmt.Errorf("it is no %s that could be converted: its version must be one of %v, and its labels and annotations texts", j.Subject.CRD.Spec.Names.Kind, j.Subject.Versions())
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
	s := &shrinker{best: found, left: shrinkTries}
	for again := true; again && s.left > 0; {
		again = s.way() || s.object() || s.edits() || s.insideEdits() || s.damage()
	}
	return s.best
}
