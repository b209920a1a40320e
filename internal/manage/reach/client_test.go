package reach

import "testing"

// The message for one failure is the same each time.
func TestStable(t *testing.T) {
	for text, want := range map[string]string{
		"read tcp 127.0.0.1:41234->10.0.0.7:443: connection reset by peer":                                             "10.0.0.7:443: connection reset by peer",
		"certificate has expired or is not yet valid: current time 2026-11-21T19:04:24Z is after 2026-11-01T00:00:00Z": "certificate has expired or is not yet valid: after 2026-11-01T00:00:00Z",
		"dial tcp 127.0.0.1:443: connect: connection refused":                                                          "dial tcp 127.0.0.1:443: connect: connection refused",
	} {
		if got := Stable(text); got != want {
			t.Errorf("%s: got %s", text, got)
		}
	}
}
