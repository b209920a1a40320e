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

// Settle appends an object that is written in a version to dst, with the stashes
// that count and nothing else changed. old is nil where it is created. Both have
// been checked. manager is the field manager of the write, if it is known.
func (g Guard) Settle(dst, now, old []byte, version, manager string) []byte {
	head := object.ReadHead(now)
	var count map[string]string
	if old == nil {
		count = g.creatable(head.Ours, version)
	} else {
		count = g.counting(head, object.ReadHead(old), manager)
	}
	dropOwn(count, version)
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

// creatable are the stashes that a new object may bring along.
func (g Guard) creatable(ours map[string]string, version string) map[string]string {
	count := maps.Clone(ours)
	if !g.HasStatus[version] {
		return count
	}
	maps.DeleteFunc(count, func(name, _ string) bool {
		return strings.HasPrefix(name, stash.Prefix) && strings.HasSuffix(name, stash.StatusSuffix)
	})
	return count
}

// dropOwn drops the stashes of the version that the object is in: what it holds is
// there for all to see.
func dropOwn(count map[string]string, version string) {
	delete(count, stash.Prefix+version)
	delete(count, stash.Prefix+version+stash.StatusSuffix)
}

// counting are the stashes of old without the entries that the write gives up.
func (g Guard) counting(now, old object.Head, manager string) map[string]string {
	count := maps.Clone(old.Ours)
	var change *managed.Change
	for name, text := range old.Ours {
		owner, ok := stash.Owner([]byte(name))
		if !ok || now.Ours[name] == text {
			continue
		}
		if change == nil {
			change = &managed.Change{Old: managed.Read(old.Managed), New: managed.Read(now.Managed), Manager: manager}
		}
		left := without(text, now.Ours[name], func(at []stash.Step) bool {
			return change.GaveUp(g.Group+"/"+string(owner), at)
		})
		if left == "" {
			delete(count, name)
		} else {
			count[name] = left
		}
	}
	return count
}

// without is a stash without the entries that are not in the other and that are
// given up. It is empty where none is left.
func without(text, other string, gaveUp func([]stash.Step) bool) string {
	entries, table, err := stash.Read(nil, []byte(text))
	if err != nil {
		return text
	}
	arrived, _, _ := stash.Read(nil, []byte(other))
	w := stash.Writer{Table: table}
	kept := 0
	for _, e := range entries {
		if !slices.ContainsFunc(arrived, func(a stash.Entry) bool { return stash.SamePlace(a.At, e.At) }) && gaveUp(e.At) {
			continue
		}
		w.Add(e)
		kept++
	}
	switch kept {
	case len(entries):
		return text
	case 0:
		return ""
	}
	return string(w.Text())
}

// settled are the stashes as they are after a trip to their owners and back: an
// entry that no longer fits what the object holds would come back with a value that
// somebody has long replaced. Where a trip fails, or something would be left out,
// they stay as they are.
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
