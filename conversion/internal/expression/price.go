package expression

import (
	"math"

	"github.com/google/cel-go/common"
	"github.com/google/cel-go/common/overloads"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	"github.com/google/cel-go/interpreter"
)

// price returns the cost of a call: Kubernetes' price for its functions, and cel-go's price for the
// others (interpreter/runtimecost.go).
func (m *meter) price(call interpreter.InterpretableCall, result ref.Val) uint64 {
	args := make([]ref.Val, len(call.Args()))
	for i, arg := range call.Args() {
		if constant, ok := arg.(interpreter.InterpretableConst); ok {
			args[i] = constant.Value()
		} else if id := arg.ID(); id >= 0 && id < int64(len(m.values)) {
			args[i] = m.values[id]
		}
		if args[i] == nil || types.IsUnknownOrError(args[i]) {
			return 1 // the call has failed
		}
	}
	if price := m.prices.CallCost(call.Function(), call.OverloadID(), args, result); price != nil {
		return *price
	}
	characters := func(factor float64, sizes ...float64) float64 {
		sum := 0.0
		for _, size := range sizes {
			sum += size
		}
		return math.Ceil(sum * factor)
	}
	const perCharacter, ofPattern = common.StringTraversalCostFactor, common.RegexStringLengthCostFactor
	switch call.OverloadID() {
	case overloads.StartsWithString, overloads.EndsWithString:
		return uint64(characters(perCharacter, size(args[1])))
	case overloads.StringToBytes, overloads.BytesToString, overloads.ExtQuoteString, overloads.ExtFormatString:
		return uint64(characters(perCharacter, size(args[0])))
	case overloads.InList:
		return uint64(size(args[1]))
	case overloads.LessString, overloads.GreaterString, overloads.LessEqualsString, overloads.GreaterEqualsString,
		overloads.LessBytes, overloads.GreaterBytes, overloads.LessEqualsBytes, overloads.GreaterEqualsBytes,
		overloads.Equals, overloads.NotEquals:
		return uint64(characters(perCharacter, min(size(args[0]), size(args[1]))))
	case overloads.AddString, overloads.AddBytes:
		return uint64(characters(perCharacter, size(args[0]), size(args[1])))
	case overloads.Matches, overloads.MatchesString:
		return uint64(characters(perCharacter, 1, size(args[0])) * characters(ofPattern, size(args[1])))
	case overloads.ContainsString:
		return uint64(characters(perCharacter, size(args[0])) * characters(perCharacter, size(args[1])))
	}
	return 1
}

// size returns the length of a value that has one, and 1 for others.
func size(value ref.Val) float64 {
	if optional, ok := value.(*types.Optional); ok && optional.HasValue() {
		return size(optional.GetValue())
	}
	if sized, ok := value.(traits.Sizer); ok {
		if n, ok := sized.Size().(types.Int); ok {
			return float64(n)
		}
	}
	return 1
}
