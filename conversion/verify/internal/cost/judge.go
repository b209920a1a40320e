package cost

import (
	"cmp"
	"fmt"
	"math"
	"strings"
	"time"
)

// Family is a way to write objects of any size that may be expensive to convert.
type Family struct {
	// Name describes the objects, such as "star: 16,000 variables, forged contents".
	Name string
	// Converter converts the objects to the version To.
	Converter Converter
	To        string
	// Object writes an object of about a size in bytes.
	Object func(size int) []byte
	// Size is the size of the largest object, in bytes.
	Size int
	Law  Law
	// group is the name of a group of families, of which the short form takes one. It is empty for
	// families that were found or made up by hand: of these the short form takes each.
	group string
}

// Verdict is what the objects of a family cost.
type Verdict struct {
	Family Family
	// Costs are those of objects of a quarter, a half and the whole of the size. Larger ones are
	// left out after one has cost far too much.
	Costs []Cost
	// Deaf is how long a conversion of the largest of these objects works without checking whether
	// its caller is gone.
	Deaf time.Duration
	// Exponent is how the time grows with the length of the object: 1 is linear, like decoding. It
	// is 0 if it could not be measured.
	Exponent float64
}

// Times returns the largest ratio of the time to that of decoding.
func (v Verdict) Times() float64 {
	most := 0.0
	for _, c := range v.Costs {
		most = max(most, c.Times(v.Family.Law))
	}
	return most
}

// Trees returns the largest ratio of the memory to that of the decoded tree.
func (v Verdict) Trees() float64 {
	most := 0.0
	for _, c := range v.Costs {
		most = max(most, c.Trees(v.Family.Law))
	}
	return most
}

// Broken returns what the family breaks of a law, which may be its own law or a less strict one.
func (v Verdict) Broken(law Law) []string {
	var broken []string
	if v.Times() > law.Times {
		broken = append(broken, fmt.Sprintf("it takes %.1f times the time of decoding and not %.3g", v.Times(), law.Times))
	}
	if v.Trees() > law.Trees {
		broken = append(broken, fmt.Sprintf("it holds %.1f times the memory of the tree and not %.3g", v.Trees(), law.Trees))
	}
	if v.Exponent > law.Exponent {
		broken = append(broken, fmt.Sprintf("the time grows with the power of %.2f and not %.3g", v.Exponent, law.Exponent))
	}
	if v.Deaf > law.Deaf {
		broken = append(broken, fmt.Sprintf("it works on for %v once its caller has gone, and not %v", v.Deaf.Round(time.Millisecond), law.Deaf))
	}
	return broken
}

func (v Verdict) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s", v.Family.Name, cmp.Or(strings.Join(v.Broken(v.Family.Law), ", "), "it keeps the law"))
	for _, c := range v.Costs {
		fmt.Fprintf(&b, "\n  %v", c)
	}
	return b.String()
}

// tellable is the least time of the largest object for which the growth is measured. Shorter times
// are mostly what every conversion costs.
const tellable = 20 * time.Millisecond

// Judge measures a family. It returns an error if an object can't be converted.
func Judge(f Family) (Verdict, error) {
	v := Verdict{Family: f}
	sizes := []int{f.Size / 4, f.Size / 2, f.Size}
	if math.IsInf(f.Law.Exponent, 1) {
		sizes = sizes[2:] // the law does not limit the growth
	}
	for _, size := range sizes {
		cost, err := Measure(f.Converter, f.Object(size), f.To, f.Law)
		if err != nil {
			return v, fmt.Errorf("%s of %d bytes: %w", f.Name, size, err)
		}
		v.Costs = append(v.Costs, cost)
		if cost.Time > endless {
			break
		}
	}
	var err error
	if v.Deaf, err = deafness(f.Converter, f.Object(sizes[len(v.Costs)-1]), f.To, f.Law.Deaf); err != nil {
		return v, fmt.Errorf("%s: %w", f.Name, err)
	}
	v.Exponent = exponent(v.Costs[0], v.Costs[len(v.Costs)-1], f.Law)
	return v, nil
}

// exponent returns how the time grows from one object to a larger one, relative to decoding, whose
// own growth is due to the processor's caches and the collector. The law's slack is added, so that
// what every conversion costs does not matter.
func exponent(small, large Cost, law Law) float64 {
	if large.Time < tellable || large.Bytes <= small.Bytes {
		return 0
	}
	growth := func(a, b time.Duration) float64 {
		return math.Log(float64(b)/float64(a)) / math.Log(float64(large.Bytes)/float64(small.Bytes))
	}
	return growth(small.Time+law.Slack, large.Time+law.Slack) - max(0, growth(small.Decoding, large.Decoding)-1)
}
