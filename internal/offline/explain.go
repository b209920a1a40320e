package offline

import (
	"context"
	"fmt"
	"strings"

	"github.com/crosswalk-dev/crosswalk/conversion"
)

// Explained is the explanation of one object.
type Explained struct {
	// File is the file with the object.
	File string `json:"file"`
	*conversion.Explanation
}

// Explaining is a converter that can explain what it does: a converter of package conversion or
// of package typed.
type Explaining interface {
	Converter
	Explain(ctx context.Context, object []byte, to string) (*conversion.Explanation, error)
}

// Explainer is a converter that reports an explanation of every conversion.
type Explainer struct {
	Explaining
	// Tell receives the explanations.
	Tell func(*conversion.Explanation)
}

// Convert explains, and returns what the converter returns.
func (e *Explainer) Convert(dst, object []byte, to string) ([]byte, error) {
	explained, err := e.Explain(context.Background(), object, to)
	if err != nil {
		return dst, err
	}
	e.Tell(explained)
	return append(dst, explained.Object...), nil
}

// Text is the explanation for people. Elements of a list with the same explanation are
// combined.
func (e Explained) Text() string {
	var b strings.Builder
	name := e.Name
	switch {
	case name == "":
		name = "without a name"
	case e.Namespace != "":
		name = e.Namespace + "/" + name
	}
	fmt.Fprintf(&b, "%s: %s %s: %s to %s\n", e.File, e.Kind, name, e.From, e.To)
	for _, s := range e.Steps {
		if len(e.Steps) > 1 {
			fmt.Fprintf(&b, "\nfrom %s to %s\n", s.From, s.To)
		}
		b.WriteString(stepText(s))
	}
	return b.String()
}

func stepText(s conversion.Step) string {
	var places, uncomputed, kept, dropped, unused lines
	var same []string
	for _, o := range s.Origins {
		if o.By == conversion.BySame {
			same = append(same, o.Path)
			continue
		}
		places = append(places, line{o.Path, shown(o.Value, o.Sensitive), origin(o, s)})
	}
	for _, u := range s.Uncomputed {
		uncomputed = append(uncomputed, line{u.Path, "", fmt.Sprintf("%s %s needs %s", s.Rows, u.Row, mended(u.Needs))})
	}
	for _, k := range s.Kept {
		kept = append(kept, line{k.Path, shown(k.Value, false), reason(k, s)})
	}
	for _, d := range s.Dropped {
		dropped = append(dropped, line{d.Path, "", fmt.Sprintf("%s %s: %s", s.Rows, d.Row, d.Reason)})
	}
	for _, u := range s.Unused {
		unused = append(unused, line{u.Path, "", u.Reason})
	}
	text := failures(s) + places.text("written in "+s.To) + uncomputed.text("not computed in "+s.To) + wrapped("the same in both versions", same)
	text += kept.text(fmt.Sprintf("kept for %s in the annotation stash.crosswalk.dev/%s", s.From, s.From))
	return text + dropped.text("dropped on purpose") + unused.text(fmt.Sprintf("not used of what was kept for %s", s.To))
}

// failures lists where Go code could not convert. The explanations of the places follow from
// that.
func failures(s conversion.Step) string {
	if s.Code == nil {
		return ""
	}
	text := ""
	if s.Code.Error != "" {
		text += fmt.Sprintf("the code failed for %s: %s\n", s.To, s.Code.Error)
	}
	if s.Code.BackError != "" {
		text += fmt.Sprintf("the code failed for %s on the way back: %s\n", s.From, s.Code.BackError)
	}
	return text
}

// origin explains what has written a place.
func origin(o conversion.Origin, s conversion.Step) string {
	switch o.By {
	case conversion.ByRow:
		if len(o.From) == 0 {
			return fmt.Sprintf("%s %s", s.Rows, o.Row)
		}
		return fmt.Sprintf("%s %s, from %s", s.Rows, o.Row, strings.Join(o.From, " and "))
	case conversion.ByAbsence:
		return fmt.Sprintf("%s %s, as nothing is at %s", s.Rows, o.Row, strings.Join(o.From, " or "))
	case conversion.ByCode:
		return "the code"
	case conversion.ByDefault:
		return fmt.Sprintf("default of the %s schema", s.To)
	case conversion.ByConstant:
		return fmt.Sprintf("constant of %s %s", s.Rows, o.Row)
	}
	return fmt.Sprintf("kept for %s, and restored", s.To)
}

// reason explains why something is kept.
func reason(k conversion.Kept, s conversion.Step) string {
	row, back := s.To, "nothing"
	switch {
	case s.Code != nil:
		row = "the code"
	case k.Row != "":
		row = s.Rows + " " + k.Row
	}
	if k.Back != nil {
		back = shown(k.Back, false)
	}
	text := ""
	switch k.Why {
	case conversion.WhyPrivate:
		text = s.To + " has no such field"
	case conversion.WhyUnmapped:
		text = row + " can't map it"
		if k.Needs != "" {
			text += ": it needs " + mended(k.Needs)
		}
	case conversion.WhyInexact:
		text = fmt.Sprintf("%s converts it back to %s", row, back)
	case conversion.WhyAbsent:
		text = "the field is absent"
		if k.Back == nil {
			back = "something" // else nothing would be kept: a default, or a sensitive value
		}
		if k.Row != "" || k.Back != nil {
			text += fmt.Sprintf(", but on the way back %s gives %s", row, back)
		}
	case conversion.WhyOrder:
		text = s.To + " can't represent this order, or all of the elements"
	case conversion.WhyShape:
		text = s.To + " can't represent it"
	}
	if k.LeftOut {
		text += "; LOST, because annotations have no room for it"
	}
	return text
}

// mended adds the remedy to the reason why an expression has no value.
func mended(needs string) string {
	if _, name, ok := strings.Cut(needs, "no such key: "); ok {
		needs += "; if that may be absent, write .?" + name
	}
	return needs
}
