package engine

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/path"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
)

// Explanation is where everything in the result of a conversion comes from, and
// what became of the rest.
type Explanation struct {
	// Origins are the places of the result, in its order. A place that is the same
	// in both versions with all that is in it is there as a whole.
	Origins []Origin `json:"places"`
	// Uncomputed are the places of the result that a row could not compute, though
	// something is there that it reads, and nothing is kept for.
	Uncomputed []Uncomputed `json:"uncomputed,omitempty"`
	// Kept is what travels in the stash of the source's version.
	Kept []Kept `json:"kept,omitempty"`
	// Dropped is what the table loses on purpose.
	Dropped []Dropped `json:"dropped,omitempty"`
	// Unused are the entries of the target's stash that were not used.
	Unused []Unused `json:"unused,omitempty"`

	// size is how much text there is in it, in bytes, about.
	size int
}

// mostExplained is how much text an explanation may have, in bytes: that of some 100,000
// places. Each place is named from the root of the object, so that a large object under a
// long name would have far more to be told than it has itself.
const mostExplained = 8 << 20

// perPlace is what is told of a place besides its name and values.
const perPlace = 64

// Takes counts what is told, or looked at in order to tell it, in bytes. It ends the work
// where that is too much, by a panic that [CatchTooLong] turns into an error.
func (e *Explanation) Takes(bytes int) {
	if e.size += bytes; e.size > mostExplained {
		panic(tooLong{})
	}
}

// Add adds a place of the result.
func (e *Explanation) Add(o Origin) {
	e.Takes(perPlace + len(o.Path) + len(o.Value))
	e.Origins = append(e.Origins, o)
}

// AddKept adds a place that the target does not show as it is.
func (e *Explanation) AddKept(k Kept) {
	e.Takes(perPlace + len(k.Path) + len(k.Value) + len(k.Back))
	e.Kept = append(e.Kept, k)
}

// AddUnused adds an entry that was not used.
func (e *Explanation) AddUnused(u Unused) {
	e.Takes(perPlace + len(u.Path) + len(u.Reason))
	e.Unused = append(e.Unused, u)
}

// tooLong is what the work ends with.
type tooLong struct{}

// CatchTooLong is to be deferred where explaining begins.
func CatchTooLong(err *error) {
	switch p := recover().(type) {
	case nil:
	case tooLong:
		*err = fmt.Errorf("the explanation takes more than %d MiB; explain a smaller object", mostExplained>>20)
	default:
		panic(p)
	}
}

// By says what has written a place.
type By string

// What can write a place.
const (
	// BySame: both versions have the place, and it is the same in both.
	BySame By = "same"
	ByRow  By = "row"
	// ByAbsence: a row that says what the absence of its places means.
	ByAbsence  By = "absence"
	ByDefault  By = "default"
	ByConstant By = "constant"
	ByStash    By = "stash"
	// ByCode: Go code, where versions are types; see package typed.
	ByCode By = "code"
)

// Origin is a place of the result and what has written it.
type Origin struct {
	Path string `json:"path"`
	By   By     `json:"by"`
	// Row is the title of the row, as in problems, and From are its places in the
	// source.
	Row  string   `json:"row,omitempty"`
	From []string `json:"from,omitempty"`
	// Value is there for what a row, a default, a constant or a stash has written,
	// but for places that are sensitive.
	Value     json.RawMessage `json:"value,omitempty"`
	Sensitive bool            `json:"sensitive,omitempty"`
}

// Uncomputed is a place of the result that a row could not compute.
type Uncomputed struct {
	Path string `json:"path"`
	Row  string `json:"row"`
	// Needs says what the row takes, and why there is no value.
	Needs string `json:"needs"`
}

// Dropped is a place of the source that the table loses on purpose.
type Dropped struct {
	Path   string `json:"path"`
	Row    string `json:"row"`
	Reason string `json:"reason"`
}

// Explain converts src as Convert does, and explains the result. It looks at what
// the conversion has left of its work, so conversions that nobody asks about pay
// nothing for it.
func Explain(src []byte, job Job) (out []byte, explanation *Explanation, err error) {
	c := begin(src, job)
	defer c.end(&err)
	defer CatchTooLong(&err)
	c.explains = true
	if out, err = c.convert(nil); err != nil {
		return nil, nil, err
	}
	x := &explainer{conversion: c, where: map[int32]string{}, out: &Explanation{Origins: []Origin{}}}
	x.source(0, "")
	x.container(c.frames[0].mate, 0, "", nil)
	x.kept()
	x.unused(c.frames[0].mate)
	return out, x.out, nil
}

// explainer looks at a conversion that has been made.
type explainer struct {
	*conversion
	// where are the paths of the source's frames.
	where map[int32]string
	out   *Explanation
}

// source finds the paths of the source's frames, and what is dropped in them.
func (x *explainer) source(f int32, at string) {
	x.out.Takes(len(at))
	x.caller.Work(len(x.nodes(f)))
	x.where[f] = at
	for id := range x.nodes(f) {
		n, s := &x.nodes(f)[id], x.peek(f, int32(id))
		switch {
		case s.state == list:
			x.elements(f, int32(id), func(e int32, position string) { x.source(e, at+x.path(f, int32(id))+position) })
		case n.Kind == plan.Drop && s.present() && n.Said != nil:
			d := Dropped{Path: at + x.path(f, int32(id)), Row: n.Said.Row, Reason: n.Said.Drop}
			x.out.Takes(perPlace + len(d.Path))
			x.out.Dropped = append(x.out.Dropped, d)
		}
	}
}

// path leads from the root of a frame to a node.
func (x *explainer) path(f, id int32) string {
	return relative(x.namesTo(f, id))
}

// relative is a path behind another one: that of nothing is empty.
func relative(names []string) string {
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
