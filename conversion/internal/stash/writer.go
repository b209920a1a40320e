package stash

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// Writer writes a stash. The zero value is empty and ready.
type Writer struct {
	// Table is the mark of the table that writes the entries, or "" to write none.
	Table   string
	text    []byte // the entries, one after the other
	entries []extent
	// left is the size of the entries that will be written.
	left int
}

// extent is the position of an entry.
type extent struct {
	start, end int
	out        bool
}

const (
	head = `{"format":1,`
	open = `"entries":[`
	tail = `]}`
	// begins is the beginning of an entry, up to its address.
	begins = `{"at":`
)

// head appends the text before the entries.
func (w *Writer) head(dst []byte) []byte {
	dst = append(dst, head...)
	if w.Table != "" {
		dst = append(jsontext.Quote(append(dst, `"table":`...), w.Table), ',')
	}
	return append(dst, open...)
}

// Reset empties the writer.
func (w *Writer) Reset() {
	w.Table, w.text, w.left = "", w.text[:0], 0
	clear(w.entries)
	w.entries = w.entries[:0]
}

// Empty reports whether there is nothing to write.
func (w *Writer) Empty() bool { return w.left == 0 }

// Size returns the length of the annotation in bytes, as the API server counts it.
func (w *Writer) Size() int {
	if w.left == 0 {
		return 0
	}
	var buf [128]byte
	return len(w.head(buf[:0])) + w.left + len(tail)
}

// Cap returns how many bytes of memory the writer has. Reset keeps it.
func (w *Writer) Cap() int { return cap(w.text) }

// Len returns the number of entries that were added.
func (w *Writer) Len() int { return len(w.entries) }

// SizeOf returns how many bytes are saved by leaving an entry out.
func (w *Writer) SizeOf(entry int) int {
	return w.entries[entry].end - w.entries[entry].start + 1
}

// LeaveOut leaves an entry out.
func (w *Writer) LeaveOut(entry int) {
	w.entries[entry].out = true
	w.left -= w.SizeOf(entry)
}

// Left returns the number of entries that will be written.
func (w *Writer) Left() int {
	n := 0
	for _, e := range w.entries {
		if !e.out {
			n++
		}
	}
	return n
}

// Compact removes the entries that were left out. The numbers of the others change. It must not be
// used after Sort.
func (w *Writer) Compact() {
	text, entries := w.text[:0], w.entries[:0]
	for _, e := range w.entries {
		if !e.out {
			start := len(text)
			text = append(text, w.text[e.start:e.end]...)
			entries = append(entries, extent{start: start, end: len(text)})
		}
	}
	w.text, w.entries = text, entries
}

// At returns the path of an entry.
func (w *Writer) At(entry int) []Step {
	e := w.entries[entry]
	r := reader{scan: new(jsontext.Scanner)}
	r.scan.Reset(w.text[e.start:e.end])
	at, _ := r.address(len(begins)) // the writer has written it
	return at
}

// Sort sorts the entries by their texts, so that the order in which they were added does not
// matter.
func (w *Writer) Sort() {
	slices.SortFunc(w.entries, func(a, b extent) int { return bytes.Compare(w.text[a.start:a.end], w.text[b.start:b.end]) })
}

// IsOut reports whether an entry was left out.
func (w *Writer) IsOut(entry int) bool { return w.entries[entry].out }

// Add adds an entry. Equal sequences of entries give equal texts.
func (w *Writer) Add(e Entry) {
	var at []byte
	for i, s := range e.At {
		if i > 0 {
			at = append(at, ',')
		}
		at = s.Append(at)
	}
	w.AddAt(at, e)
}

// AddAt is Add for an entry whose address is given as text: its steps, with commas between them.
func (w *Writer) AddAt(at []byte, e Entry) {
	start := len(w.text)
	w.text = append(append(append(w.text, begins+`[`...), at...), ']')
	if e.Value != nil {
		w.text = append(w.text, `,"value":`...)
		w.text = append(w.text, e.Value...)
	}
	if e.Guard != nil {
		w.text = append(w.text, `,"guard":`...)
		w.text = jsontext.Quote(w.text, e.Guard)
	}
	if e.Table != nil {
		w.text = append(w.text, `,"table":`...)
		w.text = jsontext.Quote(w.text, e.Table)
	}
	if e.Unplaced != nil {
		w.text = append(w.text, `,"unplaced":`...)
		w.text = jsontext.Quote(w.text, e.Unplaced)
	}
	if e.Order != nil {
		w.text = append(w.text, `,"order":[`...)
		for i, item := range e.Order {
			if i > 0 {
				w.text = append(w.text, ',')
			}
			if item.Value == nil && item.Part != nil {
				w.text = append(w.text, `{"part":`...)
				w.text = append(jsontext.Quote(w.text, item.Part), `,"step":`...)
				w.text = append(item.Step.Append(w.text), '}')
				continue
			}
			switch {
			case item.Value == nil && item.Rank > 0:
				w.text = strconv.AppendInt(append(w.text, `{"rank":`...), int64(item.Rank), 10)
				w.text = append(item.Step.Append(append(w.text, `,"step":`...)), '}')
			case item.Value == nil:
				w.text = item.Step.Append(w.text)
			case item.Double:
				w.text = append(append(append(w.text, `{"double":true,"value":`...), item.Value...), '}')
			default:
				w.text = append(append(append(w.text, `{"value":`...), item.Value...), '}')
			}
		}
		w.text = append(w.text, ']')
	}
	w.text = append(w.text, '}')
	w.entries = append(w.entries, extent{start: start, end: len(w.text)})
	w.left += len(w.text) - start + 1
}

// Append appends a step in the form of an address.
func (s Step) Append(dst []byte) []byte {
	switch {
	case s.Key != nil:
		dst = append(dst, `{"key":`...)
		dst = append(dst, s.Key...)
		if s.There != nil {
			dst = append(append(dst, `,"there":`...), s.There...)
		}
		if s.In != nil {
			dst = jsontext.Quote(append(dst, `,"in":`...), s.In)
		}
		if s.Of > 1 {
			dst = strconv.AppendInt(append(dst, `,"of":`...), int64(s.Of), 10)
		}
		return append(dst, '}')
	case s.Part != nil:
		dst = append(dst, `{"part":`...)
		return append(jsontext.Quote(dst, s.Part), '}')
	case s.Content != nil:
		dst = append(dst, `{"content":`...)
		dst = jsontext.Quote(dst, s.Content)
		dst = append(dst, `,"nth":`...)
		dst = strconv.AppendInt(dst, int64(s.Nth), 10)
		if s.Of > 1 {
			dst = strconv.AppendInt(append(dst, `,"of":`...), int64(s.Of), 10)
		}
		if s.Live != nil {
			dst = append(dst, `,"live":`...)
			dst = jsontext.Quote(dst, s.Live)
		}
		if s.Alike > 0 {
			dst = strconv.AppendInt(append(dst, `,"alike":`...), int64(s.Alike), 10)
		}
		if s.AlikeOf > 0 {
			dst = strconv.AppendInt(append(dst, `,"alikeOf":`...), int64(s.AlikeOf), 10)
		}
		if s.Full != nil {
			dst = jsontext.Quote(append(dst, `,"full":`...), s.Full)
		}
		if s.FullNth > 0 {
			dst = strconv.AppendInt(append(dst, `,"fullNth":`...), int64(s.FullNth), 10)
		}
		return append(dst, '}')
	}
	return jsontext.Quote(dst, s.Name)
}

// Text returns the whole stash, as the text of its annotation.
func (w *Writer) Text() []byte { return w.AppendText(make([]byte, 0, w.Size())) }

// AppendText appends the whole stash.
func (w *Writer) AppendText(dst []byte) []byte {
	text := w.head(dst)
	first := len(text)
	for _, e := range w.entries {
		if e.out {
			continue
		}
		if len(text) > first {
			text = append(text, ',')
		}
		text = append(text, w.text[e.start:e.end]...)
	}
	return append(text, tail...)
}

// AppendQuoted appends the whole stash as a JSON string, the value of its
// annotation.
func (w *Writer) AppendQuoted(dst []byte) []byte { return jsontext.Quote(dst, w.Text()) }
