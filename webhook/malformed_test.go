package webhook

import (
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/crosswalk-dev/crosswalk/conversion"
)

// TestMalformedObject: what is inside an object is validated by its converter,
// and if it is not JSON the body is malformed like any other.
func TestMalformedObject(t *testing.T) {
	h := NewHandler(Options{Tables: loaded(t, nil, func(dst, _ []byte, to string, _ *conversion.Notes) ([]byte, error) {
		return append(dst, "half"...), &conversion.Error{Kind: "Star", To: to, Offset: 7, Malformed: true, Reason: "invalid UTF-8 in a string"}
	})})
	body := review1(star)
	reply := post(t, h, "/convert", body)
	want := "the body is not valid JSON: in request.objects[0]: byte " + strconv.Itoa(strings.Index(body, star)+7) + ": invalid UTF-8 in a string"
	if reply.status != http.StatusBadRequest || !strings.Contains(reply.body, want) {
		t.Errorf("got %d %s\nwant 400 with %s", reply.status, reply.body, want)
	}
}
