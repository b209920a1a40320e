package policy

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/cel-go/common/types"
	admissionv1 "k8s.io/api/admission/v1"
)

// writer makes up expressions about objects that are maps of maps.
type writer struct {
	*rand.Rand
	variables int // how many there are
}

func (w *writer) name() string { return string("ab"[w.IntN(2)]) }

func (w *writer) pick(texts ...func() string) string { return texts[w.IntN(len(texts))]() }

// value is an expression of any type.
func (w *writer) value(depth int) string {
	if depth == 0 {
		return w.pick(
			func() string { return "object" },
			func() string { return "object." + w.name() },
			func() string {
				if w.variables == 0 {
					return "dyn({})"
				}
				return fmt.Sprintf("variables.v%d", w.IntN(w.variables))
			},
		)
	}
	depth--
	return w.pick(
		func() string { return w.value(depth) + "." + w.name() },
		func() string { return w.value(depth) + "['" + w.name() + "']" },
		func() string { return w.value(depth) },
		func() string { return "dyn(" + w.value(depth) + ")" },
		func() string { return fmt.Sprintf("(%s ? %s : %s)", w.bool(depth), w.value(depth), w.value(depth)) },
		func() string { return fmt.Sprintf("dyn(%s.orValue(%s))", w.optional(depth), w.value(depth)) },
		func() string { return fmt.Sprintf("dyn(%s.value())", w.optional(depth)) },
		func() string { return fmt.Sprintf("dyn({'%s': %s})", w.name(), w.value(depth)) },
		func() string { return "dyn({})" },
	)
}

func (w *writer) optional(depth int) string {
	if depth > 0 {
		depth--
	}
	return w.pick(
		func() string { return w.value(depth) + ".?" + w.name() },
		func() string { return w.value(depth) + "[?'" + w.name() + "']" },
		func() string { return w.value(depth) + ".?" + w.name() + ".?" + w.name() },
		func() string { return fmt.Sprintf("optional.of(%s).?%s", w.value(depth), w.name()) },
		func() string {
			return fmt.Sprintf("%s.?%s.or(%s.?%s)", w.value(depth), w.name(), w.value(depth), w.name())
		},
		func() string { return fmt.Sprintf("%s.?%s.optMap(x, x.%s)", w.value(depth), w.name(), w.name()) },
	)
}

func (w *writer) bool(depth int) string {
	if depth == 0 {
		return w.value(0) + " == 1"
	}
	depth--
	return w.pick(
		func() string { return w.value(depth) + " == 1" },
		func() string { return w.value(depth) + " == " + w.value(depth) },
		func() string { return "has(" + w.value(depth) + "." + w.name() + ")" },
		func() string { return w.optional(depth) + ".hasValue()" },
		func() string { return fmt.Sprintf("%s.all(x, x == '%s')", w.value(depth), w.name()) },
		func() string { return "!(" + w.bool(depth) + ")" },
		func() string { return "(" + w.bool(depth) + " || " + w.bool(depth) + ")" },
	)
}

func (w *writer) object(depth int) string {
	if depth == 0 || w.IntN(4) == 0 {
		return []string{"1", "2", "null", "x"}[w.IntN(4)]
	}
	var members []string
	for _, name := range []string{"a", "b"} {
		if w.IntN(3) > 0 {
			members = append(members, name+": "+w.object(depth-1))
		}
	}
	return "{" + strings.Join(members, ", ") + "}"
}

// What an expression gives hangs on nothing but what it is found to read: where that is
// alike in two objects, so is the outcome.
func TestReadsAreAllThatAnExpressionReads(t *testing.T) {
	unraced(t)
	const policies, pairs = 400, 60
	w := &writer{Rand: rand.New(rand.NewPCG(1, 2))}
	spared, differ := 0, 0
	for range policies {
		var spec strings.Builder
		spec.WriteString("variables:\n")
		for w.variables = 0; w.variables < 3; w.variables++ {
			fmt.Fprintf(&spec, "- {name: v%d, expression: %q}\n", w.variables, w.value(2))
		}
		fmt.Fprintf(&spec, "validations: [{expression: %q}]\n", w.bool(3))
		p, problems := Compile(validationPolicy(t, spec.String()))
		if problems.Err() != nil {
			continue // of two types that do not fit
		}
		for range pairs {
			object, old := w.object(3), w.object(3)
			if !strings.HasPrefix(object, "{") || !strings.HasPrefix(old, "{") {
				continue
			}
			is, was := request(t, admissionv1.Update, object, old), request(t, admissionv1.Update, old, old)
			s := newSubject(t.Context(), Cluster{}, is)
			alike := unchanged(p.rules[0].reads, s.object.Root(), s.old.Root())
			s.free()
			now, before := outcomeOf(t, p, is), outcomeOf(t, p, was)
			switch {
			case alike && now != before:
				t.Fatalf("%s\nis taken to read %+v, alike in %s and %s, and gives %s and %s", spec.String(), p.rules[0].reads.object, object, old, now, before)
			case alike:
				spared++
			case now != before:
				differ++
			}
		}
	}
	if spared < 500 || differ < 500 {
		t.Errorf("hardly anything was tried: %d pairs alike, %d with another outcome", spared, differ)
	}
}

// outcomeOf is true, false or error.
func outcomeOf(t *testing.T, p *Policy, r *admissionv1.AdmissionRequest) string {
	t.Helper()
	s := newSubject(t.Context(), Cluster{}, r)
	defer s.free()
	value, err := p.rules[0].evaluate(t.Context(), p.newEvaluation(t.Context(), s, nil), &budget{left: p.budget})
	if err != nil {
		return "error"
	}
	return fmt.Sprint(value == types.True)
}

// Variables of variables have more ways through them than can be walked.
func TestReadsEndWithTooManyWays(t *testing.T) {
	text, spec := "object", "variables:\n"
	for i := range 40 {
		spec += fmt.Sprintf("- {name: v%d, expression: '%s == 1 ? dyn(%s.a) : dyn(%s.b)'}\n", i, text, text, text)
		text = fmt.Sprintf("variables.v%d", i)
	}
	start := time.Now()
	p := compiled(t, spec+"validations: [{expression: "+text+" == 1}]")
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("took %v", took)
	}
	if r := p.rules[0].reads; !r.change || len(r.object) > most {
		t.Errorf("%d places, change %t", len(r.object), r.change)
	}
}
