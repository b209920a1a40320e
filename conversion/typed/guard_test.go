package typed

import (
	"strings"
	"testing"
)

func guarded(t testing.TB, c *Converter, now, old string) string {
	t.Helper()
	var before []byte
	if old != "" {
		before = []byte(old)
	}
	out, err := c.Guard(t.Context(), nil, []byte(now), before, "")
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// TestGuard: the stashes that are stored count, whatever a client makes of them, and
// what is made comes without another's status.
func TestGuard(t *testing.T) {
	c := newConverter(t)
	born := `{"apiVersion":"example.com/v1","kind":"Backup","metadata":{"name":"a"},"spec":{"target":"h:1","hooks":["x"]},"status":{"message":"m"}}`
	old := convert(t, c, born, "v2")
	const bare = `{"apiVersion":"example.com/v2","kind":"Backup","metadata":{"name":"a"},"spec":{"host":"h","port":2},"status":{"runs":0}}`
	forged := convert(t, c, strings.Replace(born, `"x"`, `"forged"`, 1), "v2")
	for name, now := range map[string]string{"untouched": old, "dropped": bare, "forged": forged} {
		got := convert(t, c, guarded(t, c, now, old), "v1")
		if !strings.Contains(got, `"hooks":["x"]`) || !strings.Contains(got, `"message":"m"`) {
			t.Errorf("%s: got %s", name, got)
		}
	}
	if got := convert(t, c, guarded(t, c, old, ""), "v1"); !strings.Contains(got, `"hooks":["x"]`) || strings.Contains(got, "message") {
		t.Errorf("created: got %s", got)
	}
	if got := guarded(t, c, bare, bare); got != bare {
		t.Errorf("what has no stash: got %s", got)
	}
	for now, old := range map[string]string{`[]`: "", bare: `{"a`} {
		if out, err := c.Guard(t.Context(), []byte("dst"), []byte(now), []byte(old), ""); err == nil || string(out) != "dst" {
			t.Errorf("%s over %s: got %s", now, old, out)
		}
	}
}
