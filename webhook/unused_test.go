package webhook

import (
	"net"
	"net/http"
	"testing"
	"testing/synctest"
	"time"
)

// TestUnused: the end is waited for of connections that are unused, and of no others.
func TestUnused(t *testing.T) {
	for _, test := range []struct {
		name  string
		notes []http.ConnState // one each second
		want  time.Duration
	}{
		{"none", nil, 0},
		{"used a second later", []http.ConnState{http.StateNew, http.StateActive}, time.Second},
		{"used and idle before", []http.ConnState{http.StateActive, http.StateIdle}, 0},
		{"gone unused", []http.ConnState{http.StateNew, http.StateNew, http.StateClosed}, 2 * time.Second},
		{"never used", []http.ConnState{http.StateNew}, unusedTimeout},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var u unused
				conn, _ := net.Pipe()
				for i, state := range test.notes {
					after := time.Duration(i) * time.Second
					if after == 0 {
						u.note(conn, state)
						continue
					}
					defer time.AfterFunc(after, func() { u.note(conn, state) }).Stop()
				}
				begin := time.Now()
				u.wait(t.Context())
				if took := time.Since(begin); took < test.want || took > test.want+100*time.Millisecond {
					t.Errorf("waited for %v, want %v", took, test.want)
				}
			})
		})
	}
}
