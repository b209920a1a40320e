package explain_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/explain"
)

// TestTakesTooMuch: whatever is added is counted, and the work ends with an error.
func TestTakesTooMuch(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	for name, add := range map[string]func(*explain.Explanation){
		"origin":     func(e *explain.Explanation) { e.Add(explain.Origin{Path: long}) },
		"value":      func(e *explain.Explanation) { e.Add(explain.Origin{Value: []byte(long)}) },
		"uncomputed": func(e *explain.Explanation) { e.AddUncomputed(explain.Uncomputed{Needs: long}) },
		"kept":       func(e *explain.Explanation) { e.AddKept(explain.Kept{Back: []byte(long)}) },
		"dropped":    func(e *explain.Explanation) { e.AddDropped(explain.Dropped{Path: long}) },
		"unused":     func(e *explain.Explanation) { e.AddUnused(explain.Unused{Path: long}) },
	} {
		times := 0
		err := func() (err error) {
			defer explain.CatchTooLong(&err)
			var e explain.Explanation
			for ; times < 100; times++ {
				add(&e)
			}
			return nil
		}()
		if err == nil || times != 7 {
			t.Errorf("%s: got the error %v after %d times", name, err, times)
		}
	}
}

// TestCatchTooLong passes other panics on.
func TestCatchTooLong(t *testing.T) {
	want := errors.New("another")
	defer func() {
		if got := recover(); got != want {
			t.Errorf("got %v", got)
		}
	}()
	var err error
	defer explain.CatchTooLong(&err)
	panic(want)
}
