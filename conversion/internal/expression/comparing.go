package expression

import (
	"math"

	"github.com/google/cel-go/common"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/interpreter"
)

// compares are the functions that compare each element of a list with each of another list, or of
// the same one. Their work grows with the square of a list's length, and nothing can end a call.
var compares = map[string]bool{"distinct": true, "sets.contains": true, "sets.equivalent": true, "sets.intersects": true}

// perComparison is the cost of comparing two elements.
const perComparison = common.StringTraversalCostFactor

// comparison adds the cost of such a function to that of its last argument, because the price of a
// call must be paid before the call.
type comparison struct {
	// lists are the arguments. The price is the product of their lengths.
	lists []interpreter.InterpretableV2
}

func (c *comparison) compare(lists []interpreter.InterpretableV2) { c.lists = lists }

// compareElements makes the arguments of a call pay for it, if it compares elements.
func compareElements(call interpreter.InterpretableCall) {
	if !compares[call.Function()] {
		return
	}
	args := call.Args()
	for i := len(args) - 1; i >= 0; i-- {
		if last, ok := args[i].(interface {
			compare(lists []interpreter.InterpretableV2)
		}); ok {
			last.compare(args)
			return // constants are evaluated before
		}
	}
}

func (c *comparison) charge(m *meter, value ref.Val) {
	if c.lists == nil {
		return
	}
	n := 1.0
	for _, list := range c.lists {
		if constant, ok := list.(interpreter.InterpretableConst); ok {
			n *= size(constant.Value())
		} else if id := list.ID(); id >= 0 && id < int64(len(m.values)) && m.values[id] != nil {
			n *= size(m.values[id])
		}
	}
	if len(c.lists) == 1 {
		n *= size(value)
	}
	m.charge(-1, nil, uint64(min(math.Ceil(n*perComparison), math.MaxInt64)))
}
