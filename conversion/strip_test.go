package conversion_test

import (
	"testing"

	"github.com/crosswalk-dev/crosswalk/conversion"
)

func TestStrip(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{`{"a":1}`, `{"a":1}`},
		{`{"metadata":{"name":"n","annotations":{"stash.crosswalk.dev/v1":"x","a":"b","crosswalk.dev/incomplete":"y"}}}`, `{"metadata":{"name":"n","annotations":{"a":"b"}}}`},
		{`{"metadata":{"annotations":{"stash.crosswalk.dev/v1.status":"x"}},"z":[1, 2]}`, `{"z":[1, 2]}`},
		{`{"metadata":{"annotations":{}}}`, `{"metadata":{"annotations":{}}}`},
		{`{"metadata":5}`, `{"metadata":5}`},
	} {
		if got := strip(t, test.in); got != test.want {
			t.Errorf("%s: got %s, want %s", test.in, got, test.want)
		}
	}
	if _, err := conversion.Strip(nil, []byte(`{`)); err == nil {
		t.Error("cut JSON is accepted")
	}
}
