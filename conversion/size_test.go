package conversion_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/crosswalk-dev/crosswalk/conversion"
)

// sized is a thing of so many bytes.
func sized(t testing.TB, version string, bytes int) []byte {
	t.Helper()
	empty := thing(version, `"metadata":{"name":"n","namespace":"ns"},"spec":{"a":""}`)
	text := strings.Replace(empty, `""`, `"`+strings.Repeat("x", bytes-len(empty))+`"`, 1)
	if len(text) != bytes {
		t.Fatalf("%d bytes, want %d", len(text), bytes)
	}
	return []byte(text)
}

// TestMaxSize: an object beyond the limit is named, and one of just that length converts.
func TestMaxSize(t *testing.T) {
	versions := versions(t, map[string]string{"v1beta1": spec("a: {type: string}"), "v1": spec("b: {type: string}")})
	rows := table(t, `[{spoke: .spec.a, hub: .spec.b}]`)
	for _, test := range []struct {
		options []conversion.Option
		limit   int
	}{
		{nil, conversion.MaxSize},
		{[]conversion.Option{conversion.WithMaxSize(0)}, conversion.MaxSize},
		{[]conversion.Option{conversion.WithMaxSize(1000)}, 1000},
		{[]conversion.Option{conversion.WithMaxSize(conversion.MaxSize + 1)}, conversion.MaxSize + 1},
		{[]conversion.Option{conversion.WithMaxSize(conversion.LargestMaxSize + 1)}, conversion.LargestMaxSize},
	} {
		c, err := conversion.Compile(versions, rows, test.options...)
		if err != nil {
			t.Fatal(err)
		}
		if c.MaxSize() != test.limit {
			t.Errorf("the limit is %d, want %d", c.MaxSize(), test.limit)
		}
		if test.limit > 2*conversion.MaxSize {
			continue
		}
		fits, large := sized(t, "v1beta1", test.limit), sized(t, "v1beta1", test.limit+1)
		if _, err := c.Convert(nil, fits, "v1"); err != nil {
			t.Error(err)
		}
		want := fmt.Sprintf("Thing ns/n: to v1: the object is %d bytes long, and the limit is %d; the API server takes no write above 3145728, "+
			"and --max-object-bytes, in Go conversion.WithMaxSize, raises the limit", test.limit+1, test.limit)
		if _, err := c.Convert(nil, large, "v1"); err == nil || err.Error() != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
		if _, err := c.Explain(t.Context(), large, "v1"); err == nil || err.Error() != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
}

// TestMaxSizeIsNoneOfAdmission: a write beyond the limit is guarded all the same, and strict
// writes say of the whole object that nobody else could see it.
func TestMaxSizeIsNoneOfAdmission(t *testing.T) {
	crd := versions(t, map[string]string{"v1beta1": spec("a: {type: string}"), "v1": spec("a: {type: string}")})
	c, err := conversion.Compile(crd, table(t, `[]`), conversion.WithMaxSize(1000))
	if err != nil {
		t.Fatal(err)
	}
	small, large := sized(t, "v1beta1", 1000), sized(t, "v1beta1", 1001)
	forged := strings.Replace(string(large), `"name":"n"`, `"annotations":{"stash.crosswalk.dev/v1":"{}"},"name":"n"`, 1)
	if got, err := c.Guard(t.Context(), nil, []byte(forged), large, ""); err != nil || !bytes.HasPrefix(got, []byte("{")) || bytes.Contains(got, []byte("stash")) {
		t.Errorf("guard gives %.200s, %v", got, err)
	}
	for _, test := range []struct {
		now, old []byte
		findings int
	}{{small, nil, 0}, {large, nil, 1}, {large, small, 1}, {large, large, 0}, {small, large, 0}} {
		findings, err := c.Check(t.Context(), test.now, test.old)
		if err != nil || len(findings) != test.findings {
			t.Errorf("%d bytes over %d: %v, %v", len(test.now), len(test.old), findings, err)
		}
		for _, f := range findings {
			if f.Field != "" || f.Partial || !strings.HasPrefix(f.Message, "no other version can represent it: the object is 1001 bytes long, and the limit is 1000") {
				t.Errorf("got %+v", f)
			}
		}
	}
}

// TestBeyondAllLimits: what is longer than positions can be is not even looked at to its end.
func TestBeyondAllLimits(t *testing.T) {
	c := compiled(t, spec("a: {type: string}"), spec("a: {type: string}"), `[]`)
	longest := make([]byte, conversion.LargestMaxSize+1)
	for _, failed := range []func() error{
		func() error { _, err := c.Convert(nil, longest, "v1"); return err },
		func() error { _, err := c.Guard(t.Context(), nil, longest, nil, ""); return err },
		func() error { _, err := c.Check(t.Context(), longest, nil); return err },
	} {
		if err := failed(); err == nil || !strings.HasPrefix(err.Error(), "Thing: to v1: the object is 1073741825 bytes long, and the limit is ") {
			t.Errorf("got %v", err)
		}
	}
}
