package graft_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/graft"
)

// TestLongKeys: a key may have as many members as it likes, and be as deep, and takes no more
// than is in it.
func TestLongKeys(t *testing.T) {
	const n = 2000
	var members []string
	for i := range n {
		members = append(members, fmt.Sprintf(`"k%04d":%d`, i, i))
	}
	wide, deep := "{"+strings.Join(members, ",")+"}", strings.Repeat(`{"a":`, n)+"1"+strings.Repeat("}", n)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if got := graft.KeyIn([]byte(wide), graft.KeyNames([]byte(wide)), nil); string(got) != wide {
		t.Errorf("the wide key is %d bytes long, and should be %d", len(got), len(wide))
	}
	if names := graft.KeyNames([]byte(deep)); len(names) != 1 || len(names[0]) != n {
		t.Errorf("the deep key has %d ways", len(names))
	}
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; took > 8<<20 {
		t.Errorf("it takes %d bytes", took)
	}
}
