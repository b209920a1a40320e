package expression

import (
	"math"

	"github.com/google/cel-go/checker"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
	"k8s.io/apiserver/pkg/cel/library"
)

// maxRange is how many numbers lists.range returns at most: for more it fails (defaultMaxRangeSize
// in github.com/google/cel-go/ext/lists.go).
const maxRange = 1_000_000

// largestNumber returns the largest value of an expression that counts elements or characters, as far as it
// matters for ranges. For other numbers it returns 0, as EstimateSize does.
func (s *sizes) largestNumber(e ast.Expr) uint64 {
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
		n = s.largestNumber(args[0]) + s.largestNumber(args[1])
	case operators.Multiply:
		n = s.largestNumber(args[0]) * s.largestNumber(args[1])
	case operators.Subtract:
		n = s.largestNumber(args[0])
	case operators.Conditional:
		n = max(s.largestNumber(args[1]), s.largestNumber(args[2]))
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

// EstimateCallCost returns Kubernetes' price of a call, with the size of the result if that is made
// of a list, or for a number of elements, which Kubernetes does not estimate.
func (p *prices) EstimateCallCost(function, overload string, target *checker.AstNode, args []checker.AstNode) *checker.CallEstimate {
	var size *checker.SizeEstimate
	switch function {
	case "size":
		p.sizes.count(target, args)
	case "lists.range":
		if len(args) == 1 && args[0].Expr() != nil {
			size = &checker.SizeEstimate{Max: min(p.sizes.largestNumber(args[0].Expr()), maxRange)}
		}
	case "distinct", "reverse", "slice", "sort", "@sortByAssociatedKeys":
		if target != nil {
			size = (*target).ComputedSize()
		}
	}
	cost := checker.FixedCostEstimate(1)
	if compares[function] {
		cost.Max = comparisonCost(target, args)
	}
	if size == nil && cost.Max > 1 {
		return &checker.CallEstimate{CostEstimate: cost}
	}
	if size == nil {
		return p.CostEstimator.EstimateCallCost(function, overload, target, args)
	}
	return &checker.CallEstimate{CostEstimate: cost, ResultSize: size}
}

// comparisonCost returns the highest cost of comparing the elements of lists, or of one with themselves.
func comparisonCost(target *checker.AstNode, args []checker.AstNode) uint64 {
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

// count records the size of an argument of size(). cel-go estimates it before the expressions that
// use it.
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
