package compile

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/mapping"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
)

func (b *builder) checkTemplate(w *writtenRow) {
	switch {
	case w.Spoke == nil || w.Hub == nil:
	case w.Spoke.Named == nil && w.Hub.Named == nil && len(holesOf(w.Template)) == 1:
		name := holesOf(w.Template)[0]
		b.problem(w, fmt.Sprintf("name the field of the placeholder, for example hub: {%s: %s}", name, w.Hub.Path), "the template has the placeholder {%s}, but neither side has named fields", name)
	case (w.Spoke.Named == nil) == (w.Hub.Named == nil):
		b.problem(w, `for example spoke: .spec.hostPort, hub: {host: .spec.host, port: .spec.port}, template: "{host}:{port}"`,
			"a template maps one path on one side to named fields on the other")
	case w.Default != nil:
		b.problem(w, "remove default", "the row of a template can't have a default: the text is absent if all its fields are")
	}
}

func (b *builder) templateRow(w *writtenRow, r *plan.Row) bool {
	whole := plan.Spoke
	if w.Hub.Named == nil {
		whole = plan.Hub
	}
	parts := whole.Other()
	if b.leadsInto(w) {
		return false
	}
	if s := w.schemas[whole][0]; s.Type != "string" {
		b.problem(w, "name a field of type string", "a template makes a string, but %s is of type %s", w.paths[whole][0], s.Describe())
		return false
	}
	t, err := mapping.ParseTemplate(w.Template, w.names[parts], w.schemas[parts], whole)
	if err != nil {
		b.problem(w, "", "template %q: %v", w.Template, err)
		return false
	}
	b.warnForeign(w)
	r.Kind, r.Mapping = plan.Map, t
	r.Needs[whole] = fmt.Sprintf("text of the form %q", w.Template)
	r.Needs[parts] = fmt.Sprintf("a value for every part of %q, without the text between the parts", w.Template)
	if t.Sparing {
		r.Needs[parts] = fmt.Sprintf("a value for every part of %q, or for none of those in brackets, without the text between the parts", w.Template)
	}
	return true
}

// warnForeign warns of placeholders of other languages, which are text in a template.
func (b *builder) warnForeign(w *writtenRow) {
	const meant = "; if that is intended, leave it"
	switch text := w.Template; {
	case strings.Contains(text, "${"):
		b.warning(w, "write the placeholders without it: "+strings.ReplaceAll(text, "${", "{")+meant, "template %q: the $ before a placeholder is a character of the text", text)
	case regexp.MustCompile(`\)[?*]`).MatchString(text):
		b.warning(w, "write optional parts in brackets, for example {a}[:{b}]"+meant, "template %q: parentheses and what follows them are characters of the text", text)
	}
}
