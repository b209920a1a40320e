package cost

import (
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
}

// Verdict says what the objects of a family cost.
type Verdict struct {
	Family Family
	// Costs are those of the objects of a quarter, a half and the whole of the size. Larger
	// ones are left out once one has cost far too much.
	Costs []Cost
	// Exponent is how the time grows with the length of the object, 0 where that cannot be told.
	Exponent float64
}

// Times is the greatest number of times of the decoder's time.
func (v Verdict) Times() float64 {
	most := 0.0
	for _, c := range v.Costs {
		most = max(most, c.Times(v.Family.Law))
	}
	return most
}

// Trees is the greatest number of trees.
func (v Verdict) Trees() float64 {
	most := 0.0
	for _, c := range v.Costs {
		most = max(most, c.Trees(v.Family.Law))
	}
	return most
}

// Broken names what of the law the family breaks, nothing if it keeps the law.
func (v Verdict) Broken() []string {
	law := v.Family.Law
	var broken []string
	if v.Times() > law.Times {
		broken = append(broken, fmt.Sprintf("it takes %.1f times the time of decoding and not %v", v.Times(), law.Times))
	}
	if v.Trees() > law.Trees {
		broken = append(broken, fmt.Sprintf("it holds %.1f times the memory of the tree and not %v", v.Trees(), law.Trees))
	}
	if v.Exponent > law.Exponent {
		broken = append(broken, fmt.Sprintf("the time grows with the power of %.2f and not %v", v.Exponent, law.Exponent))
	}
	return broken
}

func (v Verdict) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s (to %s): %s", v.Family.Name, v.Family.To, strings.Join(v.Broken(), ", "))
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
	for _, size := range []int{f.Size / 4, f.Size / 2, f.Size} {
		cost, err := Measure(f.Converter, f.Object(size), f.To, f.Law)
		if err != nil {
			return v, fmt.Errorf("%s of %d bytes: %w", f.Name, size, err)
		}
		v.Costs = append(v.Costs, cost)
		if cost.Time > endless {
			break
		}
	}
	first, last := v.Costs[0], v.Costs[len(v.Costs)-1]
	if last.Time > tellable && last.Bytes > first.Bytes {
		v.Exponent = math.Log(float64(last.Time)/float64(first.Time)) / math.Log(float64(last.Bytes)/float64(first.Bytes))
	}
	return v, nil
}
