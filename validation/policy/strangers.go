package policy

import "fmt"

// A caller that is not known is a stranger (see validation.WithKnownCaller). What is read
// besides the request is kept from it: of expressions that read lookups or params, and,
// where an object is scaled, of those that read the object, which was read for that. They
// are evaluated all the same, so that the verdict does not depend on who asks; but a
// mutation would be told by what it makes of the object, and is not.

// hides says why nothing that comes of an expression may be shown; empty where it may.
// The verdict is the same in any case. What a policy of Kubernetes says of a Secret, the
// API server tells.
func (e *evaluation) hides(x *expression) string {
	switch s := e.subject; {
	case e.native && !s.stranger:
		return ""
	case s.secret() || x.reads != nil && x.reads.secret:
		return "it may hold something secret"
	case s.stranger && x.reads != nil && (x.reads.objects || s.scales && x.reads.request()):
		return "it comes of objects that Crosswalk has read, and who asks has not shown that it is the API server; " + remedy
	}
	return ""
}

// remedy is how the API server comes to show that it is the one that asks.
const remedy = "deploy Crosswalk with overlays/aggregated"

// withheld says that a mutation is not evaluated for who asks, and why; nil where it is.
func (x *change) withheld(s *subject) error {
	if !s.stranger || x.reads == nil || !x.reads.objects {
		return nil
	}
	return fmt.Errorf("%s is not evaluated, because it puts into the object what Crosswalk reads elsewhere, and who asks has not shown that it is the API server; %s", x.field, remedy)
}

// ReadsObjects reports whether the policy reads other objects than that of a request, so
// that a caller that is not known is not told everything of it.
func (p *Policy) ReadsObjects() bool { return len(p.Reads()) > 0 || len(p.Scaled()) > 0 }

// Withheld are the fields of the policy by which a caller that is not known is told
// nothing, because they read other objects: messages, audit annotations, and mutations.
// Of those that only read what is scaled, that is said.
func (p *Policy) Withheld() []string {
	var fields []string
	scales := len(p.Scaled()) > 0
	add := func(x *expression) {
		switch {
		case x == nil || x.reads == nil:
		case x.reads.objects:
			fields = append(fields, x.field)
		case scales && x.reads.request():
			fields = append(fields, x.field+" where an object is scaled")
		}
	}
	for _, r := range p.rules {
		add(r.messageExpression)
	}
	for _, a := range p.audits {
		add(&a.expression)
	}
	for _, m := range p.mutations {
		add(&m.expression)
	}
	return fields
}
