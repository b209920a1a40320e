package conversion_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/crosswalk-dev/crosswalk/conversion"
)

// TestNothingLeaksBetweenConversions: converters share pooled memory, and yet
// every conversion gives what it gives alone, whatever failed before it and
// whatever runs beside it. The race detector looks on.
func TestNothingLeaksBetweenConversions(t *testing.T) {
	type job struct {
		c          *conversion.Converter
		object, to string
	}
	run := func(j job) string {
		out, err := j.c.Convert(nil, []byte(j.object), j.to)
		return fmt.Sprint(string(out), err)
	}
	var jobs []job
	for _, r := range richTables {
		c := compiled(t, r.beta, r.v1, r.rows)
		for i := range 20 {
			stash := forged(fmt.Sprintf(`{"at":["spec","o","u%d"],"value":%d}`, i, i), `{"at":["spec","m","n"],"value":null}`)
			body := fmt.Sprintf(`"spec":{"o":{"x":"%d"},"hp":"h%d:%d","l":[{"id":"%d","name":"%d","p":"x"},{"name":"%d","id":"%d"}],"m":{"k%d":{"p":%d}}}`, i, i, i, i, i, i, i, i, i)
			for _, version := range [...]string{"v1beta1", "v1"} {
				whole := thing(version, stash+","+body)
				for _, object := range [...]string{whole, whole[:len(whole)-1-i], strings.Replace(whole, `"x":`, `"x":1,"x":`, 1)} {
					jobs = append(jobs, job{c, object, "v1"}, job{c, object, "v1beta1"})
				}
			}
		}
	}
	want := make([]string, len(jobs))
	for i, j := range jobs {
		want[i] = run(j)
	}
	var group sync.WaitGroup
	for worker := range 4 {
		group.Go(func() {
			for n := range 3 * len(jobs) {
				i := (n*7 + worker*13) % len(jobs)
				if got := run(jobs[i]); got != want[i] {
					t.Errorf("%s to %s\ngot  %s\nwant %s", jobs[i].object, jobs[i].to, got, want[i])
					return
				}
			}
		})
	}
	group.Wait()
}
