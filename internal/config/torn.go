package config

import (
	"fmt"
	"strings"
)

// torn recognizes a key that is the end of a value which YAML has divided at a comma: no field
// has such a name.
func torn(key string) string {
	if !strings.ContainsAny(key, "()[]{}'\"+?=&|<> ") {
		return ""
	}
	return fmt.Sprintf("; if %s belongs to the value before it, put that whole value in double quotes: a comma ends a value within { } or [ ]", key)
}
