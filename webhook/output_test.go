package webhook

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// TestAnswersThatSwell: an answer that is much longer than its review takes the room that
// it needs as it grows.
func TestAnswersThatSwell(t *testing.T) {
	swell := slices.Repeat([]string{starOf(10_000, "swells")}, 50) // half a megabyte becomes five
	play(t, 40, func(c *crowd) {
		got := <-c.sends(swell...)
		c.answered(got)
		if len(got.body) < 5_000_000 || strings.Count(got.body, `{"metadata":{},"spec":"`) != len(swell) {
			t.Errorf("an answer of %d bytes", len(got.body))
		}
	})
	play(t, 10, func(c *crowd) {
		waits := c.sends(starOf(280_000, "waits")) // takes six
		got := <-c.sends(swell...)
		if got.status != http.StatusServiceUnavailable || !strings.Contains(got.body, fullSentence) {
			t.Errorf("got %d %.300s", got.status, got.body)
		}
		c.goOn <- struct{}{}
		c.answered(<-waits)
		c.answered(<-c.sends(swell...))
	})
}

// TestAnswersInParts have the same bytes as in one.
func TestAnswersInParts(t *testing.T) {
	h := NewHandler(Options{Tables: loaded(t, nil, rename)})
	for _, sizes := range [][]int{
		{3 * megabyte}, {1, 3 * megabyte, 1}, {megabyte, megabyte}, {megabyte - 600, 10, 10},
		slices.Repeat([]int{10_000}, 500), slices.Repeat([]int{300_000, 1}, 10), slices.Repeat([]int{1}, 50_000),
	} {
		var objects, want []string
		for _, size := range sizes {
			object := starOf(size, "")
			objects, want = append(objects, object), append(want, strings.Replace(object, "v1beta1", "v1", 1))
		}
		got := post(t, h, "/convert", review1(objects...))
		if got.body != success(want...) || got.header.Get("Content-Length") != fmt.Sprint(len(got.body)) {
			t.Errorf("%d objects: another answer, of %d bytes, want %d, Content-Length %s",
				len(sizes), len(got.body), len(success(want...)), got.header.Get("Content-Length"))
		}
	}
}
