package inject

import "testing"

func TestWanted(t *testing.T) {
	for _, test := range []struct {
		value string
		want  bool
		fails string
	}{
		{"true", true, ""},
		{"false", false, ""},
		{"", false, `the annotation crosswalk.dev/inject-ca is "", want "true" or "false"`},
		{"True", false, `the annotation crosswalk.dev/inject-ca is "True", want "true" or "false"`},
		{"ns/name", false, `the annotation crosswalk.dev/inject-ca is "ns/name", want "true" or "false"`},
	} {
		got, err := Wanted(map[string]string{"crosswalk.dev/inject-ca": test.value})
		if got != test.want || (err == nil) != (test.fails == "") || err != nil && err.Error() != test.fails {
			t.Errorf("%q: %t, %v", test.value, got, err)
		}
	}
	if got, err := Wanted(nil); got || err != nil {
		t.Errorf("without the annotation: %t, %v", got, err)
	}
}
