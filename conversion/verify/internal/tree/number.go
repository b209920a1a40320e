package tree

import (
	"encoding/json"
	"strconv"
	"strings"
)

// NormalNumber returns the text that a number has after it went through the API server: an int64 if
// it is written as an integer, otherwise the shortest float64 (sigs.k8s.io/json,
// UnmarshalCaseSensitivePreserveInts; encoding/json).
func NormalNumber(text string) string {
	for {
		next := normalOnce(text)
		if next == text {
			return text
		}
		text = next
	}
}

func normalOnce(text string) string {
	if !strings.ContainsAny(text, ".eE") {
		if i, err := strconv.ParseInt(text, 10, 64); err == nil {
			return strconv.FormatInt(i, 10)
		}
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return text
	}
	out, err := json.Marshal(f)
	if err != nil {
		return text
	}
	return string(out)
}

// Normalise rewrites every number in place, as the API server keeps it.
func (v *Value) Normalise() {
	v.Walk(func(_ Path, v *Value) {
		if v.Kind == Number {
			v.Text = NormalNumber(v.Text)
		}
	})
}
