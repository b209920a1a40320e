package policy

import "fmt"

// A stranger is an unknown caller (see validation.WithKnownCaller). It must not see what was
// read besides the request: the results of expressions that read lookups or params and, if an
// object is scaled, of expressions that read the object, which was read for that. These
// expressions are evaluated nevertheless, so that the verdict does not depend on the caller.
// But the result of a mutation would be visible in the object, so it is not evaluated.

// hides returns why no result of an expression may be shown, or "" if it may. The verdict is
// the same in any case. What a policy of Kubernetes reads from a Secret, the API server shows,
// too.
func (e *evaluation) hides(x *expression) string {
	switch s := e.subject; {
	case e.native && !s.stranger:
		return ""
	case s.secret() || x.reads != nil && x.reads.secret:
		return "it may hold something secret"
	case s.stranger && x.reads != nil && (x.reads.objects || s.scales && x.reads.request()):
		return "it comes from objects that Crosswalk has read, and the caller has not identified itself as the API server; " + remedy
	}
	return ""
}

// remedy is how the API server can identify itself.
const remedy = "deploy Crosswalk with overlays/aggregated"

// withheld returns why a mutation is not evaluated for this caller, or nil.
func (x *change) withheld(s *subject) error {
	if !s.stranger || x.reads == nil || !x.reads.objects {
		return nil
	}
	return fmt.Errorf("%s is not evaluated, because it copies what Crosswalk reads elsewhere into the object, and the caller has not identified itself as the API server; %s", x.field, remedy)
}

// ReadsObjects reports whether the policy reads other objects than that of a request, so that
// an unknown caller does not receive everything.
func (p *Policy) ReadsObjects() bool { return len(p.Reads()) > 0 || len(p.Scaled()) > 0 }

// Withheld lists the fields of the policy that an unknown caller does not receive, because they
// read other objects: messages, audit annotations, and mutations. It marks those that only read
// a scaled object.
func (p *Policy) Withheld() []string {
	var fields []string
	scales := len(p.Scaled()) > 0
	add := func(x *expression) {
		switch {
		case x == nil || x.reads == nil:
		case x.reads.objects:
			fields = append(fields, x.field)
		case scales && x.reads.request():
			fields = append(fields, x.field+" if an object is scaled")
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
