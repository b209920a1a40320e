package conversion_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"
)

// sameJSON compares as JSON: the order of members is no matter, numbers are
// compared by their text.
func sameJSON(t testing.TB, a, b string) bool {
	t.Helper()
	return reflect.DeepEqual(decoded(t, a), decoded(t, b))
}

func decoded(t testing.TB, text string) any {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader([]byte(text)))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}
