package typed

import (
	"errors"
	"log/slog"

	"github.com/crosswalk-dev/crosswalk/conversion"
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
		c.restore(code, toHub, is, target, head, to)
	}
	// What converting back would not give is the source's own.
	back, err := code.run(head.with(target, c.groupVersion(to).String(), c.kind), !toHub)
	if err != nil {
		c.cannot(to, from, err)
		back = map[string]any{}
	}
	entries := difference(c.keys[from], is, body(back))
	notes.Residuals += len(entries)
	metadata := head.metadata(from, entries, notes)
	out := target
	out["apiVersion"], out["kind"] = c.groupVersion(to).String(), c.kind
	if metadata != nil {
		out["metadata"] = metadata
	}
	return out, nil
}

// restore puts back into the target what it had before. Where the source would then
// look another than it does, and without that it would not, somebody has changed it,
// and nothing is put back.
func (c *Converter) restore(code *code, toHub bool, is, target map[string]any, head *head, to string) {
	whole := clone(target).(map[string]any)
	restore(c.keys[to], whole, head.kept)
	apiVersion := c.groupVersion(to).String()
	looks := func(target map[string]any) bool {
		back, err := code.run(head.with(target, apiVersion, c.kind), !toHub)
		return err == nil && same(body(back), is)
	}
	if !looks(whole) && looks(target) {
		return
	}
	clear(target)
	for name, value := range whole {
		target[name] = value
	}
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
