package typed

import (
	"bytes"
	"errors"
	"log/slog"
	"maps"
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
)

// step converts between the hub and one version.
func (c *Converter) step(source map[string]any, from, to string, notes *conversion.Notes) (map[string]any, error) {
	code, toHub := c.codes[from], true
	if code == nil {
		code, toHub = c.codes[to], false
	}
	head, err := readHead(source, from, to, notes)
	if err != nil {
		return nil, err
	}
	is := body(source)
	target, err := code.run(head.with(is, c.groupVersion(from).String(), c.kind), toHub)
	if err != nil {
		c.cannot(from, to, err)
		target = map[string]any{}
	}
	head.follow(target)
	target = body(target)
	if len(head.kept) > 0 {
		c.restore(code, toHub, is, target, head, from, to)
	}
	// What converting back would not give is the source's own.
	back, err := code.run(head.with(target, c.groupVersion(to).String(), c.kind), !toHub)
	if err != nil {
		c.cannot(to, from, err)
		back = map[string]any{}
	}
	entries := difference(c.keys[from], is, body(back))
	view := guard(target)
	for i := range entries {
		entries[i].Row = view
	}
	notes.Residuals += len(entries)
	metadata := head.metadata(from, entries, notes)
	out := target
	out["apiVersion"], out["kind"] = c.groupVersion(to).String(), c.kind
	if metadata != nil {
		out["metadata"] = metadata
	}
	return out, nil
}

// restore puts back into the target what it had before. What would make the source
// look another in a place where it looks right without belongs to something that
// somebody has changed since, and is left out.
func (c *Converter) restore(code *code, toHub bool, is, target map[string]any, head *head, from, to string) {
	apiVersion := c.groupVersion(to).String()
	with := func(entries []stash.Entry) map[string]any {
		whole := clone(target).(map[string]any)
		restore(c.keys[to], whole, entries)
		return whole
	}
	wrong := func(target map[string]any) places {
		source, err := code.run(head.with(target, apiVersion, c.kind), !toHub)
		if err != nil {
			source = nil // as step does
		}
		return placesOf(difference(c.keys[from], is, body(source)))
	}
	// What was kept beside the very view that is converted now needs no proof.
	view := guard(is)
	var sure, others []stash.Entry
	for _, e := range head.kept {
		if bytes.Equal(e.Row, view) {
			sure = append(sure, e)
		} else {
			others = append(others, e)
		}
	}
	without := wrong(with(sure))
	whole := with(choose(sure, others, func(entries []stash.Entry) bool { return without.cover(wrong(with(entries))) }))
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

// cover says whether every other place is one of these, or inside of one.
func (p places) cover(others places) bool {
	return !slices.ContainsFunc(others, func(other []stash.Step) bool {
		return !slices.ContainsFunc(p, func(at []stash.Step) bool {
			return len(at) <= len(other) && slices.EqualFunc(at, other[:len(at)], sameStep)
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
	if errors.Is(err, errPanicked) {
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
