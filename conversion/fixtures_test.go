package conversion_test

import (
	"testing"

	"github.com/crosswalk-dev/crosswalk/conversion"
)

// compiled makes a converter of things.example.com with v1beta1 and v1.
func compiled(t testing.TB, beta, v1, rows string) *conversion.Converter {
	t.Helper()
	c, err := conversion.Compile(versions(t, map[string]string{"v1beta1": beta, "v1": v1}), table(t, rows))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// thing writes an object of things.example.com; body is what follows kind.
func thing(version, body string) string {
	text := `{"apiVersion":"example.com/` + version + `","kind":"Thing"`
	if body != "" {
		text += "," + body
	}
	return text + "}"
}

func convert(t testing.TB, c *conversion.Converter, object, to string) string {
	t.Helper()
	out, err := c.Convert(nil, []byte(object), to)
	if err != nil {
		t.Fatalf("%s\nto %s: %v", object, to, err)
	}
	return string(out)
}

func strip(t testing.TB, object string) string {
	t.Helper()
	out, err := conversion.Strip(nil, []byte(object))
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// unraced skips a test of long work of one goroutine with -short, which is for the race detector. make
// test runs it without the race detector: this package is in ALSO_WHOLE of the Makefile.
func unraced(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("one goroutine works long: make test runs it without -short, too")
	}
}
