package stash

import (
	"bytes"
	"errors"
	"slices"
	"strconv"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

var errFormat = errors.New("not a stash of a known format")

// wrapping is how many levels a stash adds around a value: the document, its entries and the entry.
// The limit of depth is only for the values.
const wrapping = 3

// Read is Reader.Read with memory of its own.
func Read(entries []Entry, text []byte) (all []Entry, table string, err error) {
	return new(Reader).Read(entries, text)
}

// Reader reads stashes into memory that is reused.
type Reader struct{ steps []Step }

// Items returns for how many steps the reader has memory. Reset keeps it.
func (r *Reader) Items() int { return cap(r.steps) }

// Reset makes the memory of what was read free for the next Read.
func (r *Reader) Reset() {
	clear(r.steps)
	r.steps = r.steps[:0]
}

// Read appends the entries of a stash to entries, and returns the mark of the table that wrote
// them, or "". text is the text of an annotation, and the entries share memory with it. Read
// accepts only a stash that it understands completely: after an error none of the entries may be
// used. It leaves out an entry with a number that the API server can't decode, because no stored
// object can have had it.
func (reused *Reader) Read(entries []Entry, text []byte) (all []Entry, table string, err error) {
	var scan jsontext.Scanner
	scan.Reset(text)
	start := scan.Space(0)
	end, err := scan.Value(start, -wrapping)
	if err == nil {
		err = scan.Trailing(end)
	}
	if err != nil {
		return entries, "", err
	}
	r := &reader{scan: &scan, steps: reused.steps}
	defer func() { reused.steps = r.steps }()
	known := false
	var list int = -1
	if err := r.members(start, func(name []byte, at, end int) error {
		switch string(name) {
		case "format":
			known = string(text[at:end]) == strconv.Itoa(format)
		case "table":
			var mark []byte
			err := r.text(&mark, at, end)
			table = string(mark)
			return err
		case "entries":
			list = at
		}
		return nil
	}); err != nil || !known || list < 0 {
		return entries, "", errFormat
	}
	before := len(entries)
	err = r.elements(list, func(at, _ int) error {
		e, err := r.entry(at)
		if err == nil && e.decodable() {
			entries = append(entries, e)
		}
		return err
	})
	if err != nil {
		return entries[:before], "", err
	}
	return entries, table, nil
}

// reader walks JSON that has been validated.
type reader struct {
	scan *jsontext.Scanner
	// steps are those of all addresses that were read.
	steps []Step
}

func (r *reader) members(pos int, visit func(name []byte, at, end int) error) error {
	if r.scan.Src[pos] != '{' {
		return errFormat
	}
	o := r.scan.Object(pos)
	for {
		name, ok, err := o.Next()
		if err != nil || !ok {
			return err
		}
		end, err := r.scan.Skim(o.Value)
		if err != nil {
			return err
		}
		if err := visit(jsontext.Unquoted(name.Bytes(r.scan.Src)), o.Value, end); err != nil {
			return err
		}
		o.End = end
	}
}

func (r *reader) elements(pos int, visit func(at, end int) error) error {
	if r.scan.Src[pos] != '[' {
		return errFormat
	}
	a := r.scan.Array(pos)
	for {
		ok, err := a.Next()
		if err != nil || !ok {
			return err
		}
		end, err := r.scan.Skim(a.Value)
		if err != nil {
			return err
		}
		if err := visit(a.Value, end); err != nil {
			return err
		}
		a.End = end
	}
}

func (r *reader) entry(pos int) (e Entry, err error) {
	// deep are values that are long enough to nest too deep: their offsets, and how far they are
	// below the place of the entry.
	type nested struct{ at, below int }
	var deep []nested
	err = r.members(pos, func(name []byte, at, end int) error {
		switch string(name) {
		case "at":
			e.At, err = r.address(at)
			return err
		case "value":
			if e.Value = r.scan.Src[at:end]; len(e.Value) > jsontext.MaxDepth {
				deep = append(deep, nested{at, 0})
			}
		case "order":
			e.Order = []Item{}
			return r.elements(at, func(at, end int) error {
				item, value, err := r.item(at, end)
				if len(item.Value) > jsontext.MaxDepth {
					deep = append(deep, nested{value, 1})
				}
				e.Order = append(e.Order, item)
				return err
			})
		case "guard":
			return r.text(&e.Guard, at, end)
		case "table":
			return r.text(&e.Table, at, end)
		case "unplaced":
			return r.text(&e.Unplaced, at, end)
		default:
			return errFormat
		}
		return nil
	})
	if err == nil && (len(e.At) == 0 || e.Order != nil && (e.Value != nil || e.Guard != nil)) {
		err = errFormat
	}
	for _, value := range deep {
		if err == nil {
			// In its place the value must not nest deeper than what can be read.
			_, err = r.scan.Value(value.at, len(e.At)+value.below)
		}
	}
	return e, err
}

// address reads the address of an entry, which begins at pos.
func (r *reader) address(pos int) ([]Step, error) {
	first := len(r.steps)
	err := r.elements(pos, func(at, end int) error {
		s, err := r.step(at, end)
		r.steps = append(r.steps, s)
		return err
	})
	return r.steps[first:len(r.steps):len(r.steps)], err
}

// decodable reports whether the API server can decode what an entry restores.
func (e *Entry) decodable() bool {
	return jsontext.Decodable(e.Value) && !slices.ContainsFunc(e.Order, func(i Item) bool { return !jsontext.Decodable(i.Value) })
}

// item reads an element of an order, and returns where its value begins.
func (r *reader) item(at, end int) (item Item, value int, err error) {
	if r.scan.Src[at] == '{' {
		stepped, other := false, false
		err = r.members(at, func(name []byte, at, end int) error {
			switch string(name) {
			case "value":
				item.Value, value = r.scan.Src[at:end], at
			case "part":
				return r.text(&item.Part, at, end)
			case "step":
				item.Step, err = r.step(at, end)
				stepped = err == nil && item.Step.Part == nil
				return err
			case "rank":
				item.Rank, err = strconv.Atoi(string(r.scan.Src[at:end]))
				if err != nil || item.Rank <= 0 {
					return errFormat
				}
			case "double":
				if item.Double = string(r.scan.Src[at:end]) == "true"; !item.Double {
					return errFormat
				}
			default:
				other = true
			}
			return nil
		})
		switch whole := item.Value != nil; {
		case err != nil || whole && !other && item.Part == nil && !stepped && item.Rank == 0:
			return item, value, err
		case !other && !whole && !item.Double && (item.Part != nil) != (item.Rank > 0) && stepped:
			return item, 0, nil
		case item.Part != nil || stepped || whole || item.Rank > 0 || item.Double:
			return item, 0, errFormat
		}
	}
	item.Step, err = r.step(at, end)
	return item, 0, err
}

func (r *reader) step(at, end int) (s Step, err error) {
	if r.scan.Src[at] == '"' {
		return s, r.text(&s.Name, at, end)
	}
	more := false // the value is content
	err = r.members(at, func(name []byte, at, end int) error {
		more = more || string(name) != "key" && string(name) != "there" && string(name) != "in" && string(name) != "of" && string(name) != "part"
		switch string(name) {
		case "key":
			s.Key = compact(r.scan.Src[at:end])
		case "there":
			s.There = compact(r.scan.Src[at:end])
		case "in":
			return r.text(&s.In, at, end)
		case "part":
			return r.text(&s.Part, at, end)
		case "content":
			return r.text(&s.Content, at, end)
		case "live":
			return r.text(&s.Live, at, end)
		case "full":
			return r.text(&s.Full, at, end)
		case "nth":
			return r.number(&s.Nth, at, end)
		case "of":
			return r.number(&s.Of, at, end)
		case "alike":
			return r.number(&s.Alike, at, end)
		case "alikeOf":
			return r.number(&s.AlikeOf, at, end)
		case "fullNth":
			return r.number(&s.FullNth, at, end)
		default:
			return errFormat
		}
		return nil
	})
	kinds := 0
	for _, is := range [...]bool{s.Key != nil, s.Content != nil, s.Part != nil} {
		if is {
			kinds++
		}
	}
	if err == nil && (kinds != 1 || s.Of == 1 || s.Content == nil && (more || s.Of > 0 && s.In == nil) || s.Key == nil && (s.There != nil || s.In != nil)) {
		err = errFormat
	}
	return s, err
}

func (r *reader) number(to *int, at, end int) error {
	n, err := strconv.Atoi(string(r.scan.Src[at:end]))
	if err != nil || n < 0 {
		return errFormat
	}
	*to = n
	return nil
}

// compact returns a key without white space, as conversions write it.
func compact(key []byte) []byte {
	if bytes.ContainsAny(key, " \t\r\n") {
		return schema.Canonical(nil, key, nil)
	}
	return key
}

func (r *reader) text(to *[]byte, at, end int) error {
	if r.scan.Src[at] != '"' {
		return errFormat
	}
	*to = jsontext.Unquoted(r.scan.Src[at+1 : end-1])
	return nil
}
