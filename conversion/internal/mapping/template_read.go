package mapping

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// split finds the parts of the string. A placeholder takes as much as it can, the leftmost first,
// so "{host}:{port}" splits [::1]:80 at its last colon. In a template with optional parts it takes
// as little as it can, so that an optional part begins at the first text that it can begin with:
// "{host}[:{port}][/{path}]" splits a/b/c at its first slash.
func (t *Template) split(scratch, text []byte, out [][]byte) ([]byte, bool) {
	clear(out)
	if text == nil {
		return scratch, true
	}
	if text[0] != '"' {
		return scratch, false
	}
	inside := text[1 : len(text)-1]
	if slices.Contains(inside, '\\') {
		start := len(scratch)
		scratch = jsontext.Unquote(scratch, inside)
		inside = scratch[start:len(scratch):len(scratch)]
	}
	r := templateReader{Template: t, text: inside, out: out, scratch: scratch, left: minWork + workPerByte*len(inside)}
	ok := r.read(0, 0)
	return r.scratch, ok
}

// minWork and workPerByte limit how many ends of placeholders are tried. A text that hardly fits
// its template has very many. A text beyond the limit can't be mapped, and is kept.
const (
	minWork     = 10_000
	workPerByte = 8
)

// templateReader finds the parts of one string.
type templateReader struct {
	*Template
	text    []byte
	out     [][]byte
	scratch []byte
	left    int
}

// read reports whether the text from at on fits the steps from i on.
func (r *templateReader) read(i, at int) bool {
	for ; i < len(r.steps); i++ {
		s := &r.steps[i]
		switch {
		case s.hole != nil:
			return r.fill(i, at)
		case s.behind > 0:
			if r.read(i+1, at) {
				return true
			}
			i = s.behind - 1
		case !bytes.HasPrefix(r.text[at:], s.text):
			return false
		default:
			at += len(s.text)
		}
	}
	return at == len(r.text) && r.left >= 0
}

// fill tries the ends of the hole that is step i.
func (r *templateReader) fill(i, at int) bool {
	h := r.steps[i].hole
	end, last, step := at+h.reach(r.text[at:]), at, -1
	r.left -= (end - at) / workPerByte
	if r.Sparing {
		end, last, step = last, end, 1
	}
	for ; ; end += step {
		if r.left--; r.left < 0 {
			return false
		}
		if part := r.text[at:end]; (!h.integer || isDecimal(part)) && r.read(i+1, end) {
			r.put(h, part)
			return true
		}
		if end == last {
			return false
		}
	}
}

// reach returns how much of a text a placeholder can take.
func (h *hole) reach(text []byte) int {
	if h.integer {
		return min(len(text), len("-")+maxDigits)
	}
	if h.never != "" {
		if end := bytes.IndexAny(text, h.never); end >= 0 {
			return end
		}
	}
	return len(text)
}

func (r *templateReader) put(h *hole, part []byte) {
	start := len(r.scratch)
	if h.integer {
		r.scratch = jsontext.AppendNumber(r.scratch, trimZeros(part))
	} else {
		r.scratch = jsontext.Quote(r.scratch, part)
	}
	r.out[h.operand] = r.scratch[start:len(r.scratch):len(r.scratch)]
}

// maxDigits are those of the largest integer that the API server keeps exact.
const maxDigits = len("9223372036854775807")

// isDecimal reports whether text is an integer that the API server keeps exact.
func isDecimal(text []byte) bool {
	if len(text) == 0 || text[0] == '+' {
		return false
	}
	_, err := strconv.ParseInt(string(text), 10, 64)
	return err == nil
}

// trimZeros removes leading zeros, which JSON does not allow.
func trimZeros(text []byte) []byte {
	sign := 0
	if text[0] == '-' {
		sign = 1
	}
	zeros := sign
	for zeros < len(text)-1 && text[zeros] == '0' {
		zeros++
	}
	if zeros == sign {
		return text
	}
	return append(append([]byte(nil), text[:sign]...), text[zeros:]...)
}
