package expression

import (
	"slices"
	"strings"

	"github.com/google/cel-go/common/ast"
)

// takesZone reports whether a function takes a time zone.
func takesZone(function string) bool {
	return slices.Contains([]string{"getFullYear", "getMonth", "getDayOfYear", "getDayOfMonth", "getDate", "getDayOfWeek", "getHours", "getMinutes", "getSeconds", "getMilliseconds"}, function)
}

// checkZones reports time zones by name: what they mean depends on the machine.
func checkZones(e ast.Expr) *Mistake {
	var wrong *Mistake
	ast.PreOrderVisit(e, ast.NewExprVisitor(func(e ast.Expr) {
		if wrong != nil || e.Kind() != ast.CallKind || !takesZone(e.AsCall().FunctionName()) || !e.AsCall().IsMemberFunction() || len(e.AsCall().Args()) == 0 {
			return
		}
		zone, ok := literal(e.AsCall().Args()[0])
		if !ok || zone != "UTC" && strings.Trim(zone, "+-0123456789:") != "" {
			wrong = mistake("use an offset, for example "+e.AsCall().FunctionName()+"('+02:00')", "the meaning of a time zone's name depends on the machine")
		}
	}))
	return wrong
}
