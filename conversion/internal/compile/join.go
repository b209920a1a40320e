package compile

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// join ties a string to the list of its parts.
type join struct {
	// whole is the side with the string.
	whole plan.Side
	// separator, prefix and suffix are characters.
	separator, prefix, suffix []byte
	trim, integers            bool
}

func (j *join) Convert(scratch []byte, from plan.Side, in, out [][]byte) ([]byte, bool) {
	switch {
	case in[0] == nil:
		out[0] = nil
		return scratch, true
	case from == j.whole:
		return j.split(scratch, in[0], out)
	}
	return j.join(scratch, in[0], out)
}

// split finds the parts. A text without any is an empty list.
func (j *join) split(scratch, text []byte, out [][]byte) ([]byte, bool) {
	if text[0] != '"' {
		return scratch, false
	}
	start := len(scratch)
	scratch = jsontext.Unquote(scratch, text[1:len(text)-1])
	inside, ok := bytes.CutPrefix(scratch[start:len(scratch):len(scratch)], j.prefix)
	if inside, ok = cutSuffix(inside, j.suffix, ok); !ok {
		return scratch, false
	}
	if j.trim {
		inside = bytes.TrimSpace(inside)
	}
	start = len(scratch)
	scratch = append(scratch, '[')
	for rest, more := inside, len(inside) > 0; more; {
		var part []byte
		part, rest, more = bytes.Cut(rest, j.separator)
		if j.trim {
			part = bytes.TrimSpace(part)
		}
		if len(scratch) > start+1 {
			scratch = append(scratch, ',')
		}
		switch {
		case !j.integers:
			scratch = jsontext.Quote(scratch, part)
		case isDecimal(part):
			scratch = jsontext.AppendNumber(scratch, trimZeros(part))
		default:
			return scratch, false
		}
	}
	scratch = append(scratch, ']')
	out[0] = scratch[start:len(scratch):len(scratch)]
	return scratch, true
}

func cutSuffix(text, suffix []byte, ok bool) ([]byte, bool) {
	text, has := bytes.CutSuffix(text, suffix)
	return text, ok && has
}

// join writes the string. It has none if splitting it again would give other
// parts.
func (j *join) join(scratch, text []byte, out [][]byte) ([]byte, bool) {
	if text[0] != '[' {
		return scratch, false
	}
	var scan jsontext.Scanner
	scan.Reset(text)
	start := len(scratch)
	scratch = append(scratch, j.prefix...)
	open, parts := len(scratch), 0
	a := scan.Array(0)
	for {
		ok, err := a.Next()
		if err != nil {
			return scratch, false
		}
		if !ok {
			break
		}
		if a.End, err = scan.Value(a.Value, 0); err != nil {
			return scratch, false
		}
		if parts++; parts > 1 {
			scratch = append(scratch, j.separator...)
		}
		before := len(scratch)
		switch item := text[a.Value:a.End]; {
		case j.integers && jsontext.IsInteger(item) && isDecimal(item):
			scratch = append(scratch, item...)
		case !j.integers && item[0] == '"':
			scratch = jsontext.Unquote(scratch, item[1:len(item)-1])
		default:
			return scratch, false
		}
		part := scratch[before:]
		if bytes.Contains(part, j.separator) || j.trim && len(bytes.TrimSpace(part)) < len(part) {
			return scratch, false
		}
	}
	inside := scratch[open:len(scratch):len(scratch)]
	if parts == 1 && len(inside) == 0 || j.trim && len(bytes.TrimSpace(inside)) < len(inside) || len(j.separator) > 1 && !j.splits(text, inside) {
		return scratch, false
	}
	scratch = append(scratch, j.suffix...)
	end := len(scratch)
	scratch = jsontext.Quote(scratch, scratch[start:end])
	out[0] = scratch[end:len(scratch):len(scratch)]
	return scratch, true
}

// splits reports whether a text has the parts that a list has. A part may end with
// what a separator of several characters begins with.
func (j *join) splits(list, inside []byte) bool {
	var scan jsontext.Scanner
	scan.Reset(list)
	a := scan.Array(0)
	var part, buffer []byte
	for rest, more := inside, true; ; {
		ok, err := a.Next()
		if err != nil || !ok {
			return err == nil
		}
		if a.End, err = scan.Value(a.Value, 0); err != nil || !more {
			return false
		}
		part, rest, more = bytes.Cut(rest, j.separator)
		item := list[a.Value:a.End]
		if item[0] == '"' {
			buffer = jsontext.Unquote(buffer[:0], item[1:len(item)-1])
			item = buffer
		}
		if !bytes.Equal(part, item) {
			return false
		}
	}
}

func (b *builder) checkJoin(w *written) {
	if w.Join.Separator == "" {
		b.problem(w, `write the text between two elements: join: {separator: ","}`, "join has no separator")
	}
}

func (b *builder) joinRow(w *written, r *plan.Row) bool {
	if b.leadsInto(w) {
		return false
	}
	types := w.pair()
	whole := plan.Spoke
	if types[plan.Spoke].Type != "string" {
		whole = plan.Hub
	}
	parts := types[whole.Other()]
	switch {
	case types[whole].Type == "string" && parts.Type == "string" && b.joinsPart(w):
		return false
	case types[whole].Type != "string" || parts.Type != "array":
		b.problem(w, "name a string on one side and a list on the other", "join maps a string to a list: %s is of type %s, %s is of type %s",
			w.paths[plan.Spoke][0], types[plan.Spoke].Describe(), w.paths[plan.Hub][0], types[plan.Hub].Describe())
		return false
	case parts.Items == nil || parts.Items.Type != "string" && parts.Items.Type != "integer":
		b.problem(w, "name a list of strings or integers", "join: the elements of %s are not strings or integers", w.paths[whole.Other()][0])
		return false
	}
	r.Kind = plan.Map
	r.Mapping = &join{
		whole: whole, separator: []byte(w.Join.Separator), prefix: []byte(w.Join.Prefix), suffix: []byte(w.Join.Suffix),
		trim: w.Join.Trim, integers: parts.Items.Type == "integer",
	}
	r.Needs[whole] = fmt.Sprintf("parts separated by %q", w.Join.Separator)
	if w.Join.Prefix != "" {
		r.Needs[whole] += fmt.Sprintf(", with the prefix %q", w.Join.Prefix)
	}
	if w.Join.Suffix != "" {
		r.Needs[whole] += fmt.Sprintf(", with the suffix %q", w.Join.Suffix)
	}
	r.Needs[whole.Other()] = fmt.Sprintf("elements that do not contain %q, and not a single empty element", w.Join.Separator)
	return true
}

// joinsPart reports a row that is to join the elements of one part of a list.
func (b *builder) joinsPart(w *written) bool {
	c := b.rowAround()
	if c == nil || !c.w.is("where") {
		return false
	}
	list, part := c.w.merged, c.w.merged.Other()
	if len(w.paths[part][0]) > 0 {
		return false
	}
	such := "..."
	if len(c.tests) > 0 && len(c.tests[0].Values) == 1 {
		such = fmt.Sprintf("e%s == %s", c.tests[0].At, strings.ReplaceAll(string(c.tests[0].Values[0]), `"`, "'"))
	}
	b.problem(w, fmt.Sprintf("compute all parts with one row and cel: %s: {%s: \"self%s.filter(e, %s).map(e, e%s).join('%s')\", ...}",
		direction(part), c.part, c.at[list], such, w.paths[list][0], w.Join.Separator),
		"join: a part of %s must be an element or a list of elements, and can't be a text of several", c.at[list])
	return true
}
