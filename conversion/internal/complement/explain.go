package complement

import (
	"context"
	"maps"
	"slices"
	"strconv"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/caller"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/explain"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/path"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/way"
)

// An explanation is made while a conversion runs. The Way tells where each field that it writes
// comes from. All other fields of the view were restored from a stash.

// Explain is Convert with an explanation. Its errors are those of Convert, and one for an
// explanation that is too long.
func (s *Step) Explain(ctx context.Context, source []byte, before Leg) (out []byte, _ *explain.Explanation, err error) {
	there := views.Get().(*way.Made)
	defer releaseView(there)
	r := s.begin(ctx, there, before)
	defer r.release()
	defer caller.Catch(&err)
	defer explain.CatchTooLong(&err)
	x := &explainer{
		run: r, out: &explain.Explanation{Origins: []explain.Origin{}}, told: map[string]explain.Origin{},
		unmapped: map[int32]string{}, positions: map[int32]int{}, unused: map[int]explain.Unused{},
	}
	isDone, err := s.isExact(ctx, there, source)
	if err != nil {
		return nil, nil, err
	}
	if isDone {
		r.source.parse(source, s.Plan.Root.Nodes[s.From][0].Schema)
	} else if text, isMore := r.complete(source); isMore {
		r.bare = append(r.bare, there.Text...)
		if err = x.makeAbsences(source); err != nil {
			return nil, nil, err
		}
		source = text
	}
	there.Reset()
	if err = x.make(source); err != nil {
		return nil, nil, err
	}
	r.explainer = x
	if out, err = r.convert(nil, source); err != nil {
		return nil, nil, err
	}
	x.lost()
	return out, x.out, nil
}

// explainer explains a conversion. All of its methods except make and lost do nothing if it is nil.
type explainer struct {
	*run
	out *explain.Explanation
	// told has the fields that the Way has written, by their paths, and made has them by their
	// nodes in the view.
	told map[string]explain.Origin
	made map[int32]explain.Origin
	// unmapped has what rows need, by the offsets of the values that they can't map.
	unmapped map[int32]string
	// recalled has the nodes of the view that a row has written and an entry has added to.
	recalled map[int32]bool
	// positions has the positions of elements in their lists of the source.
	positions map[int32]int
	// unused has the entries that are not used, by their numbers.
	unused map[int]explain.Unused
	// kept identifies the entries of the source's stash, in the order of out.Kept.
	kept []keptAt
}

// keptAt is the place of an entry, and whether it is an order.
type keptAt struct {
	at      string
	isOrder bool
}

// make converts the source, and asks the Way where the fields come from.
func (x *explainer) make(source []byte) error {
	w, ok := x.step.Way.(way.Explaining)
	if !ok {
		return x.step.Way.Make(x.ctx, x.there, source, x.step.From, false)
	}
	var told explain.Explanation
	unmapped, err := w.Explain(x.ctx, x.there, source, x.step.From, &told)
	for _, o := range told.Origins {
		if _, isAbsence := x.told[o.Path]; !isAbsence {
			x.told[o.Path] = o
		}
	}
	for _, u := range told.Uncomputed {
		x.out.AddUncomputed(u)
	}
	for _, d := range told.Dropped {
		x.out.AddDropped(d)
	}
	for _, u := range unmapped {
		x.unmapped[int32(u.At)] = u.Needs
	}
	return err
}

// makeAbsences asks the Way for the fields that it makes because fields of the source are absent:
// the source lacks defaults.
func (x *explainer) makeAbsences(source []byte) error {
	w, ok := x.step.Way.(way.Explaining)
	if !ok {
		return nil
	}
	var told explain.Explanation
	x.there.Reset()
	_, err := w.Explain(x.ctx, x.there, source, x.step.From, &told)
	for _, o := range told.Origins {
		if o.By == explain.ByAbsence {
			x.told[o.Path] = o
		}
	}
	return err
}

// findWritten finds the nodes of what the Way has written. It must be called before entries are
// restored.
func (x *explainer) findWritten() {
	if x == nil {
		return
	}
	x.made = map[int32]explain.Origin{}
	var find func(id int32, at []byte)
	find = func(id int32, at []byte) {
		x.caller.Work(1)
		if o, ok := x.told[string(at)]; ok && len(at) > 0 {
			x.made[id] = o
			return
		}
		x.view.eachPath(id, at, find)
	}
	find(0, nil)
}

// eachPath calls visit for the values inside a value, with their paths. at is the path of that
// value. A path is valid until visit returns.
func (t *tree) eachPath(id int32, at []byte, visit func(id int32, at []byte)) {
	position := 0
	t.each(id, func(child int32) bool {
		if t.nodes[id].kind == object {
			visit(child, append(at, path.Path{string(t.name(child))}.String()...))
		} else {
			visit(child, appendPosition(at, position))
		}
		position++
		return true
	})
}

// appendPosition appends the position of an element to a path.
func appendPosition(at []byte, position int) []byte {
	return append(strconv.AppendInt(append(at, '['), int64(position), 10), ']')
}

// sourcePath returns the path of a value of the source.
func (x *explainer) sourcePath(id int32) []byte {
	around := x.source.nodes[id].parent
	if around == none {
		return nil
	}
	at := x.sourcePath(around)
	if x.source.nodes[around].kind == object {
		return append(at, path.Path{string(x.source.name(id))}.String()...)
	}
	if _, known := x.positions[id]; !known {
		for position, e := range x.source.elements(around) {
			x.caller.Work(1)
			x.positions[e] = position
		}
	}
	return appendPosition(at, x.positions[id])
}

// explainRestored explains the fields of the view, after entries were restored.
func (x *explainer) explainRestored() {
	if x == nil {
		return
	}
	for _, number := range slices.Sorted(maps.Keys(x.unused)) {
		x.out.AddUnused(x.unused[number])
	}
	x.view.eachPath(0, nil, func(id int32, at []byte) {
		if string(at) != ".apiVersion" {
			x.field(id, at, nil)
		}
	})
}

// field explains a field of the view at a path. around is the origin of the object or list around
// it.
func (x *explainer) field(id int32, at []byte, around *explain.Origin) {
	x.caller.Work(1)
	n := &x.view.nodes[id]
	if n.implied {
		return // it is not written
	}
	told, isTold := x.made[id]
	if isTold {
		told.Path = string(at)
	}
	switch {
	case n.changed:
	case isTold && x.recalled[id]:
		x.add(told, id)
		return
	case int(n.text.Start) >= len(x.there.Text):
		x.add(explain.Origin{Path: string(at), By: x.restoredBy(id)}, id)
		return
	case isTold:
		x.out.Add(told)
		return
	case around != nil:
		x.inside(id, string(at), around)
		return
	}
	if isTold {
		around = &told
	}
	before := len(x.out.Origins)
	x.view.eachPath(id, at, func(child int32, at []byte) { x.field(child, at, around) })
	switch {
	case len(x.out.Origins) > before:
	case around != nil:
		x.inside(id, string(at), around)
	case x.explains():
		x.add(explain.Origin{Path: string(at), By: x.restoredBy(id)}, id)
	default:
		x.add(explain.Origin{Path: string(at), By: explain.ByCode}, id)
	}
}

// explains reports whether the Way tells where the fields come from.
func (x *explainer) explains() bool {
	_, ok := x.step.Way.(way.Explaining)
	return ok
}

// restoredBy returns what has restored a field that the Way has not written.
func (x *explainer) restoredBy(id int32) explain.By {
	if x.view.nodes[id].text.Start >= x.view.filled {
		return explain.ByDefault
	}
	return explain.ByStash
}

// inside explains a field that the Way has explained, or a field inside such a field.
func (x *explainer) inside(id int32, at string, around *explain.Origin) {
	o := *around
	o.Path = at
	if o.By == explain.BySame {
		x.out.Add(o)
		return
	}
	if len(o.From) == 1 {
		o.From = []string{o.From[0] + at[len(around.Path):]}
	}
	x.add(o, id)
}

// add adds a field of the view with its value.
func (x *explainer) add(o explain.Origin, id int32) {
	of := x.view.nodes[id].schema
	o.Sensitive = o.Sensitive || of != nil && of.Sensitive
	o.Value = x.value(id, o.Sensitive)
	x.out.Add(o)
}

// value returns the value of a field of the view, or nil if it is sensitive.
func (x *explainer) value(id int32, sensitive bool) []byte {
	if sensitive {
		return nil
	}
	return schema.Content(nil, x.view.current(id), x.view.nodes[id].schema)
}
