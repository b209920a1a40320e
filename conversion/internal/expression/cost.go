package expression

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/checker"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/types"
	"k8s.io/apiserver/pkg/cel/library"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/path"
)

// staticLimit is how much the API server lets a validation rule cost by its estimate
// (StaticEstimatedCostLimit in k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation):
// ten times what one evaluation may cost, because the estimate of a size that is not known is that of a
// whole request.
const staticLimit = 10 * Limit

// Cost is what an evaluation may cost for the largest objects that a schema allows.
type Cost struct {
	Max uint64
	// Bounds are the sizes that the cost depends on: those that the schema does not limit, or all
	// if it limits them all.
	Bounds []Bound
}

// Bound is the size of a field that an expression reads.
type Bound struct {
	// Keyword is the keyword of the schema that limits the size. Stated says that the schema has
	// it.
	Keyword string
	Stated  bool
	// Outside says that Path starts at the whole object, as in Read.
	Outside bool
	// Path is the path of the field. Elements says that it is a list or map, and that the size is
	// that of its elements.
	Path     path.Path
	Elements bool
}

func (b Bound) key() string {
	return fmt.Sprint(b.Keyword, b.Outside, b.Elements, strings.Join(b.Path, "\x00"))
}

// Exceeds reports whether an evaluation may cost more than allowed, and stop. If the schema limits
// all sizes, the limit of one evaluation applies; otherwise the API server's limit for the estimate
// of validation rules.
func (c Cost) Exceeds() bool {
	return c.Max > staticLimit || c.Max > Limit && !c.guessed()
}

func (c Cost) guessed() bool {
	return slices.ContainsFunc(c.Bounds, func(b Bound) bool { return !b.Stated })
}

// Times returns how many times the limit of one evaluation the cost is, rounded up.
func (c Cost) Times() string {
	if c.Max > 1000*Limit {
		return "more than 1000 times"
	}
	return fmt.Sprintf("%d times", (c.Max+Limit-1)/Limit)
}

// cost estimates the cost as the API server does for validation rules, with its prices.
func (e *Environment) cost(checked *cel.Ast) (Cost, error) {
	s := &sizes{ast: checked.NativeRep(), places: e.places(checked.NativeRep().Expr()), root: e.roots(), consulted: map[string]Bound{}, counted: map[int64]uint64{}}
	estimate := func() (uint64, error) {
		estimated, err := e.env.EstimateCost(checked, &prices{library.CostEstimator{SizeEstimator: s}, s})
		return estimated.Max, err
	}
	most, err := estimate()
	if err != nil || most <= Limit {
		return Cost{Max: most}, err
	}
	// A size matters if the expression would cost less without it.
	c := Cost{Max: most}
	consulted := s.consulted
	for _, key := range slices.Sorted(maps.Keys(consulted)) {
		s.without = key
		if less, err := estimate(); err == nil && less < most {
			c.Bounds = append(c.Bounds, consulted[key])
		}
	}
	if c.guessed() {
		c.Bounds = slices.DeleteFunc(c.Bounds, func(b Bound) bool { return b.Stated })
	}
	return c, nil
}

// sizes tells cel-go the sizes of fields.
type sizes struct {
	ast    *ast.AST
	places map[int64]*place
	root   map[string]*place
	// consulted are the sizes that were asked for. without is a size that is taken as 0.
	consulted map[string]Bound
	without   string
	// counted are the sizes of the arguments of size(), by the numbers of the expressions.
	counted map[int64]uint64
}

// EstimateSize returns the size of the field that an expression reads. A value that is not a field
// of the object, such as the parts of a split text, or a parameter, has the size 0: no limit in the
// schema would reduce its cost, so a warning would not help.
func (s *sizes) EstimateSize(node checker.AstNode) *checker.SizeEstimate {
	if hasNoSize(node.Type()) {
		return nil
	}
	var p *place
	if e := node.Expr(); e != nil {
		if s.isText(e) {
			return &checker.SizeEstimate{Max: maxScalar}
		}
		p = s.places[e.ID()]
	} else if steps := node.Path(); len(steps) > 0 {
		p = s.root[steps[0]]
		for _, step := range steps[1:] {
			if step == "@items" || step == "@values" {
				p = p.element()
			} else {
				p = p.member(step)
			}
		}
	}
	if p == nil || p.schema == nil {
		return &checker.SizeEstimate{}
	}
	n, keyword, stated := p.schema.Largest()
	if keyword == "" {
		return &checker.SizeEstimate{}
	}
	b := Bound{keyword, stated, p.outside, p.path, p.inside}
	s.consulted[b.key()] = b
	if b.key() == s.without {
		n = 0
	}
	return &checker.SizeEstimate{Max: uint64(n)}
}

// maxScalar is the maximal length of the text of a number, a boolean, a time or a duration:
// math.MaxFloat64 without an exponent has 309 digits.
const maxScalar = 320

// isText reports whether an expression is the text of a value without a size.
func (s *sizes) isText(e ast.Expr) bool {
	if e.Kind() != ast.CallKind || e.AsCall().FunctionName() != "string" || len(e.AsCall().Args()) != 1 {
		return false
	}
	return hasNoSize(s.ast.GetType(e.AsCall().Args()[0].ID()))
}

// hasNoSize reports whether cel-go assumes that all values of a type have the same size.
func hasNoSize(t *types.Type) bool {
	switch t.Kind() {
	case types.BoolKind, types.IntKind, types.UintKind, types.DoubleKind, types.TimestampKind, types.DurationKind:
		return true
	case types.OpaqueKind:
		return t.TypeName() == "optional_type" && hasNoSize(t.Parameters()[0])
	}
	return false
}

// EstimateCallCost leaves calls to Kubernetes' prices.
func (s *sizes) EstimateCallCost(string, string, *checker.AstNode, []checker.AstNode) *checker.CallEstimate {
	return nil
}
