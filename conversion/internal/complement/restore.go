package complement

import (
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/way"
)

// The entries of the target's version are restored in what the conversion has made by itself. All
// entries are located, and their guards checked, before the first one is written.

// Fate is what a conversion does with an entry.
type Fate uint8

const (
	// Placed says that the entry was restored.
	Placed Fate = iota
	// Edited says that the conversion makes something else there now, or that the row of the place
	// reads something else.
	Edited
	// Gone says that the place does not exist any more.
	Gone
	// Recalled says that the text at the place was edited, and that those parts of the former text
	// were restored which the other version can't represent.
	Recalled
)

// isPlaced reports whether something of the entry was restored.
func (f Fate) isPlaced() bool { return f == Placed || f == Recalled }

// kept is an entry of a stash.
type kept struct {
	stash.Entry
	// earlier says that another table, or another release of the code, has written it.
	earlier bool
	// beside says that the source is the view beside which code has written it.
	beside bool
	// number identifies the entry.
	number int
}

// restorer restores entries in a view.
type restorer struct {
	t    *tree
	side plan.Side
	root *plan.Scope
	// reads hashes what rows read in the source of the view, and made are the view's elements.
	reads reader
	made  []way.Element
	lists map[int32]*index
	// author is that of the current entry.
	author
	// forces says that guards are ignored, because a proof decides whether the entries are valid.
	forces bool
	// guesses says that guesses lead to elements, once all entries are located that need none.
	// isGuess says that the last address needs one.
	guesses, isGuess bool
	// known are the elements that some entry is known to be about.
	known []int32
	// writes are the values to restore, and orders the lists to arrange, the innermost last.
	writes []write
	orders []arrangement
	// around are the objects that were made for restored values and need the defaults of their
	// schema, with their places. The scope of a place is nil if no row maps anything in the object.
	around []filling
	// absent has the places of entries at which nothing is made.
	absent map[missingKey]missing
	// explains is called with the fate of each entry, before anything is written. It is nil if no
	// explanation is needed.
	explains func(e *kept, at spot, fate Fate)
}

// missing records which entries were found for a place at which nothing is made.
type missing uint8

const (
	tried missing = 1 << iota
	ordered
	// filled says that a value is restored there.
	filled
)

// missingKey identifies such a place.
type missingKey struct {
	around int32
	names  string
}

func absentKey(at spot) missingKey { return missingKey{at.around, placeText(at.names)} }

// isFirst reports whether no other entry for the place, or no other order, was found before.
func (r *restorer) isFirst(at spot, isOrder bool) bool {
	if at.id == none {
		is := tried
		if isOrder {
			is = ordered
		}
		key := absentKey(at)
		was := r.absent[key]
		r.absent[key] |= is
		return was&is == 0
	}
	n := &r.t.nodes[at.id]
	if isOrder {
		was := n.ordered
		n.ordered = true
		return !was
	}
	was := n.tried
	n.tried = true
	return !was
}

// restore restores entries, and those that were proved: entries of another table among them even if
// their guards are invalid. It returns the fate of each entry.
func (r *restorer) restore(entries, proved []kept) []Fate {
	fates := make([]Fate, len(entries)+len(proved))
	one := func(i int, ofOrders bool) {
		var e *kept
		if r.forces = i >= len(entries); r.forces {
			e = &proved[i-len(entries)]
			r.forces = e.earlier
		} else {
			e = &entries[i]
		}
		if r.isGuess = false; (e.Order != nil) != ofOrders {
			return
		}
		r.t.caller.Work(1)
		r.author = author{i, e.earlier || r.forces}
		at, found := r.locate(e.At)
		if !r.guesses && r.isGuess {
			return
		}
		if fates[i] = Gone; found {
			fates[i] = r.entry(at, &e.Entry)
		}
		if r.explains != nil {
			r.explains(e, at, fates[i])
		}
	}
	for _, ofOrders := range [...]bool{false, true} { // an order may be that of a restored list
		var later []int
		for i := range fates {
			if one(i, ofOrders); r.isGuess {
				later = append(later, i)
			}
		}
		r.guesses = true
		for _, i := range later {
			one(i, ofOrders)
		}
		r.guesses = false
	}
	for _, i := range r.write() {
		fates[i] = Edited
	}
	return fates
}

// entry prepares the change for an entry.
func (r *restorer) entry(at spot, e *stash.Entry) Fate {
	if !r.isFirst(at, e.Order != nil) {
		return Gone // one entry for each place
	}
	if e.Order != nil {
		return r.order(at, e)
	}
	if !r.forces && !r.reads.isValid(e.Guard, r.guard(at, e)) {
		return r.recall(at, e)
	}
	fills := len(e.Value) > 0 && e.Value[0] == '{' && at.elements() == nil && (at.owner() == shared || at.place.isOpen())
	switch {
	case !r.accepts(at, e.Value):
		return Gone
	case at.id == none && e.Value == nil:
	case at.id != none && e.Value == nil:
		r.t.nodes[at.id].goes = true
		r.writes = append(r.writes, write{author: r.author, id: at.id})
	case at.id == none:
		r.absent[absentKey(at)] |= filled
		r.writes = append(r.writes, write{author: r.author, id: at.around, names: at.names, value: e.Value, at: at.place, fills: fills})
	default:
		isLive := r.t.nodes[at.id].kind == object && r.t.hash(at.id) != absent
		merges := r.forces && e.Guard == nil && len(e.Value) > 0 && e.Value[0] == '{' && isLive
		if merges && !r.merge(at.id, e.Value, false) {
			return Edited
		}
		if r.t.nodes[at.id].kind == list {
			for _, e := range r.t.elements(at.id) {
				r.t.nodes[e].goes = true // an order is that of the list that is restored
			}
		}
		r.writes = append(r.writes, write{author: r.author, id: at.id, value: e.Value, at: at.place, merges: merges, fills: fills})
	}
	return Placed
}

// guard returns the guard that an entry must have to be valid.
func (r *restorer) guard(at spot, e *stash.Entry) []byte {
	switch {
	case at.element && at.id == none:
		return nil
	case at.element && e.Value == nil:
		return r.reads.guardElement(at.id, at.view)
	}
	return r.reads.guard(at.place, at.id, at.roots, e.Value == nil)
}

// recall restores the parts of a text that the other version can't represent, although the text was
// edited there.
func (r *restorer) recall(at spot, e *stash.Entry) Fate {
	row := at.row()
	if r.earlier || row == nil || at.depth > 0 || at.id == none || e.Value == nil || !r.t.holds(at.id) {
		return Edited
	}
	mapping, ok := row.Mapping.(plan.Recaller)
	if !ok {
		return Edited
	}
	_, text, ok := mapping.Recall(nil, r.side, e.Value, r.t.current(at.id))
	if !ok || !at.schema().Holds(text) {
		return Edited
	}
	r.writes = append(r.writes, write{author: r.author, id: at.id, value: text})
	return Recalled
}

// accepts reports whether the API server accepts a value at a place: in metadata it rejects some
// values, and elsewhere it removes those that the schema does not allow.
func (r *restorer) accepts(at spot, value []byte) bool {
	if at.id == none && value != nil && !r.t.hasPlace(at.around, at.names) {
		return false
	}
	nodes := at.scope.Nodes[r.side]
	if at.scope != r.root || at.node != plan.Metadata && nodes[at.node].Parent != plan.Metadata && (at.depth > 0 || !isInMap(nodes, at.node)) {
		return true
	}
	around, name := "", ""
	switch kind := nodes[at.node].Kind; {
	case at.depth == 0 && isInMap(nodes, at.node):
		around, name = nodes[nodes[at.node].Parent].Name, nodes[at.node].Name
		if kind == plan.Operand || kind == plan.Keep {
			return value == nil || isMetadata(around, name, value)
		}
	case at.node == plan.Metadata && at.depth == 2:
		around, name = string(at.inner[0].Name), string(at.inner[1].Name)
	case at.node != plan.Metadata && at.depth == 1:
		around, name = nodes[at.node].Name, string(at.inner[0].Name)
	}
	if at.isCode() && at.node != plan.Metadata && at.depth == 1 {
		return value == nil || !stash.IsOurs(name) && isMetadata(around, name, value)
	}
	// Both versions have the annotation. Only one that another table had instead is restored.
	return r.forces && value != nil && at.id == none && !stash.IsOurs(name) && isMetadata(around, name, value)
}

// isInMap reports whether a node is a label or an annotation.
func isInMap(nodes []plan.Node, id int32) bool {
	around := nodes[id].Parent
	return around > 0 && nodes[around].Parent == plan.Metadata
}

// isMetadata reports whether a value is valid as a label or an annotation.
func isMetadata(around, name string, value []byte) bool {
	return value[0] == '"' && schema.IsMetadata(around, name, value)
}
