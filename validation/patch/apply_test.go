package patch

import (
	"bytes"
	"encoding/json"
	"math/big"
	"reflect"
	"strconv"
	"strings"
	"testing"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
)

// mustGive applies a patch as the API server does (callAttrMutatingHook in
// k8s.io/apiserver/pkg/admission/plugin/webhook/mutating/dispatcher.go) and
// compares the outcome with to.
func mustGive(t testing.TB, from string, patch []byte, to string) {
	t.Helper()
	if len(patch) == 0 {
		if !equal(decode(t, from), decode(t, to)) {
			t.Errorf("no patch from %.2000s to %.2000s", from, to)
		}
		return
	}
	if equal(decode(t, from), decode(t, to)) {
		t.Errorf("a patch without need: %s", patch)
	}
	from, to = strings.TrimSpace(from), strings.TrimSpace(to)
	if !isContainer(from) || !isContainer(to) {
		return // the library patches nothing else
	}
	operations, err := jsonpatch.DecodePatch(patch)
	if err != nil {
		t.Fatalf("%v: %s", err, patch)
	}
	if len(operations) == 0 {
		t.Errorf("a patch without operations")
	}
	got, err := operations.Apply([]byte(from))
	if err != nil {
		t.Fatalf("%v: %s applied to %.2000s", err, patch, from)
	}
	if !equal(decode(t, string(got)), decode(t, to)) {
		t.Errorf("%s\ngives %.2000s\n want %.2000s", patch, got, to)
	}
}

func isContainer(document string) bool {
	return document[0] == '{' || document[0] == '['
}

func decode(t testing.TB, document string) any {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader([]byte(document)))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%v: %.2000s", err, document)
	}
	return v
}

// equal compares as Diff should, on decoded values.
func equal(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for name, value := range a {
			other, ok := b[name]
			if !ok || !equal(value, other) {
				return false
			}
		}
		return true
	case []any:
		b, ok := b.([]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for i := range a {
			if !equal(a[i], b[i]) {
				return false
			}
		}
		return true
	case json.Number:
		b, ok := b.(json.Number)
		return ok && equalNumbers(string(a), string(b))
	}
	return reflect.DeepEqual(a, b)
}

// equalNumbers compares fractions of any size, but for exponents that would
// fill the memory.
func equalNumbers(a, b string) bool {
	if a == b {
		return true
	}
	for _, text := range []string{a, b} {
		if i := strings.IndexAny(text, "eE"); i >= 0 {
			exponent, err := strconv.ParseInt(text[i+1:], 10, 64)
			if err != nil || exponent > 5000 || exponent < -5000 {
				return bytes.Equal(appendDecimal(nil, []byte(a)), appendDecimal(nil, []byte(b)))
			}
		}
	}
	x, ok := new(big.Rat).SetString(a)
	y, fine := new(big.Rat).SetString(b)
	return ok && fine && x.Cmp(y) == 0
}
