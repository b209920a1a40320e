package bound

import (
	"github.com/google/cel-go/common/ast"
)

// The costs of functions are in cel-go (interpreter/runtimecost.go) and for those of Kubernetes
// in k8s.io/apiserver/pkg/cel/library/cost.go. Rounding up adds 1 here.
const (
	traversal = 0.1  // of a string, for each character
	regex     = 0.25 // for each character of a pattern
	numeral   = 32   // the longest text of a number or a time, in characters
	check     = 350000
)

// constant lists the functions that always cost 1. The size of their value is at most the size
// of one of their arguments.
var constant = names("!_", "-_", "_&&_", "_||_", "_?_:_", "_[_]", "_?._", "_[?_]", "size", "@not_strictly_false", "__not_strictly_false__",
	"_-_", "_*_", "_/_", "_%_", "int", "uint", "double", "bool", "dyn", "type", "duration", "timestamp",
	"getFullYear", "getMonth", "getDayOfYear", "getDayOfMonth", "getDate", "getDayOfWeek", "getHours", "getMinutes", "getSeconds", "getMilliseconds",
	"optional.of", "optional.none", "optional.ofNonZeroValue", "hasValue", "value", "orValue", "or",
	"serviceAccount", "path", "group", "resource", "subresource", "namespace", "name", "allowed", "errored",
	"sign", "asInteger", "isInteger", "asApproximateFloat", "major", "minor", "patch")

// linear lists the functions that cost at most the sizes of their arguments plus 1. The size of
// their value is not larger either.
var linear = names("isSorted", "sum", "max", "min", "indexOf", "lastIndexOf", "lowerAscii", "upperAscii", "substring", "trim", "split",
	"isIP", "isCIDR", "isQuantity", "isSemver", "quantity", "semver", "isURL", "isGreaterThan", "isLessThan", "compareTo")

func names(all ...string) map[string]bool {
	set := make(map[string]bool, len(all))
	for _, name := range all {
		set[name] = true
	}
	return set
}

func (w *walker) call(e ast.Expr) Bound {
	call := e.AsCall()
	args := call.Args()
	if call.IsMemberFunction() {
		args = append([]ast.Expr{call.Target()}, args...)
	}
	var cost, largest, all float64
	sizes := make([]float64, len(args))
	for i, arg := range args {
		b := w.expr(arg)
		sizes[i] = b.Size
		cost += b.Cost
		all += b.Size
		largest = max(largest, b.Size)
	}
	name := call.FunctionName()
	switch {
	case constant[name]:
		return Bound{cost + 1, largest}
	case linear[name]:
		return Bound{cost + all + 1, all + 1}
	}
	switch name {
	case "_==_", "_!=_", "_<_", "_<=_", "_>_", "_>=_":
		return Bound{cost + min(sizes[0], sizes[1])*traversal + 1, 1}
	case "_+_":
		if ids := w.checked.GetOverloadIDs(e.ID()); len(ids) == 1 && ids[0] == "add_list" {
			return Bound{cost + 1, all}
		}
		return Bound{cost + all*traversal + 1, all}
	case "@in", "_in_":
		return Bound{cost + sizes[1] + 1, 1}
	case "startsWith", "endsWith":
		return Bound{cost + sizes[1]*traversal + 1, 1}
	case "contains":
		if len(sizes) == 2 {
			return Bound{cost + (sizes[0]*traversal+1)*(sizes[1]*traversal+1), 1}
		}
	case "matches":
		if len(sizes) == 2 {
			return Bound{cost + ((sizes[0]+1)*traversal+1)*(sizes[1]*regex+1), 1}
		}
	case "string":
		return Bound{cost + 1, all + numeral}
	case "check":
		return Bound{cost + check, 1}
	}
	return Unknown()
}
