package expression

import (
	"math"

	"github.com/google/cel-go/checker"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
	"k8s.io/apiserver/pkg/cel/library"
)

// maxRange is how many numbers lists.range gives at most: for more it fails
// (defaultMaxRangeSize in github.com/google/cel-go/ext/lists.go).
const maxRange = 1_000_000

// most returns the largest number that a number of elements or characters is, reckoned with others,
// as far as it matters here. Any other number counts as nothing, as in EstimateSize.
func (s *sizes) most(e ast.Expr) uint64 {
	if e.Kind() == ast.LiteralKind {
		if n, ok := e.AsLiteral().(types.Int); ok {
			return uint64(min(max(n, 0), maxRange))
		}
	}
	if e.Kind() != ast.CallKind {
		return 0
	}
	call := e.AsCall()
	args, n := call.Args(), uint64(0)
	switch call.FunctionName() {
	case operators.Add:
		n = s.most(args[0]) + s.most(args[1])
	case operators.Multiply:
		n = s.most(args[0]) * s.most(args[1])
	case operators.Subtract:
		n = s.most(args[0])
	case operators.Conditional:
		n = max(s.most(args[1]), s.most(args[2]))
	case "size":
		if call.IsMemberFunction() {
			args = []ast.Expr{call.Target()}
		}
		n = s.counted[args[0].ID()]
	}
	return min(n, maxRange)
}

// prices are those of Kubernetes.
type prices struct {
	library.CostEstimator
	sizes *sizes
}

// EstimateCallCost is Kubernetes' price of a call, and the size of what it makes of a
// list or for a number of elements, which Kubernetes does not say.
func (p *prices) EstimateCallCost(function, overload string, target *checker.AstNode, args []checker.AstNode) *checker.CallEstimate {
	var size *checker.SizeEstimate
	switch function {
	case "size":
		p.sizes.count(target, args)
	case "lists.range":
		if len(args) == 1 && args[0].Expr() != nil {
			size = &checker.SizeEstimate{Max: min(p.sizes.most(args[0].Expr()), maxRange)}
		}
	case "distinct", "reverse", "slice", "sort", "@sortByAssociatedKeys":
		if target != nil {
			size = (*target).ComputedSize()
		}
	}
	cost := checker.FixedCostEstimate(1)
	if compares[function] {
		cost.Max = compared(target, args)
	}
	if size == nil && cost.Max > 1 {
		return &checker.CallEstimate{CostEstimate: cost}
	}
	if size == nil {
		return p.CostEstimator.EstimateCallCost(function, overload, target, args)
	}
	return &checker.CallEstimate{CostEstimate: cost, ResultSize: size}
}

// compared returns what it costs at most to compare the elements of lists, or of one with
// themselves.
func compared(target *checker.AstNode, args []checker.AstNode) uint64 {
	if target != nil {
		args = []checker.AstNode{*target, *target}
	}
	n := 1.0
	for _, list := range args {
		if size := list.ComputedSize(); size != nil {
			n *= float64(max(size.Max, 1))
		}
	}
	return uint64(min(math.Ceil(n*perComparison), math.MaxInt64))
}

// count notes the size of what size() is asked for: cel-go comes by it before it comes by
// what is made of that.
func (s *sizes) count(target *checker.AstNode, args []checker.AstNode) {
	if target != nil {
		args = []checker.AstNode{*target}
	}
	if len(args) != 1 || args[0].Expr() == nil {
		return
	}
	if size := args[0].ComputedSize(); size != nil {
		s.counted[args[0].Expr().ID()] = size.Max
	}
}
