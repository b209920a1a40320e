package verify

import (
	"context"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/rows"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// shrinkTries bounds the work of one shrinking. A case counts once, and once more for each of
// largeObject bytes; a compilation counts once, and once more for each of someRows: both take
// about a millisecond for that.
const (
	shrinkTries = 6000
	largeObject = 16 << 10
	someRows    = 4
)

// shrinker looks for a smaller case, table and CRD that break the same law.
type shrinker struct {
	ctx     context.Context
	best    *Counterexample
	compile CompileFunc
	left    int
}

// Shrink reduces a counterexample: its object, edits, rows and schemas, as long as the same law
// stays broken. It ends early, with the smallest one so far, if ctx is done.
func Shrink(ctx context.Context, found *Counterexample, compile CompileFunc) *Counterexample {
	s := &shrinker{ctx: ctx, best: found, compile: compile, left: shrinkTries}
	s.under(found.Subject.CRD, expanded(found.Subject.Table))
	s.repeat(s.way, s.object, s.edits, s.insideEdits, s.damage, s.versions, s.rows, s.schemas, s.both)
	return s.best
}

// repeat makes all reductions in turn until none of them makes the counterexample smaller.
func (s *shrinker) repeat(reductions ...func() bool) {
	for again := true; again; {
		again = false
		for _, reduce := range reductions {
			again = reduce() || again
		}
	}
}

// spend reports whether work may still be done, and counts it.
func (s *shrinker) spend(work int) bool {
	s.left -= work
	return s.left >= 0 && s.ctx.Err() == nil
}

// with tries a case on the best subject.
func (s *shrinker) with(c Case) bool { return s.take(s.best.Subject.Check, c) }

func (s *shrinker) take(check func(Case) *Counterexample, c Case) bool {
	if !s.spend(1 + len(c.Object)/largeObject) {
		return false
	}
	found := check(c)
	if found == nil || found.Problem != s.best.Problem && (found.Diff == nil || s.best.Diff == nil) {
		return false
	}
	s.best = found
	return true
}

// under tries the best case on another table or CRD.
func (s *shrinker) under(crd *apiextensionsv1.CustomResourceDefinition, table *v1alpha1.Crosswalk) bool {
	return s.underBoth(crd, table, s.best.Subject.earlier)
}

// subject compiles a table, or returns nil if it does not compile.
func (s *shrinker) subject(crd *apiextensionsv1.CustomResourceDefinition, table *v1alpha1.Crosswalk) *Subject {
	if !s.spend(1 + rows.Count(table)/someRows) {
		return nil
	}
	subject, err := NewSubject(crd, table, s.compile)
	if err != nil {
		return nil
	}
	return subject
}

// underBoth tries the best case on another table or CRD, with earlier before it.
func (s *shrinker) underBoth(crd *apiextensionsv1.CustomResourceDefinition, table *v1alpha1.Crosswalk, earlier *Subject) bool {
	subject := s.subject(crd, table)
	return subject != nil && s.after(earlier, subject)
}

// after tries the best case on a table, with earlier before it.
func (s *shrinker) after(earlier, subject *Subject) bool {
	subject.earlier = earlier
	c := s.best.Case
	first := subject
	if earlier != nil {
		first = earlier
	}
	if v, err := tree.Parse(c.Object); err == nil && c.Law != Total {
		c.Object = coerce(v, first.schemas[c.From]).Append(nil)
	}
	return s.take(subject.Check, c)
}

// way removes versions from the trip, and the API server.
func (s *shrinker) way() bool {
	c := s.best.Case
	least := map[Law]int{LiveWins: 2, Seen: 2, Evolved: 2}[c.Law]
	for i := range c.Through {
		if len(c.Through) <= max(least, 1) {
			break
		}
		shorter := c
		shorter.Through = slices.Delete(slices.Clone(c.Through), i, i+1)
		if !repeats(shorter) && s.with(shorter) {
			return true
		}
	}
	if c.Served {
		c.Served = false
		return s.with(c)
	}
	return false
}

func repeats(c Case) bool {
	before := c.From
	for i, v := range c.Through {
		if v == before && !(i == 0 && (c.Law == LiveWins || c.Law == Seen)) {
			return true
		}
		before = v
	}
	return c.Law == RoundTrip && before == c.From
}

// object removes members and elements, the large ones first, and simplifies the others.
func (s *shrinker) object() bool {
	better := false
	for i := 0; ; {
		v, err := tree.Parse(s.best.Object)
		if err != nil {
			return better
		}
		paths := inside(v)
		if i >= len(paths) {
			return better
		}
		p := paths[i]
		isSmaller := slices.ContainsFunc(append([]*tree.Value{nil}, plainer(v.At(p))...), func(to *tree.Value) bool { return s.putAt(v, p, to) })
		if better = isSmaller || better; !isSmaller {
			i++ // otherwise the next path is at i now
		}
	}
}

// inside returns the paths in an object, without those of apiVersion and kind.
func inside(v *tree.Value) []tree.Path {
	var paths []tree.Path
	v.Walk(func(p tree.Path, _ *tree.Value) {
		if len(p) > 0 && (len(p) > 1 || p[0].Name != "apiVersion" && p[0].Name != "kind") {
			paths = append(paths, p)
		}
	})
	return paths
}

func (s *shrinker) putAt(v *tree.Value, p tree.Path, to *tree.Value) bool {
	smaller := v.Clone()
	if !smaller.Put(p, to) {
		return false
	}
	c := s.best.Case
	c.Object = smaller.Append(nil)
	return s.with(c)
}

// plainer returns simpler values of the same kind.
func plainer(v *tree.Value) []*tree.Value {
	switch {
	case v.Kind == tree.String && len(v.Text) > 1 && v.Text != "a:1":
		return []*tree.Value{tree.NewString("a"), tree.NewString("b"), tree.NewString("a:1")}
	case v.Kind == tree.Number && len(v.Text) > 1:
		return []*tree.Value{tree.NewNumber("1"), tree.NewNumber("2")}
	case v.Kind == tree.Object && len(v.Members) > 0:
		return []*tree.Value{tree.NewObject()}
	case v.Kind == tree.List && len(v.Items) > 0:
		return []*tree.Value{tree.NewList()}
	}
	return nil
}

func (s *shrinker) edits() bool {
	better := false
	for i := 0; i < len(s.best.Edits); {
		c := s.best.Case
		c.Edits = slices.Delete(slices.Clone(c.Edits), i, i+1)
		if s.with(c) {
			better = true
			continue
		}
		if v := s.best.Edits[i].Value; v != nil {
			for _, plain := range plainer(v) {
				c.Edits = slices.Clone(s.best.Edits)
				c.Edits[i].Value = plain
				if s.with(c) {
					better = true
					break
				}
			}
		}
		i++
	}
	return better
}

// versions removes versions that the case does not visit.
func (s *shrinker) versions() bool {
	crd, table := s.best.Subject.CRD, s.best.Subject.Table
	for i, v := range crd.Spec.Versions {
		if s.best.Subject.earlier != nil {
			return false // the stash of a version that is gone belongs to no version
		}
		if v.Name == table.Spec.Hub || v.Name == s.best.From || slices.Contains(s.best.Through, v.Name) {
			continue
		}
		crd, table := crd.DeepCopy(), table.DeepCopy()
		crd.Spec.Versions = slices.Delete(crd.Spec.Versions, i, i+1)
		crd.Spec.Versions[0].Storage = true
		table.Spec.Versions = slices.DeleteFunc(table.Spec.Versions, func(t v1alpha1.VersionTable) bool { return t.Name == v.Name })
		if s.under(crd, table) {
			return true
		}
	}
	return false
}
