package conversion

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/managed"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// Guard appends object, which somebody wants to write, to dst with the stashes
// that count. Both objects are in the version of the request, as they stand before
// the write and after it; old is nil when the object is created. manager is the
// field manager of the request, if it names one.
//
// On an update the stashes of old count, whatever arrived: who dropped one loses
// nothing, and a stale or forged one changes nothing. An entry goes only where an
// apply takes back, in the version that owns it, what it had applied there, and
// where what it belongs to is gone. On creation the stashes of a copy or a backup
// count, but for what would reach into status, which a creation does not write. A
// write to status needs no guard: the API server takes the annotations from old.
//
// Nothing else of the object changes. Errors are of type *Error.
func (c *Converter) Guard(dst, object, old []byte, manager string) ([]byte, error) {
	version, err := c.source(object, c.hub)
	if err != nil {
		return dst, err
	}
	if err := valid(object); err != nil {
		return dst, c.fail(object, version, version, err)
	}
	now := readHead(object)
	var count map[string]string
	if old == nil {
		count = c.creatable(now.ours, version)
	} else {
		if err := valid(old); err != nil {
			return dst, c.fail(old, version, version, err)
		}
		count = c.counting(now, readHead(old), manager)
	}
	c.dropOwn(count, version)
	stored := withOurs(nil, object, count)
	if c.hasStatus[version] {
		// The API server puts status back as it was, or leaves it out of what is
		// created, but only after it has asked for admission
		// (k8s.io/apiextensions-apiserver/pkg/registry/customresource/strategy.go).
		stored = withMember(nil, stored, "status", member(old, "status"))
	}
	count = c.settled(stored, count, version)
	if maps.Equal(count, now.ours) {
		return append(dst, bytes.TrimSpace(object)...), nil
	}
	return append(dst, bytes.TrimSpace(withOurs(nil, object, count))...), nil
}

func valid(object []byte) error {
	var scan jsontext.Scanner
	scan.Reset(object)
	_, err := scan.Document()
	return err
}

// creatable are the stashes that a new object may bring along.
func (c *Converter) creatable(ours map[string]string, version string) map[string]string {
	count := maps.Clone(ours)
	if !c.hasStatus[version] {
		return count
	}
	maps.DeleteFunc(count, func(name, _ string) bool {
		return strings.HasPrefix(name, stash.Prefix) && strings.HasSuffix(name, stash.StatusSuffix)
	})
	return count
}

// dropOwn drops the stashes of the version that the object is in: what it holds is
// there for all to see.
func (c *Converter) dropOwn(count map[string]string, version string) {
	delete(count, stash.Prefix+version)
	delete(count, stash.Prefix+version+stash.StatusSuffix)
}

// counting are the stashes of old without the entries that the write gives up.
func (c *Converter) counting(now, old head, manager string) map[string]string {
	count := maps.Clone(old.ours)
	var change *managed.Change
	for name, text := range old.ours {
		owner, ok := stash.Owner([]byte(name))
		if !ok || now.ours[name] == text {
			continue
		}
		if change == nil {
			change = &managed.Change{Old: managed.Read(old.managed), New: managed.Read(now.managed), Manager: manager}
		}
		left := without(text, now.ours[name], func(at []stash.Step) bool {
			return change.GaveUp(c.group+"/"+string(owner), at)
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
	entries, err := stash.Read(nil, []byte(text))
	if err != nil {
		return text
	}
	arrived, _ := stash.Read(nil, []byte(other))
	var w stash.Writer
	kept := 0
	for _, e := range entries {
		if !slices.ContainsFunc(arrived, func(a stash.Entry) bool { return samePlace(a.At, e.At) }) && gaveUp(e.At) {
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

func samePlace(a, b []stash.Step) bool {
	return slices.EqualFunc(a, b, func(a, b stash.Step) bool {
		return bytes.Equal(a.Name, b.Name) && bytes.Equal(a.Key, b.Key) && bytes.Equal(a.Content, b.Content) && a.Nth == b.Nth
	})
}

// settled are the stashes as they are after a trip to their owners and back: an
// entry that no longer fits what the object holds would come back with a value that
// somebody has long replaced. Where a trip fails, or something would be left out,
// they stay as they are.
func (c *Converter) settled(object []byte, count map[string]string, version string) map[string]string {
	settled := maps.Clone(count)
	for _, owner := range c.versions {
		names := []string{stash.Prefix + owner, stash.Prefix + owner + stash.StatusSuffix}
		if owner == version || count[names[0]] == "" && count[names[1]] == "" {
			continue
		}
		var notes Notes
		there, err := c.ConvertNoting(nil, object, owner, &notes)
		if err != nil {
			continue
		}
		back, err := c.ConvertNoting(nil, there, version, &notes)
		if err != nil || notes.LeftOut > 0 {
			continue
		}
		after := readHead(back).ours
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
