package engine

import (
	"strconv"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/explain"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/path"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/way"
)

// ExplainPure is Pure, and adds to told where what it makes comes from. It returns what rows can't map.
func ExplainPure(made *way.Made, src []byte, job Job, told *explain.Explanation) (unmapped []way.Unmapped, err error) {
	c := begin(src, job)
	defer c.end(&err)
	defer explain.CatchTooLong(&err)
	source, err := c.pure(made, false)
	if err != nil {
		return nil, err
	}
	x := &explainer{conversion: c, where: map[int32]string{}, out: told}
	x.source(source, "")
	x.container(c.frames[source].mate, 0, "", nil)
	for _, u := range c.findUnmapped(source) {
		if u.Offset >= 0 {
			unmapped = append(unmapped, way.Unmapped{At: u.Offset, Needs: u.Needs})
		}
	}
	return unmapped, nil
}

// explainer explains a finished conversion.
type explainer struct {
	*conversion
	// where has the paths of the source's frames.
	where map[int32]string
	out   *explain.Explanation
}

// source sets the paths of the source's frames, and finds what is dropped in them.
func (x *explainer) source(f int32, at string) {
	x.out.Takes(len(at))
	x.caller.Work(len(x.nodes(f)))
	x.where[f] = at
	for id := range x.nodes(f) {
		n, s := &x.nodes(f)[id], x.peek(f, int32(id))
		switch {
		case s.state == list:
			x.elements(f, int32(id), func(e int32, position string) { x.source(e, at+x.path(f, int32(id))+position) })
		case n.Kind == plan.Drop && s.present() && n.Named != nil:
			x.out.AddDropped(explain.Dropped{Path: at + x.path(f, int32(id)), Row: n.Named.Row, Reason: n.Named.Drop})
		}
	}
}

// path returns the path of a node from the root of its frame.
func (x *explainer) path(f, id int32) string {
	return suffix(x.namesTo(f, id))
}

// suffix returns names as a path to append to another one, or "" if there are none.
func suffix(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return path.Path(names).String()
}

// elements calls do for each element of a list or map, with its position.
func (x *explainer) elements(f, id int32, do func(e int32, position string)) {
	n := &x.nodes(f)[id]
	if n.Parent != none && x.nodes(f)[n.Parent].Kind == plan.Parted && x.form(f, n) != plan.One {
		for i, e := range x.partedElements(f, n.Parent) {
			if x.frames[e].mate != none && x.partOf(f, &x.nodes(f)[n.Parent], e) == x.frames[f].scope.Rows[n.Row].Part {
				do(e, "["+strconv.Itoa(i)+"]")
			}
		}
		return
	}
	i := 0
	form := x.form(f, n)
	for e := x.peek(f, id).first; e != none; e = x.frames[e].next {
		position := "[" + strconv.Itoa(i) + "]"
		if name := x.frames[e].name; form == plan.One {
			position = ""
		} else if form == plan.Dict && name != nil {
			position = path.Path{string(unquote(name[1 : len(name)-1]))}.String()
		}
		do(e, position)
		i++
	}
}
