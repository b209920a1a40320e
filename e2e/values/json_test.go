package values

import (
	"encoding/json"
	"testing"

	"github.com/crosswalk-dev/crosswalk/e2e/internal/exact"
)

func decode(t *testing.T, data []byte) exact.Value {
	t.Helper()
	v, err := exact.Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// encode keeps numbers as they were, because decode does not decode them.
func encode(t *testing.T, v exact.Value) []byte {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
