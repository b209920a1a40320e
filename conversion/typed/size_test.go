package typed

import (
	"fmt"
	"strings"
	"testing"

	"github.com/crosswalk-dev/crosswalk/conversion"
)

// TestMaxSize: an object beyond the limit is named, and one of just that length converts.
func TestMaxSize(t *testing.T) {
	sized := func(bytes int) []byte {
		empty := `{"apiVersion":"example.com/v1","kind":"Backup","metadata":{"name":"n","namespace":"ns"},"spec":{"hooks":[""]}}`
		return []byte(strings.Replace(empty, `""`, `"`+strings.Repeat("x", bytes-len(empty))+`"`, 1))
	}
	for limit, options := range map[int][]Option{
		conversion.MaxSize: nil,
		1000:               {MaxSize(1000)},
	} {
		c := newConverter(t, options...)
		if _, err := c.Convert(nil, sized(limit), "v2"); err != nil {
			t.Error(err)
		}
		want := fmt.Sprintf("Backup ns/n: to v2: the object is %d bytes long, and the limit is %d; the API server takes no write above 3145728, and typed.MaxSize raises the limit", limit+1, limit)
		if _, err := c.Convert(nil, sized(limit+1), "v2"); err == nil || err.Error() != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
		if _, err := c.Explain(t.Context(), sized(limit+1), "v2"); err == nil || err.Error() != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
		if _, err := c.Guard(t.Context(), nil, sized(limit+1), nil, ""); err != nil {
			t.Error(err)
		}
		findings, err := c.Check(t.Context(), sized(limit+1), sized(limit))
		if err != nil || len(findings) == 0 || findings[0].Field != "" || !strings.HasPrefix(findings[0].Message, "no other version can represent it: the object is ") {
			t.Errorf("got %.300v, %v", findings, err)
		}
	}
	for _, wrong := range []int{0, -1, conversion.LargestMaxSize + 1} {
		if _, err := New(backupCRD(t), backupScheme(t), "1", MaxSize(wrong)); err == nil || !strings.HasSuffix(err.Error(), ": want 1 to 1073741824") {
			t.Errorf("%d: %v", wrong, err)
		}
	}
}
