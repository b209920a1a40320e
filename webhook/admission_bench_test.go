package webhook

import (
	"strings"
	"testing"

	"github.com/crosswalk-dev/crosswalk/validation"
)

// admissionOf is an update of an object of about size bytes: a review holds two of
// them.
func admissionOf(size int) string {
	object := crontab(size)
	return strings.NewReplacer(starObject, object, oldStar, strings.Replace(object, `"replicas":3`, `"replicas":2`, 1),
		`"sky.dev"`, `"stable.example.com"`, `"Star"`, `"CronTab"`, `"stars"`, `"crontabs"`).Replace(admissionUpdate)
}

// BenchmarkAdmission is the cost of a review of 10 kB but for what the reviewer
// does, who here lets all pass, or gives another value to one field.
func BenchmarkAdmission(b *testing.B) {
	body := admissionOf(5000)
	changed := strings.Replace(crontab(5000), `"replicas":3`, `"replicas":4`, 1)
	for _, bench := range []struct {
		name, path string
		verdict    validation.Verdict
	}{
		{"validate", "/validate/stars?timeout=10s", validation.Verdict{}},
		{"mutate", "/mutate/stars?timeout=10s", validation.Verdict{Object: []byte(changed)}},
		{"deny", "/validate/stars?timeout=10s", validation.Verdict{Causes: []validation.Cause{{Field: "spec.replicas", Message: "too many"}}}},
	} {
		b.Run(bench.name, func(b *testing.B) {
			e := newExchanger(asked(b, Options{}, says(bench.verdict)), bench.path, body)
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			for b.Loop() {
				e.post()
			}
			if e.sink.status != 0 {
				b.Fatal(e.sink.status)
			}
		})
	}
}

func BenchmarkAdmissionDecode(b *testing.B) {
	body := []byte(admissionOf(5000))
	var d admissionDecoder
	var rev admissionReview
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		if err := d.decode(body, &rev); err != nil {
			b.Fatal(err)
		}
	}
}
