package proof

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/crosswalk-dev/crosswalk/conversion"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/path"
	"github.com/crosswalk-dev/crosswalk/conversion/verify"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/weave"
)

// An explanation gives the object that Convert gives, and explains each place of it
// once: none is left over, and none is explained that is not there. What it says of
// values is so.
func TestExplain(t *testing.T) {
	t.Parallel()
	by := map[conversion.By]int{}
	why := map[conversion.Why]int{}
	for i := range fewer(150) {
		r := rand.New(rand.NewPCG(11, uint64(i)))
		crd, table := (&weave.Tables{Rand: r}).Generate()
		s, err := verify.NewSubject(crd, table, verify.Compile)
		if err != nil {
			t.Fatal(err)
		}
		converter := compiled(t, s)
		for range 5 {
			for _, c := range s.Cases(r, nil) {
				if c.Law != verify.Native && c.Law != verify.Total {
					continue // the same objects again
				}
				e, err := converter.Explain(t.Context(), c.Object, c.Through[0])
				if err != nil {
					t.Fatalf("%s: %v", c.Object, err)
				}
				if out, err := converter.Convert(nil, c.Object, c.Through[0]); err != nil || !bytes.Equal(out, e.Object) {
					t.Fatalf("%s\nto %s: %s, and Convert gives %s, %v", c.Object, c.Through[0], e.Object, out, err)
				}
				for _, step := range e.Steps {
					for _, o := range step.Origins {
						by[o.By]++
					}
					for _, k := range step.Kept {
						why[k.Why]++
					}
				}
				if len(e.Steps) > 0 {
					checkOrigins(t, string(c.Object), e)
				}
				if t.Failed() {
					return
				}
			}
		}
	}
	if !testing.Short() && (len(by) < 6 || len(why) < 6) {
		t.Errorf("some are missing: %v, %v", by, why)
	}
}

// So does one of an object that was stored under an earlier table.
func TestExplainEvolved(t *testing.T) {
	t.Parallel()
	stored := 0
	for i := range fewer(150) {
		r := rand.New(rand.NewPCG(12, uint64(i)))
		crd, table := (&weave.Tables{Rand: r}).Generate()
		s, err := verify.NewSubject(crd, table, verify.Compile)
		if err != nil {
			t.Fatal(err)
		}
		later := evolved(r, nil, s, verify.Compile)
		if later == nil {
			continue
		}
		earlier, now := compiled(t, later.Earlier()), compiled(t, later)
		for range 10 {
			for _, c := range later.Cases(r, nil) {
				in, to := c.Object, c.Through[1]
				if c.From != c.Through[0] {
					if in, err = earlier.Convert(nil, c.Object, c.Through[0]); err != nil {
						continue // for the laws to say
					}
				}
				out, err := now.Convert(nil, in, to)
				if err != nil {
					continue
				}
				e, err := now.Explain(t.Context(), in, to)
				if err != nil || !bytes.Equal(out, e.Object) {
					t.Fatalf("%s\nto %s: %s, %v, and Convert gives %s", in, to, e.Object, err, out)
				}
				if checkOrigins(t, string(in), e); t.Failed() {
					return
				}
				stored++
			}
		}
	}
	if stored < 100 {
		t.Errorf("only %d objects were stored under an earlier table", stored)
	}
}

func compiled(t *testing.T, s *verify.Subject) *conversion.Converter {
	t.Helper()
	c, err := conversion.Compile(s.CRD, s.Table)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// checkOrigins holds the last step to the object.
func checkOrigins(t *testing.T, in string, e *conversion.Explanation) {
	t.Helper()
	v, err := tree.Parse(e.Object)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]*tree.Value{}
	var walk func(v *tree.Value, at string)
	walk = func(v *tree.Value, at string) {
		all[at] = v
		for i, item := range v.Items {
			walk(item, at+fmt.Sprintf("[%d]", i))
		}
		for _, m := range v.Members {
			walk(m.Value, at+path.Path{m.Name}.String())
		}
	}
	walk(v, "")
	explained := map[string]bool{}
	for _, o := range e.Steps[len(e.Steps)-1].Origins {
		at := all[o.Path]
		if at == nil || explained[o.Path] {
			t.Errorf("%s\n%s: %s is explained, and not there, or twice: %+v", in, e.Object, o.Path, o)
			return
		}
		explained[o.Path] = true
		if o.Value != nil {
			if value, err := tree.Parse(o.Value); err != nil || value.Kind != at.Kind {
				t.Errorf("%s\n%s: %s is %s: %+v", in, e.Object, o.Path, o.Value, o)
			}
		}
	}
	var leaves func(v *tree.Value, at string)
	leaves = func(v *tree.Value, at string) {
		if explained[at] || at == ".apiVersion" || strings.HasPrefix(at, ".metadata.annotations['") && strings.Contains(at, "crosswalk.dev/") {
			return
		}
		if len(v.Items)+len(v.Members) == 0 && at != "" {
			t.Errorf("%s\n%s: %s is not explained: %v", in, e.Object, at, explained)
		}
		for i, item := range v.Items {
			leaves(item, at+fmt.Sprintf("[%d]", i))
		}
		for _, m := range v.Members {
			leaves(m.Value, at+path.Path{m.Name}.String())
		}
	}
	leaves(v, "")
}
