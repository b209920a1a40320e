package expression

import (
	"math"
	"strings"
	"testing"

	"github.com/google/cel-go/cel"
	"k8s.io/apimachinery/pkg/util/version"
	apiservercel "k8s.io/apiserver/pkg/cel"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/apiserver/pkg/cel/library"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
)

func open() *schema.Schema {
	return &schema.Schema{Type: "object", Members: map[string]*schema.Schema{
		"s": {Type: "string"},
		"l": {Type: "array", Items: &schema.Schema{Type: "integer"}},
		"m": {Type: "object", Values: &schema.Schema{Type: "string"}},
	}}
}

func program(t testing.TB, text string) *Program {
	t.Helper()
	l, err := NewLibrary()
	if err != nil {
		t.Fatal(err)
	}
	s := open()
	e, err := l.Environment("v1", s, s, NewConstants(nil))
	if err != nil {
		t.Fatal(err)
	}
	p, wrong := e.Compile(text, schema.Any())
	if wrong != nil {
		t.Fatalf("%s: %v", text, wrong)
	}
	return p
}

// The meter has the same costs as cel-go, except for conditions, which cost as much as the choice of a
// value.
func TestCosts(t *testing.T) {
	in := map[string]string{"s": `"` + strings.Repeat("text-", 30) + `"`, "l": "[3,1,2,5,4]", "m": `{"a":"x","b":"y"}`}
	for text, conditions := range map[string]uint64{
		"self.s":                                  0,
		"self.s + self.s":                         0,
		"self.s.contains('xyz')":                  0,
		"self.s.matches('^t.*z$')":                0,
		"self.s.split('-').join()":                0,
		"self.s == self.s":                        0,
		"3 in self.l":                             0,
		"self.l.map(x, x + 1)":                    0,
		"self.l.sum() + self.l[2]":                0,
		"self.m.map(k, self.m[k])":                0,
		"[self.s, self.s].size()":                 0,
		"{'a': self.l, 'b': self.l}":              0,
		"self.l.filter(x, x > 2)":                 5,
		"self.l.all(x, self.l.exists(y, y == x))": 0,
		"self.s.startsWith('t') ? 1 : 2":          1,
	} {
		p := program(t, text)
		var values [][]byte
		activation := map[string]any{}
		for name, value := range in {
			activation[name] = decode([]byte(value), open().Members[name])
		}
		for _, read := range p.Reads {
			values = append(values, []byte(in[read.Path[0]]))
		}
		left := uint64(Budget)
		if _, _, err := p.Evaluate(nil, values, &left); err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got, want := Budget-left, celCost(t, text, activation)+conditions; got != want {
			t.Errorf("%s costs %d, and in cel-go %d", text, got, want-conditions)
		}
	}
}

// celCost returns the cost that cel-go itself has counted.
func celCost(t *testing.T, text string, self map[string]any) uint64 {
	t.Helper()
	declared := declare(open(), true).MaybeAssignTypeName("Self")
	set, err := environment.MustBaseEnvSet(version.MajorMinor(1, 36)).Extend(environment.VersionedOptions{
		IntroducedVersion: version.MajorMinor(1, 0), EnvOptions: []cel.EnvOption{cel.Variable("self", declared.CelType())}, DeclTypes: []*apiservercel.DeclType{declared},
	})
	if err != nil {
		t.Fatal(err)
	}
	env := set.NewExpressionsEnv()
	checked, issues := env.Compile(text)
	if issues.Err() != nil {
		t.Fatal(issues.Err())
	}
	p, err := env.Program(checked, cel.CostLimit(math.MaxUint64), cel.CostTracking(&library.CostEstimator{}), cel.EvalOptions(cel.OptTrackCost))
	if err != nil {
		t.Fatal(err)
	}
	_, details, err := p.Eval(map[string]any{"self": self})
	if err != nil {
		t.Fatal(err)
	}
	return *details.ActualCost()
}

// The time of a macro grows with its list, and not with the square of it.
func TestLongLists(t *testing.T) {
	p := program(t, "self.l.filter(x, x > 0).map(x, x + 1).size()")
	list := []byte("[" + strings.TrimSuffix(strings.Repeat("1,", 30_000), ",") + "]")
	left := uint64(Budget)
	_, value, err := p.Evaluate(nil, [][]byte{list}, &left)
	if err != nil || string(value) != "30000" {
		t.Errorf("got %s, %v", value, err)
	}
}

// What compares each element with each other is paid for before it begins: nothing could
// end it.
func TestComparisons(t *testing.T) {
	list := func(n int) []byte {
		return []byte("[" + strings.TrimSuffix(strings.Repeat("1,", n), ",") + "]")
	}
	for _, text := range []string{
		"self.l.distinct().size()",
		"self.l.map(x, x + 1).distinct().size()",
		"sets.equivalent(self.l, self.l) ? 1 : 2",
		"sets.contains(self.l, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map(x, self.l.map(y, x)).flatten()) ? 1 : 1",
		"self.?l.orValue([]).distinct().size()",
	} {
		p := program(t, text)
		left := uint64(Budget)
		if _, value, err := p.Evaluate(nil, [][]byte{list(100)}, &left); err != nil || string(value) != "1" {
			t.Errorf("%s: of 100 it gives %s, %v", text, value, err)
		}
		left = Budget
		if _, _, err := p.Evaluate(nil, [][]byte{list(1_000_000)}, &left); err != errExpensive {
			t.Errorf("%s: of a million it gives %v", text, err)
		}
	}
	p := program(t, "sets.intersects([1], self.l) && sets.contains(self.l, [1])")
	left := uint64(Budget)
	if _, value, err := p.Evaluate(nil, [][]byte{list(100_000)}, &left); err != nil || string(value) != "true" {
		t.Errorf("with one constant it gives %s, %v", value, err)
	}
}

// What costs too much ends, and what is left of the budget says so.
func TestBudget(t *testing.T) {
	p := program(t, "self.l.map(x, self.l.map(y, self.l.map(z, x + y + z).sum()).sum()).sum()")
	list := []byte("[" + strings.TrimSuffix(strings.Repeat("1,", 500), ",") + "]")
	left := uint64(Budget)
	for n := Budget / Limit; n > 0; n-- {
		if _, _, err := p.Evaluate(nil, [][]byte{list}, &left); err != errExpensive {
			t.Fatalf("got %v", err)
		}
	}
	if _, _, err := p.Evaluate(nil, [][]byte{list}, &left); err != errSpent || left != 0 {
		t.Errorf("got %v, and %d is left", err, left)
	}
}
