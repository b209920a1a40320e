package expression

import (
	"strconv"
	"strings"

	apiservercel "k8s.io/apiserver/pkg/cel"
)

// Optional returns the expression that reads a field, whether or not the field and the objects
// around it are present.
func Optional(names []string) string {
	var b strings.Builder
	b.WriteString("self")
	for _, name := range names {
		escaped, ok := apiservercel.Escape(name)
		if !ok || escaped != name && names[0] == "metadata" { // a label or an annotation
			b.WriteString("[?" + strconv.Quote(name) + "]")
			continue
		}
		b.WriteString(".?" + escaped)
	}
	return b.String()
}
