package verify

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// checkValid checks that a guarded view has no invalid entry: with the status that the API server
// stores, converting it to the owner of a stash and back gives the same stash. Otherwise an old
// value could be restored once the view has its former content again.
func (t *trip) checkValid(c Case, _ guard) *Counterexample {
	before := stashesOf(t.value)
	for _, owner := range t.s.Versions() {
		names := []string{stash.Prefix + owner, stash.Prefix + owner + stash.StatusSuffix}
		if owner == t.version || before[names[0]] == "" && before[names[1]] == "" {
			continue
		}
		there := t.fork().to(owner)
		back := there.fork().to(t.version)
		if back.broken != "" || there.incomplete() || back.incomplete() {
			continue
		}
		for _, name := range names {
			if after := stashesOf(back.value)[name]; after != before[name] {
				return back.counterexample(c, fmt.Sprintf("the guard keeps what does not hold: %s is %s and becomes %s", name, before[name], after), nil)
			}
		}
	}
	return nil
}

func (t *trip) incomplete() bool {
	return t.value.At(tree.Names("metadata", "annotations", stash.Incomplete)) != nil
}

// checkGivenUp checks that an entry is removed when the client that has applied its field in the owner's
// version applies this version without it, and that the other entries stay.
func (t *trip) checkGivenUp(c Case, g guard) *Counterexample {
	owner, entry := t.plainEntry()
	if entry == nil {
		return nil
	}
	fields := map[string]any{}
	for i := len(entry) - 1; i >= 0; i-- {
		fields = map[string]any{"f:" + entry[i]: fields}
	}
	old, now := t.fork(), t.fork()
	old.manage(t.s.apiVersion(owner), fields)
	now.manage(t.s.apiVersion(t.version), map[string]any{})
	now.value = withoutOurs(now.value)
	now.bytes = now.value.Append(nil)
	for _, other := range []struct {
		old  *trip
		goes bool
	}{{old, true}, {t, false}} {
		out, err := g.Guard(context.Background(), nil, now.bytes, other.old.bytes, "")
		if err != nil {
			return now.counterexample(c, "the guard fails: "+err.Error(), nil)
		}
		v, err := tree.Parse(out)
		if err != nil {
			return now.counterexample(c, "the guard gives no I-JSON: "+err.Error(), nil)
		}
		if at := strings.Join(entry, "."); stashHas(v, owner, entry) == other.goes {
			return now.counterexample(c, map[bool]string{
				true:  "the guard keeps an entry that was taken back: " + at + " of " + owner,
				false: "the guard drops an entry that nobody has taken back: " + at + " of " + owner,
			}[other.goes], nil)
		}
	}
	return nil
}

// plainEntry returns the owner and the names of an entry of another version's stash, not of status,
// that has a value for a field in no list.
func (t *trip) plainEntry() (owner string, names []string) {
	stashes := stashesOf(t.value)
	for _, version := range t.s.Versions() {
		entries, _, err := stash.Read(nil, []byte(stashes[stash.Prefix+version]))
		if version == t.version || err != nil {
			continue
		}
		for _, e := range entries {
			if e.Value == nil || e.Guard != nil || e.Order != nil || string(e.Value) == "{}" {
				continue
			}
			names = names[:0]
			for _, s := range e.At {
				if s.Key != nil || s.Content != nil || s.Part != nil || len(s.Name) == 0 {
					names = nil
					break
				}
				names = append(names, string(s.Name))
			}
			if len(names) > 0 && t.s.schemaAt(tree.Names(names...), version) != nil && t.s.plainWay(names, version) {
				return version, names
			}
		}
	}
	return "", nil
}

// plainWay reports whether a field is in objects that have no default, with members that the schema
// declares. If it is given up, it is gone then.
func (s *Subject) plainWay(names []string, version string) bool {
	for i := range names {
		schema := s.schemaAt(tree.Names(names[:i+1]...), version)
		parent := s.schemaAt(tree.Names(names[:i]...), version)
		if _, declared := parent.Properties[names[i]]; !declared || schema.Default.Object != nil {
			return false
		}
	}
	return true
}

// manage adds one apply to the view's managedFields.
func (t *trip) manage(apiVersion string, fields map[string]any) {
	text, err := json.Marshal([]any{map[string]any{"manager": "gitops", "operation": "Apply", "apiVersion": apiVersion, "fieldsType": "FieldsV1", "fieldsV1": fields}})
	if err != nil {
		// the fields are maps of names, and encoding/json writes any name
		panic(err)
	}
	managed, _ := tree.Parse(text)
	t.value = t.value.Clone()
	if t.value.Get("metadata") == nil {
		t.value.Set("metadata", tree.NewObject())
	}
	t.value.Get("metadata").Set("managedFields", managed)
	t.bytes = t.value.Append(nil)
}

func stashHas(v *tree.Value, owner string, names []string) bool {
	entries, _, _ := stash.Read(nil, []byte(stashesOf(v)[stash.Prefix+owner]))
	var at []stash.Step
	for _, name := range names {
		at = append(at, stash.Step{Name: []byte(name)})
	}
	for _, e := range entries {
		if stash.SamePlace(e.At, at) && e.Value != nil {
			return true
		}
	}
	return false
}

// checkCreated checks that a new object has no stash of the view's own version, and no entry about
// status if that is a subresource.
func (t *trip) checkCreated(c Case, g guard) *Counterexample {
	own := t.fork()
	own.value = own.value.Clone()
	if annotations := own.value.At(tree.Names("metadata", "annotations")); annotations != nil {
		annotations.Set(stash.Prefix+t.version, tree.NewString(`{"format":1,"entries":[{"at":["spec","forged"],"value":1,"table":"forged","unplaced":"forged"}]}`))
		own.bytes = own.value.Append(nil)
	}
	out, err := g.Guard(context.Background(), nil, own.bytes, nil, "")
	if err != nil {
		return own.counterexample(c, "the guard fails: "+err.Error(), nil)
	}
	v, err := tree.Parse(out)
	if err != nil {
		return own.counterexample(c, "the guard gives no I-JSON: "+err.Error(), nil)
	}
	if _, kept := stashesOf(v)[stash.Prefix+t.version]; kept {
		return own.counterexample(c, "the guard keeps a stash of the version that is written", nil)
	}
	if !t.s.statusApart(t.version) {
		return nil
	}
	for name, text := range stashesOf(v) {
		if strings.HasSuffix(name, stash.StatusSuffix) && text == stashesOf(t.value)[name] {
			return own.counterexample(c, "a creation brings a status along: "+name, nil)
		}
	}
	return nil
}
