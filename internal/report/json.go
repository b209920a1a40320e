package report

import (
	"encoding/json"
	"strings"
)

// JSON writes a value for programs, indented so that people can read it, too.
func JSON(value any) ([]byte, error) {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	err := encoder.Encode(value)
	return []byte(b.String()), err
}
