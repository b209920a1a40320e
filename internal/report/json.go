package report

import (
	"encoding/json"
	"strings"
)

// JSON writes a value for programs, and for people who look at what these read.
func JSON(value any) ([]byte, error) {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	err := encoder.Encode(value)
	return []byte(b.String()), err
}
