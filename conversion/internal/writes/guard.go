// Package writes decides which stashes of an object count when it is written, and
// whether they have room.
package writes

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/managed"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/object"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
)

// Guard knows the kind that it guards, however that is converted.
type Guard struct {
	Group    string
	Versions []string
	// HasStatus reports whether a version's status is a subresource.
	HasStatus map[string]bool
	// Convert converts an object and says how many entries had no room in its
	// annotations.
	Convert func(object []byte, to string) (out []byte, leftOut int, err error)
}

// Settle appends an object that is written in a version to dst, with the stashes that count and
// nothing else changed. old is nil if it is created. Both have been checked. manager is the field
// manager of the write, if it is known.
func (g Guard) Settle(dst, now, old []byte, version, manager string) []byte {
	head := object.ReadHead(now)
	before := object.Head{Ours: g.creatable(head.Ours, version)}
	if old != nil {
		before = object.ReadHead(old)
	}
	count := g.counting(head, before, version, manager)
	stored := object.WithOurs(nil, now, count)
	if g.HasStatus[version] {
		// The API server puts status back as it was, or leaves it out of what is
		// created, but only after it has asked for admission
		// (k8s.io/apiextensions-apiserver/pkg/registry/customresource/strategy.go).
		stored = object.WithMember(nil, stored, "status", object.Member(old, "status"))
	}
	count = g.settled(stored, count, version)
	if old == nil {
		count = g.creatable(count, version) // the trip may have made one of them anew
	}
	if maps.Equal(count, head.Ours) {
		return append(dst, bytes.TrimSpace(now)...)
	}
	return append(dst, bytes.TrimSpace(object.WithOurs(nil, now, count))...)
}

// creatable returns the stashes that a new object may bring along. That of its own version is not
// among them: no schema would ever have checked what it has.
func (g Guard) creatable(ours map[string]string, version string) map[string]string {
	count := maps.Clone(ours)
	delete(count, stash.Prefix+version)
	delete(count, stash.Prefix+version+stash.StatusSuffix)
	if !g.HasStatus[version] {
		return count
	}
	maps.DeleteFunc(count, func(name, _ string) bool {
		return strings.HasPrefix(name, stash.Prefix) && strings.HasSuffix(name, stash.StatusSuffix)
	})
	return count
}

// counting returns the stashes of an object before a write without the entries that the write
// removes.
func (g Guard) counting(now, before object.Head, version, manager string) map[string]string {
	count := maps.Clone(before.Ours)
	var change *managed.Change
	for name, text := range before.Ours {
		of, ok := stash.Owner([]byte(name))
		owner := string(of)
		left := text
		switch written, isThere := now.Ours[name]; {
		case !ok:
		case owner == version:
			// A version has what its stash has, but for what has no place in it. A client that sends
			// an empty text does not need that any more.
			if isThere && written == "" || len(places(text)) == 0 {
				left = ""
			}
		case written == text:
		case !slices.Contains(g.Versions, owner):
			// The API server does not ask about an object that has only this one, so any client may
			// remove it.
			arrived := places(written)
			left = without(text, func(e stash.Entry) bool { return !arrived[stash.Place(e.At)] })
		default:
			if change == nil {
				change = &managed.Change{Old: managed.Read(before.Managed), New: managed.Read(now.Managed), Manager: manager}
			}
			arrived := places(written)
			left = without(text, func(e stash.Entry) bool {
				return !arrived[stash.Place(e.At)] && change.GaveUp(g.Group+"/"+owner, e.At)
			})
		}
		if left == "" {
			delete(count, name)
		} else {
			count[name] = left
		}
	}
	return count
}

// without returns a stash without some of its entries, or nothing if none is left. A malformed stash
// has none, and is returned as it is.
func without(text string, drop func(stash.Entry) bool) string {
	entries, table, _ := stash.Read(nil, []byte(text))
	w := stash.Writer{Table: table}
	kept := 0
	for _, e := range entries {
		if !drop(e) {
			w.Add(e)
			kept++
		}
	}
	switch kept {
	case len(entries):
		return text
	case 0:
		return ""
	}
	return string(w.Text())
}

// places returns the places that a stash has entries for.
func places(text string) map[string]bool {
	entries, _, _ := stash.Read(nil, []byte(text))
	all := make(map[string]bool, len(entries))
	for _, e := range entries {
		all[stash.Place(e.At)] = true
	}
	return all
}

// settled returns the stashes as they are after a trip to their owners and back: an entry that no
// longer fits what the object holds would come back with a value that someone has long replaced.
// Where a trip fails, or something would be left out, they stay as they are.
func (g Guard) settled(stored []byte, count map[string]string, version string) map[string]string {
	settled := maps.Clone(count)
	for _, owner := range g.Versions {
		names := []string{stash.Prefix + owner, stash.Prefix + owner + stash.StatusSuffix}
		if owner == version || count[names[0]] == "" && count[names[1]] == "" {
			continue
		}
		there, lost, err := g.Convert(stored, owner)
		if err != nil || lost > 0 {
			continue
		}
		back, lost, err := g.Convert(there, version)
		if err != nil || lost > 0 {
			continue
		}
		after := object.ReadHead(back).Ours
		for _, name := range names {
			if text, ok := after[name]; ok {
				settled[name] = text
			} else {
				delete(settled, name)
			}
		}
	}
	return settled
}
