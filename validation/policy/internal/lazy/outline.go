package lazy

import (
	"errors"
	"slices"

	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// outlined is how long an object or a list must be for its end to be stored.
const outlined = 48

var errNoEnd = errors.New("a value has no end")

// outline walks over the text once and stores the ends of long objects and lists, so that they
// are not searched again. As with [jsontext.Scanner.Skim], the ends are right if the text is
// JSON.
func (d *Document) outline(start int) (end int, err error) {
	text := d.scanner.Src
	open := d.open[:0]
	defer func() { d.open = open }()
	for pos := start; pos < len(text); {
		switch text[pos] {
		case '"':
			if pos, err = d.scanner.Skim(pos); err != nil {
				return 0, err
			}
			continue
		case '{', '[':
			open = append(open, int32(len(d.spans)))
			d.spans = append(d.spans, jsontext.Span{Start: int32(pos)})
		case '}', ']':
			if len(open) == 0 {
				return 0, errNoEnd
			}
			last := open[len(open)-1]
			open = open[:len(open)-1]
			if d.spans[last].End = int32(pos + 1); d.spans[last].End-d.spans[last].Start < outlined {
				// Nothing inside is longer.
				d.spans = d.spans[:last]
			}
			if len(open) == 0 {
				return pos + 1, nil
			}
		}
		pos++
	}
	return 0, errNoEnd
}

// end finds where the value at pos ends.
func (d *Document) end(pos int) (int, error) {
	if pos < len(d.scanner.Src) && (d.scanner.Src[pos] == '{' || d.scanner.Src[pos] == '[') {
		at, found := slices.BinarySearchFunc(d.spans, int32(pos), func(s jsontext.Span, start int32) int { return int(s.Start - start) })
		if found {
			return int(d.spans[at].End), nil
		}
	}
	return d.scanner.Skim(pos)
}

// newObject and newList take values from chunks: a request has many of them, and all become
// garbage at once.
func (d *Document) newObject(at jsontext.Span, depth int) *object {
	if len(d.objects) == cap(d.objects) {
		d.objects = make([]object, 0, chunk(cap(d.objects)))
	}
	d.objects = append(d.objects, object{container: container{doc: d, at: at, depth: depth}})
	return &d.objects[len(d.objects)-1]
}

func (d *Document) newList(at jsontext.Span, depth int) *list {
	if len(d.lists) == cap(d.lists) {
		d.lists = make([]list, 0, chunk(cap(d.lists)))
	}
	d.lists = append(d.lists, list{container: container{doc: d, at: at, depth: depth}})
	return &d.lists[len(d.lists)-1]
}

// chunk returns how many values to make room for next.
func chunk(before int) int { return min(max(4, before*4), 256) }
