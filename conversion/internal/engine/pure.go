package engine

import (
	"github.com/crosswalk-dev/crosswalk/conversion/internal/expression"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/way"
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// Pure converts an object by its plan alone: it uses no stash and makes none. It is a function of
// the object without its stashes of the two versions. It reuses the memory of made. asksExact is as for
// way.Way. Errors are of type
// *jsontext.SyntaxError, *ShapeError or *caller.GoneError, unless the engine itself is wrong.
func Pure(made *way.Made, src []byte, job Job, asksExact bool) (err error) {
	c := begin(src, job)
	defer c.end(&err)
	_, err = c.pure(made, asksExact)
	return err
}

// pure returns the frame of the source.
func (c *conversion) pure(made *way.Made, asksExact bool) (source int32, err error) {
	made.Reset()
	c.making = made
	c.left = expression.Budget
	if source, err = c.read(); err != nil {
		return none, err
	}
	target := c.forward(source)
	c.settle(target)
	c.removeFollowers(target)
	c.fill(target)
	c.shorten(target)
	made.Exact = asksExact && len(made.Stashes)+len(made.Own) == 0 && c.exact(source)
	c.tidyMetadata(source, target)
	c.emits = true
	made.Text = c.emit(made.Text, target, 0)
	c.emits = false
	if !c.blank.isNothing() {
		return none, errBlank
	}
	return source, nil
}

// recordStash records a stash. inside is the text of the string without quotes.
func recordStash(made *way.Made, to *[]way.Stash, name, inside []byte) {
	start := len(made.Memory)
	made.Memory = jsontext.Unquote(append(made.Memory, name...), inside)
	text := made.Memory[start:len(made.Memory):len(made.Memory)]
	*to = append(*to, way.Stash{Name: text[:len(name)], Text: text[len(name):]})
}

// emitsFrom records that the text at an offset of the result is element e.
func (c *conversion) emitsFrom(at int, e int32) {
	if !c.emits {
		return
	}
	from := none
	if mate := c.frames[e].mate; mate != none {
		from = c.frames[mate].from
	}
	c.making.Elements = append(c.making.Elements, way.Element{At: at, From: int(from), Scope: c.frames[e].scope})
}
