package engine

import (
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// maxAnnotations is how much the names and values of all annotations may take together:
// TotalAnnotationSizeLimitB in k8s.io/apimachinery/pkg/api/validation. The API server rejects an
// object beyond it, even on a read.
const maxAnnotations = 256 << 10

// shorten removes values that rows have written into annotations, the longest first, while the
// annotations take more than the API server allows: it would reject the object even on a read.
// Package complement keeps the removed values as far as there is room.
func (c *conversion) shorten(target int32) {
	inJSON := func(text []byte) int { return len(text) } // a lower bound, without quotes and escapes
	if c.annotationsSize(target, inJSON, inJSON) <= maxAnnotations {
		return
	}
	for size := c.annotationsSize(target, membersSize, textSize); size > maxAnnotations; {
		longest, length := none, 0
		for _, id := range c.nodes(target)[plan.Annotations].Children {
			n, s := &c.nodes(target)[id], c.peek(target, id)
			if n.Kind == plan.Operand && s.state == raw && textSize(s.text) > length {
				longest, length = id, textSize(s.text)
			}
		}
		if longest == none {
			return // the others were in the source
		}
		c.clear(target, longest)
		size -= length + len(c.nodes(target)[longest].Name)
	}
}

// annotationsSize returns what the names and values of the target's annotations take, where run is the size of a
// run of members and text that of a value.
func (c *conversion) annotationsSize(target int32, run, text func([]byte) int) int {
	s := c.peek(target, plan.Annotations)
	total := len(c.making.Mark)
	if s.state != object {
		return total
	}
	for r := s.first; r != none; r = c.runs[r].next {
		total += run(c.runs[r].text)
	}
	for _, id := range c.nodes(target)[plan.Annotations].Children {
		if a := c.peek(target, id); a.state == raw {
			total += text(a.text) + len(c.nodes(target)[id].Name)
		}
	}
	return total
}

// membersSize returns what the names and texts in a run of members take.
func membersSize(run []byte) int {
	var scan jsontext.Scanner
	text := append(append([]byte{'{'}, run...), '}')
	scan.Reset(text)
	total := 0
	for o := scan.Object(0); ; {
		name, ok, err := o.Next()
		if err != nil || !ok {
			return total
		}
		if o.End, err = scan.Skim(o.Value); err != nil {
			return total
		}
		total += len(unquote(name.Bytes(text))) + textSize(text[o.Value:o.End])
	}
}

// textSize returns the length of a text without its quotes and escapes. For other values it returns
// the length of the JSON.
func textSize(value []byte) int {
	if value[0] != '"' {
		return len(value)
	}
	return len(unquote(value[1 : len(value)-1]))
}
