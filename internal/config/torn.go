package config

import (
	"fmt"
	"strings"
)

// torn asks whether a key is the end of a value that YAML has taken apart at a comma:
// no field has such a name.
func torn(key string) string {
	if !strings.ContainsAny(key, "()[]{}'\"+?=&|<> ") {
		return ""
	}
	return fmt.Sprintf("; if %s belongs to the value before it, put all of that in double quotes: a comma ends a value within { } or [ ]", key)
}
