package cost

import (
	"runtime/debug"
	"testing"
)

// TestMain has the collector run less often: the tests allocate much and hold little.
func TestMain(m *testing.M) {
	if err := StopTheWorld(); err != nil {
		panic(err)
	}
	debug.SetGCPercent(400)
	m.Run()
}
