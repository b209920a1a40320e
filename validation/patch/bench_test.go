package patch

import (
	"fmt"
	"strings"
	"testing"
)

// BenchmarkDiff compares an object of 10 kB with one that has another member,
// written in the same order and in another.
func BenchmarkDiff(b *testing.B) {
	var members, backwards []string
	for i := range 100 {
		member := fmt.Sprintf(`"key-%d":{"name":"some name","value":%d,"list":["a","b"],"flag":true,"text":"some more text"}`, i, i)
		members = append(members, member)
		backwards = append([]string{member}, backwards...)
	}
	from := []byte(`{"metadata":{},"spec":{` + strings.Join(members, ",") + `}}`)
	tests := map[string]string{
		"same order":    `{"metadata":{"labels":{"a":"b"}},"spec":{` + strings.Join(members, ",") + `}}`,
		"another order": `{"metadata":{"labels":{"a":"b"}},"spec":{` + strings.Join(backwards, ",") + `}}`,
	}
	for _, name := range []string{"same order", "another order"} {
		b.Run(name, func(b *testing.B) {
			to := []byte(tests[name])
			var d Differ
			var dst []byte
			b.SetBytes(int64(len(from)))
			b.ReportAllocs()
			for b.Loop() {
				var err error
				if dst, err = d.Diff(dst[:0], from, to); err != nil || len(dst) == 0 {
					b.Fatal(err)
				}
			}
		})
	}
}
