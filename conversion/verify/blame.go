package verify

import (
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/places"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// Version returns the version in which the differences of a counterexample are.
func (c *Counterexample) Version() string {
	switch c.Law {
	case LiveWins, Seen:
		return c.Through[0]
	case Coherent:
		return c.Through[len(c.Through)-1]
	}
	return c.From
}

// Rows returns the rows that caused a counterexample: those of the visited versions that map
// the fields that differ. If there are none, the versions share the field, or only one version
// has it.
func (c *Counterexample) Rows() []RowRef {
	var out []RowRef
	for _, d := range c.Diff {
		for _, ref := range c.rowsAt(places.Pattern(d.Path)) {
			if !slices.Contains(out, ref) {
				out = append(out, ref)
			}
		}
	}
	return out
}

func (c *Counterexample) rowsAt(place places.Pattern) []RowRef {
	version, spec := c.Version(), &c.Subject.Table.Spec
	visited := append([]string{c.From}, c.Through...)
	at := []places.Pattern{place}
	var out []RowRef
	for i := range spec.Versions {
		table := &spec.Versions[i]
		if table.Name != version {
			continue
		}
		// The other versions have the field only by its counterpart in the hub.
		b := blaming{version: version, spoke: true}
		b.scope(listedRows(table, "", table.Rows), place, nil)
		if out = b.out; len(b.hub) > 0 {
			at = b.hub
		}
	}
	for i := range spec.Versions {
		table := &spec.Versions[i]
		if table.Name == version || !slices.Contains(visited, table.Name) {
			continue
		}
		for _, p := range at {
			b := blaming{version: spec.Hub}
			b.scope(listedRows(table, "", table.Rows), p, nil)
			out = append(out, b.out...)
		}
	}
	return out
}

// blaming finds the rows that name a field.
type blaming struct {
	version string
	spoke   bool // the version is the spoke, and hub is searched for, too
	out     []RowRef
	hub     []places.Pattern
}

// scope searches the rows of a scope. hub is the field's path in the hub.
func (b *blaming) scope(rows []listedRow, place, hub places.Pattern) (found bool) {
	var inside []listedRow
	for _, r := range rows {
		for _, p := range r.in(b.version) {
			if _, ok := places.Below(place, p); ok && len(p) > len(place) {
				inside = append(inside, r)
				break
			}
			rest, ok := places.Below(p, place)
			if !ok {
				continue
			}
			found = true
			there := hub
			if other := places.Of(hub, r.row.Hub); b.spoke && len(other) > 0 {
				there = other[0]
			}
			if len(rest) > 0 && (b.scope(r.parts(), rest, there) ||
				b.scope(r.elements(), rest[1:], append(there[:len(there):len(there)], tree.Step{Index: -1, IsIndex: true})) ||
				(r.row.Single != nil || r.row.Variant != nil) && b.scope(r.elements(), rest, there)) {
				continue
			}
			b.take(r, hub)
		}
	}
	if found {
		return true
	}
	for _, r := range inside {
		b.take(r, hub)
	}
	return len(inside) > 0
}

func (b *blaming) take(r listedRow, hub places.Pattern) {
	b.out = append(b.out, r.ref)
	if b.spoke {
		b.hub = append(b.hub, places.Of(hub, r.row.Hub)...)
	}
}
