package webhook

import (
	"net/http"
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"

	"github.com/crosswalk-dev/crosswalk/conversion"
)

// TestLargeObject: what is beyond the limit fails a review that names it, and the next
// review is answered as ever.
func TestLargeObject(t *testing.T) {
	h := NewHandler(Options{Tables: crontabs(t)})
	ask := func(objects ...string) reply {
		return post(t, h, "/convert", strings.ReplaceAll(review1(objects...), "sky.dev", "stable.example.com"))
	}
	object := func(size int) string {
		begin := `{"apiVersion":"stable.example.com/v1beta1","kind":"CronTab","metadata":{"name":"large","namespace":"ns"},"spec":{"image":"`
		return begin + strings.Repeat("x", size-len(begin)-len(`"}}`)) + `"}}`
	}
	small := object(1000)
	ask(small, object(conversion.MaxSize+1), small).expect(t, http.StatusOK, failed("CronTab ns/large: to v1: the object is 16777217 bytes long, and the limit is 16777216; "+
		"the API server takes no write above 3145728, and --max-object-bytes, in Go conversion.WithMaxSize, raises the limit"))
	for _, fits := range []string{small, object(conversion.MaxSize)} {
		if got := ask(fits); got.status != http.StatusOK || !strings.Contains(got.body[len(got.body)-100:], `"status":"Success"`) {
			t.Errorf("%d bytes: %d %.300s", len(fits), got.status, got.body)
		}
	}
}

// TestStrictWritesOfLargeObjects: who makes an object too large to be converted hears it,
// whatever its stash holds, and who makes one smaller does not.
func TestStrictWritesOfLargeObjects(t *testing.T) {
	tables := crontabs(t, conversion.WithMaxSize(500))
	strict := StrictWrites(tables)
	with := func(image string) string {
		return `"metadata":{"name":"a","annotations":{"stash.crosswalk.dev/v1beta1":"{\"format\":1,\"entries\":[{\"at\":[\"spec\",\"shell\"],\"value\":\"s\"}]}"}},"spec":{"image":"` + image + `"}`
	}
	small, large := with("i"), with(strings.Repeat("i", 500))
	for _, test := range []struct {
		object, old string
		allowed     bool
	}{{small, "", true}, {large, "", false}, {large, small, false}, {small, large, true}, {large, large, true}} {
		operation := admissionv1.Create
		if test.old != "" {
			operation = admissionv1.Update
		}
		verdict := reviewed(t, strict, write(operation, "v1", test.object, test.old))
		if verdict.Allowed() != test.allowed {
			t.Errorf("%d bytes over %d: %+v", len(test.object), len(test.old), verdict)
		}
		for _, c := range verdict.Causes {
			if c.Field != "" || !strings.HasPrefix(c.Message, "no other version can represent it: the object is ") {
				t.Errorf("got %+v", c)
			}
		}
	}
}
