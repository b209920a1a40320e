package plan

import (
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
)

// SetFades sets Fades in the schema of the spoke for the fields that a conversion through a third version may
// lose: they are made of fields of the hub that some table drops, and that have no default.
func (s *Scope) SetFades() {
	for id := range s.Nodes[Spoke] {
		n := &s.Nodes[Spoke][id]
		if n.Kind != Container || n.Twin == None {
			continue
		}
		for name, m := range n.Schema.Members {
			if s.Child(Spoke, int32(id), []byte(name)) == None {
				fade(m, s.Nodes[Hub][n.Twin].Schema.Members[name])
			}
		}
	}
	for i := range s.Rows {
		r := &s.Rows[i]
		switch r.Kind {
		case Move:
			fade(s.Nodes[Spoke][r.At[Spoke][0]].Schema, s.Nodes[Hub][r.At[Hub][0]].Schema)
		case Elements:
			if slices.ContainsFunc(r.At[Hub], s.isLost) {
				for _, id := range r.At[Spoke] {
					s.Nodes[Spoke][id].Schema.Fades = true
				}
			}
		case Map, Compute:
			if s.readsDropped(r) {
				for _, id := range r.At[Spoke] {
					s.Nodes[Spoke][id].Schema.Fades = true
				}
			}
		}
	}
}

// isLost reports whether some table drops a field of the hub, and it gets no default then.
func (s *Scope) isLost(id int32) bool {
	of := s.Nodes[Hub][id].Schema
	return of.Fades && !of.Refills()
}

// readsDropped reports whether a row reads a field of the hub that some table drops.
func (s *Scope) readsDropped(r *Row) bool {
	for _, id := range r.At[Hub] {
		if of := s.Nodes[Hub][id].Schema; of.FadesInside() && !of.Refills() {
			return true
		}
	}
	for i := range r.Reads[Hub] {
		read := &r.Reads[Hub][i]
		if of := read.Schema; !of.Refills() && (of.Fades || !read.Presence && of.FadesInside()) {
			return true
		}
	}
	return false
}

// fade sets Fades in a field of the spoke, and inside of it, as the same field of the hub has it.
func fade(spoke, hub *schema.Schema) {
	if spoke == nil || hub == nil || hub.Refills() {
		return
	}
	if hub.Fades {
		spoke.Fades = true
		return
	}
	for name, m := range spoke.Members {
		fade(m, hub.Members[name])
	}
	fade(spoke.Items, hub.Items)
	fade(spoke.Values, hub.Values)
}
