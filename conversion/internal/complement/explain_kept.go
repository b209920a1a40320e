package complement

import (
	"bytes"
	"slices"
	"strings"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/explain"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/path"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
)

// An explanation has the reason for each entry that a conversion writes, and for each entry that it
// reads and does not use.

// differences returns the function that explains the entries for the source's version.
func (x *explainer) differences(d *difference) func(e stash.Entry, p place, a, b int32) {
	if x == nil {
		return nil
	}
	return func(e stash.Entry, p place, a, b int32) {
		x.kept = append(x.kept, keptAt{placeText(e.At), e.Order != nil})
		x.out.AddKept(x.why(d, e, p, a, b))
	}
}

// why returns why an entry is needed.
func (x *explainer) why(d *difference, e stash.Entry, p place, a, b int32) explain.Kept {
	k := explain.Kept{Path: d.path(), Row: p.title()}
	of := p.schema()
	if a != none {
		of = d.source.nodes[a].schema
	}
	sensitive := of != nil && of.Sensitive || p.schema() != nil && p.schema().Sensitive
	if e.Value != nil && !sensitive {
		k.Value = bytes.Clone(e.Value)
	}
	needs, isUnmapped := "", false
	if a != none {
		needs, isUnmapped = x.unmapped[d.source.nodes[a].text.Start]
	}
	switch owner := p.owner(); {
	case e.Order != nil:
		k.Why = explain.WhyOrder
		return k
	case e.Value == nil:
		k.Why = explain.WhyAbsent
	case isUnmapped:
		k.Why, k.Needs = explain.WhyUnmapped, needs
		return k
	case owner == own, p.elements() != nil && b == none:
		k.Why = explain.WhyPrivate
	case owner == shared:
		k.Why = explain.WhyShape
	default:
		k.Why = explain.WhyInexact
	}
	if b != none && (p.owner() == mapped || p.owner() == computed) && !sensitive {
		k.Back = schema.Content(nil, d.back.value(b), d.back.nodes[b].schema)
	}
	return k
}

// title returns the title of the row of a place, or "".
func (p place) title() string {
	if n := p.at(); n.Named != nil {
		return n.Named.Row
	}
	return ""
}

// path returns the path of the current place, with the positions of elements in the source.
func (d *difference) path() string {
	var text []byte
	for i, position := range d.positions {
		if position >= 0 {
			text = appendPosition(text, position)
		} else {
			text = stash.AppendPath(text, d.at[i:i+1])
		}
	}
	return string(text)
}

// lost marks the entries for which there was no room.
func (x *explainer) lost() {
	left := map[keptAt]bool{}
	for i := range x.own.writers {
		entries, _, err := x.reader.Read(nil, x.own.writers[i].Text())
		if err != nil {
			continue // no entry was left out
		}
		for _, e := range entries {
			left[keptAt{placeText(e.At), e.Order != nil}] = true
		}
	}
	for i, at := range x.kept {
		x.out.Kept[i].LeftOut = !left[at]
	}
}

// fates returns the function that explains the entries for the target's version.
func (x *explainer) fates(r *restorer) func(e *kept, at spot, fate Fate) {
	if x == nil {
		return nil
	}
	x.recalled = map[int32]bool{}
	return func(e *kept, at spot, fate Fate) {
		switch fate {
		case Gone:
			x.unused[e.number] = explain.Unused{Path: string(stash.AppendPath(nil, e.At)), Reason: "the element or field that contains it does not exist"}
		case Edited, Recalled:
			reason := x.read(at) + " was edited, and the edit takes precedence"
			if fate == Recalled {
				reason += "; details that only the text can represent stay in it"
				x.recalled[at.id] = true
			}
			x.unused[e.number] = explain.Unused{Path: string(stash.AppendPath(nil, e.At)), Reason: reason}
		default:
			delete(x.unused, e.number)
		}
	}
}

// explainContradicted explains an entry with which converting back would not give the source.
func (x *explainer) explainContradicted(e *kept) {
	if x != nil {
		x.unused[e.number] = explain.Unused{Path: string(stash.AppendPath(nil, e.At)), Reason: "a field that it depends on was edited, and the edit takes precedence"}
	}
}

// read returns the fields of the source that the row of a place maps or reads, or a general text.
func (x *explainer) read(at spot) string {
	row, side := at.row(), x.step.From
	var fields []string
	if row != nil && at.view != none {
		around := string(x.sourcePath(at.view))
		for _, id := range row.At[side] {
			fields = append(fields, around+relative(namesTo(at.scope, side, id)))
		}
		isOnlyReading := len(fields) == 0
		for _, read := range row.Reads[side] {
			switch {
			case !isOnlyReading || read.Presence:
			case read.Outside:
				fields = append(fields, relative(read.Path))
			default:
				fields = append(fields, around+relative(read.Path))
			}
		}
	}
	if len(fields) == 0 {
		return "a field that it depends on"
	}
	slices.Sort(fields)
	return strings.Join(slices.Compact(fields), " or ")
}

// relative returns a path from a field, or "" for the field itself.
func relative(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return path.Path(names).String()
}

// explainUnplaced explains an entry that another table has written.
func (x *explainer) explainUnplaced(e *kept) {
	if x != nil {
		x.unused[e.number] = explain.Unused{
			Path:   string(stash.AppendPath(nil, e.At)),
			Reason: "an earlier table has kept it, and this table has no place for it; it stays in the annotation",
		}
	}
}
