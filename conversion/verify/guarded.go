package verify

import (
	"bytes"
	"context"
	"fmt"

	"github.com/crosswalk-dev/crosswalk/conversion"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// guard is a converter that can tell which entries are valid in a write. *conversion.Converter is
// one.
type guard interface {
	Guard(ctx context.Context, dst, object, old []byte, manager string) ([]byte, error)
}

var _ guard = (*conversion.Converter)(nil)

// checkGuarded checks the guard of writes: an edit of a view has the same effect whatever the client
// does with the stashes. One client removes them, one writes those of the object before its last
// edit, and one makes some up. The guard gives all of them what it gives to a client that leaves
// them unchanged. The result means the same as the edit to the version that the object had before.
// It has no entry that is invalid, or that its owner has given up, and a new object has no entry
// about its status.
func (s *Subject) checkGuarded(c Case) *Counterexample {
	g, ok := s.converter.(guard)
	if !ok {
		return nil
	}
	t := s.start(c)
	first := t.bytes
	t.to(c.Through[0])
	if t.broken != "" {
		return t.counterexample(c, t.broken, nil)
	}
	old, before := t.bytes, t.value
	t.edit(c.Edits)
	if t.broken != "" {
		return t.counterexample(c, t.broken, nil)
	}
	want, err := g.Guard(context.Background(), nil, t.bytes, old, "")
	if err != nil {
		return t.counterexample(c, "the guard fails: "+err.Error(), nil)
	}
	for _, tampered := range s.tampered(t.value, first) {
		got, err := g.Guard(context.Background(), nil, tampered, old, "")
		if err != nil {
			return t.counterexample(c, fmt.Sprintf("the guard fails for %s: %v", tampered, err), nil)
		}
		if diff := s.differ(want, got); diff != nil {
			return t.counterexample(c, fmt.Sprintf("the guard gives something else for %s", tampered), diff)
		}
	}
	guarded := t.fork()
	guarded.bytes = want
	if guarded.value, err = tree.Parse(want); err != nil {
		return t.counterexample(c, "the guard gives no I-JSON: "+err.Error(), nil)
	}
	if diff := t.differs(t.value, guarded.value); diff != nil {
		return t.counterexample(c, "the guard changes more than stashes", diff)
	}
	if s.statusApart(t.version) {
		// The API server keeps the stored status.
		for _, stored := range []*trip{t, guarded} {
			stored.value = stored.value.Clone()
			stored.value.Set("status", before.Get("status").Clone())
			stored.bytes = stored.value.Append(nil)
		}
	}
	if found := guarded.checkValid(c, g); found != nil {
		return found
	}
	again, err := g.Guard(context.Background(), nil, guarded.bytes, guarded.bytes, "")
	if err != nil || !bytes.Equal(again, guarded.bytes) {
		return t.counterexample(c, fmt.Sprintf("the guard changes what it has given: %s", again), nil)
	}
	for _, check := range []func(*trip, Case, guard) *Counterexample{(*trip).checkGivenUp, (*trip).checkCreated} {
		if found := check(guarded.fork(), c, g); found != nil {
			return found
		}
	}
	t.to(c.From)
	guarded.to(c.From)
	if t.broken != "" || guarded.broken != "" {
		return t.counterexample(c, t.broken+guarded.broken, nil)
	}
	if diff := t.differs(t.value, guarded.value); diff != nil {
		return guarded.counterexample(c, "what the guard gives means something else to the other version", diff)
	}
	return nil
}

// statusApart reports whether status is a subresource of a version.
func (s *Subject) statusApart(version string) bool {
	for _, v := range s.CRD.Spec.Versions {
		if v.Name == version {
			return v.Subresources != nil && v.Subresources.Status != nil
		}
	}
	return false
}

// tampered returns a view with other stashes: without any, and with those of another object, as a
// client with an old copy would write them.
func (s *Subject) tampered(view *tree.Value, first []byte) [][]byte {
	bare := view.Clone()
	metadata := bare.Get("metadata")
	if metadata != nil && metadata.Get("annotations") != nil {
		annotations := metadata.Get("annotations")
		var left []tree.Member
		for _, m := range annotations.Members {
			if !ours(m.Name) {
				left = append(left, m)
			}
		}
		annotations.Members = left
	}
	forged := bare.Clone()
	if forged.Get("metadata") == nil {
		forged.Set("metadata", tree.NewObject())
	}
	if forged.Get("metadata").Get("annotations") == nil {
		forged.Get("metadata").Set("annotations", tree.NewObject())
	}
	for _, version := range s.Versions() {
		text := `{"format":1,"entries":[{"at":["spec"],"value":{"forged":true}},{"at":["forged"],"value":1}]}`
		if len(first)%2 == 0 {
			text = "forged"
		}
		forged.Get("metadata").Get("annotations").Set("stash.crosswalk.dev/"+version, tree.NewString(text))
	}
	return [][]byte{bare.Append(nil), forged.Append(nil)}
}

// differ compares two guarded objects with their stashes. An empty map is the same as none.
func (s *Subject) differ(a, b []byte) []tree.Difference {
	left, errLeft := tree.Parse(a)
	right, errRight := tree.Parse(b)
	if errLeft != nil || errRight != nil {
		return []tree.Difference{{Left: left, Right: right}}
	}
	for _, v := range []*tree.Value{left, right} {
		if metadata := v.Get("metadata"); metadata != nil && metadata.Kind == tree.Object {
			if annotations := metadata.Get("annotations"); annotations != nil && len(annotations.Members) == 0 {
				metadata.Set("annotations", nil)
			}
			if len(metadata.Members) == 0 {
				v.Set("metadata", nil)
			}
		}
	}
	return tree.Diff(left, right)
}
