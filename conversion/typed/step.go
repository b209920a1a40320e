package typed

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"maps"
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/caller"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
)

// step converts between the hub and one version, and tells x of it, which may be nil. It
// ends by the panic of package caller where ctx is done.
func (c *Converter) step(ctx context.Context, source map[string]any, from, to string, notes *conversion.Notes, x *explainer) (map[string]any, error) {
	head, err := readHead(source, from, to, notes)
	if err != nil {
		return nil, err
	}
	there := c.way(ctx, head, from, to)
	back := there.back()
	is := viewOf(source)
	target, err := there.take(is)
	if err != nil {
		c.cannot(from, to, err)
	}
	x.took(target, err)
	if len(head.kept) > 0 {
		c.restore(back, is, target, x)
	}
	// What converting back would not give is the source's own.
	again, err := back.take(target)
	if err != nil {
		c.cannot(to, from, err)
	}
	entries := difference(c.layouts[from], is, again)
	view := guard(target)
	for i := range entries {
		entries[i].Row = view
	}
	notes.Residuals += len(entries)
	shown := target
	if x != nil {
		shown = clone(target).(map[string]any) // stashes are added to it
	}
	metadata := head.metadata(from, target, entries, notes)
	x.ended(head, is, shown, again, err, entries)
	out := body(target)
	out["apiVersion"], out["kind"] = c.groupVersion(to).String(), c.kind
	if metadata != nil {
		out["metadata"] = metadata
	}
	return out, nil
}

// way is what the code does in one direction.
type way struct {
	caller   caller.Caller
	c        *Converter
	code     *code
	toHub    bool
	from, to string
	head     *head
}

func (c *Converter) way(ctx context.Context, head *head, from, to string) way {
	w := way{caller: caller.Of(ctx), c: c, code: c.codes[from], toHub: true, from: from, to: to, head: head}
	if w.code == nil {
		w.code, w.toHub = c.codes[to], false
	}
	return w
}

func (w way) back() way {
	w.toHub, w.from, w.to = !w.toHub, w.to, w.from
	return w
}

// take converts a view. Where the code cannot, nothing is left of it but labels and
// annotations.
func (w way) take(view map[string]any) (map[string]any, error) {
	made, err := w.run(view)
	if err != nil {
		return w.nothing(view), err
	}
	follow(view, made, func() map[string]any {
		again, err := w.back().run(made)
		if err != nil {
			return w.nothing(nil)
		}
		return again
	})
	return made, nil
}

// run converts a view as the code does it, which is never interrupted.
func (w way) run(view map[string]any) (map[string]any, error) {
	w.caller.Look()
	made, err := w.code.run(w.head.with(view, w.c.groupVersion(w.from).String(), w.c.kind), w.toHub)
	if err != nil {
		return nil, err
	}
	return viewOf(made), nil
}

// nothing is a view without a body.
func (w way) nothing(like map[string]any) map[string]any {
	return viewOf(map[string]any{"metadata": like["metadata"]})
}

// restore puts back into the target what it had before. What would make the source
// look another in a place where it looks right without belongs to something that
// somebody has changed since, and is left out.
func (c *Converter) restore(back way, is, target map[string]any, x *explainer) {
	restored := func(entries []stash.Entry) (map[string]any, []fate) {
		whole := clone(target).(map[string]any)
		return whole, restore(c.layouts[back.from], whole, entries)
	}
	with := func(entries []stash.Entry) map[string]any {
		whole, _ := restored(entries)
		return whole
	}
	wrong := func(target map[string]any) places {
		source, _ := back.take(target) // what it cannot convert is as step has it
		return placesOf(difference(c.layouts[back.to], is, source))
	}
	// What was kept beside the very view that is converted now needs no proof.
	view := guard(is)
	var sure, others []stash.Entry
	for _, e := range back.head.kept {
		if bytes.Equal(e.Row, view) {
			sure = append(sure, e)
		} else {
			others = append(others, e)
		}
	}
	without := wrong(with(sure))
	chosen := choose(sure, others, func(entries []stash.Entry) bool { return without.cover(wrong(with(entries))) })
	whole, fates := restored(chosen)
	x.restored(back.head.kept, chosen, fates)
	clear(target)
	maps.Copy(target, whole)
}

// places are where entries are.
type places [][]stash.Step

func placesOf(entries []stash.Entry) places {
	var all places
	for _, e := range entries {
		all = append(all, e.At)
	}
	return all
}

// cover reports whether every other place is one of these, or inside of one.
func (p places) cover(others places) bool {
	return !slices.ContainsFunc(others, func(other []stash.Step) bool {
		return !slices.ContainsFunc(p, func(at []stash.Step) bool {
			return len(at) <= len(other) && stash.SamePlace(at, other[:len(at)])
		})
	})
}

// choose adds those entries to some with which all still agree. It halves what does
// not, so that a few among many are found soon.
func choose(some, more []stash.Entry, agree func([]stash.Entry) bool) []stash.Entry {
	if len(more) == 0 {
		return some
	}
	if all := slices.Concat(some, more); agree(all) {
		return all
	}
	if len(more) == 1 {
		return some
	}
	some = choose(some, more[:len(more)/2], agree)
	return choose(some, more[len(more)/2:], agree)
}

// cannot tells what the code does not convert, without what is in the object: an
// error of the code may quote it.
func (c *Converter) cannot(from, to string, err error) {
	reason := "the code returned an error"
	if _, panicked := errors.AsType[*panicError](err); panicked {
		reason = "the code panicked"
	}
	c.logger.Error("an object is kept whole in its stash, because it cannot be converted",
		slog.String("crd", c.name), slog.String("from", from), slog.String("to", to), slog.String("reason", reason))
}

// body is an object without what the API server keeps.
func body(document map[string]any) map[string]any {
	b := make(map[string]any, len(document))
	for name, value := range document {
		if !reserved(name) {
			b[name] = value
		}
	}
	return b
}
