package cost

import (
	"cmp"
	"fmt"
	"math"
	"strings"
	"time"
)

// Family is a way to write objects of any size that may cost a conversion much.
type Family struct {
	// Name says what is in the objects, such as "star: 16,000 variables, forged contents".
	Name string
	// Converter converts the objects To a version.
	Converter Converter
	To        string
	// Object writes an object of about so many bytes.
	Object func(size int) []byte
	// Size is how large the largest is that is judged, in bytes.
	Size int
	Law  Law
	// group names those families of which the short form takes one. It is empty for those that
	// were found or made up by hand, of which it takes each.
	group string
}

// Verdict says what the objects of a family cost.
type Verdict struct {
	Family Family
	// Costs are those of the objects of a quarter, a half and the whole of the size. Larger
	// ones are left out once one has cost far too much.
	Costs []Cost
	// Deaf is how long it works on without a look whether its caller has gone, with the largest
	// of these objects.
	Deaf time.Duration
	// Exponent is how the time grows with the length of the object, where 1 is as decoding
	// does; 0 where that cannot be told.
	Exponent float64
}

// Times returns the greatest number of times of decoding's time.
func (v Verdict) Times() float64 {
	most := 0.0
	for _, c := range v.Costs {
		most = max(most, c.Times(v.Family.Law))
	}
	return most
}

// Trees returns the greatest number of trees.
func (v Verdict) Trees() float64 {
	most := 0.0
	for _, c := range v.Costs {
		most = max(most, c.Trees(v.Family.Law))
	}
	return most
}

// Broken names what of a law the family breaks, nothing if it keeps it: its own law, or one that
// is no stricter.
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

// tellable is how long the largest object must take for its growth to be told: what is
// shorter is mostly what every conversion costs.
const tellable = 20 * time.Millisecond

// Judge measures a family. An error says that an object cannot be converted at all.
func Judge(f Family) (Verdict, error) {
	v := Verdict{Family: f}
	sizes := []int{f.Size / 4, f.Size / 2, f.Size}
	if math.IsInf(f.Law.Exponent, 1) {
		sizes = sizes[2:] // nobody asks how the time grows
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

// exponent returns how the time grows from one object to a larger one, compared with decoding,
// whose own growth is that of the processor's caches and of the collector's work. The law's slack
// is added, so that what every conversion costs does not matter.
func exponent(small, large Cost, law Law) float64 {
	if large.Time < tellable || large.Bytes <= small.Bytes {
		return 0
	}
	growth := func(a, b time.Duration) float64 {
		return math.Log(float64(b)/float64(a)) / math.Log(float64(large.Bytes)/float64(small.Bytes))
	}
	return growth(small.Time+law.Slack, large.Time+law.Slack) - max(0, growth(small.Decoding, large.Decoding)-1)
}
