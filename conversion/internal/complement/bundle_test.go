package complement

import (
	"fmt"
	"strings"
	"testing"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
)

// However many entries are added, those that are held are few, and the smallest of all are left.
func TestBundleLeavesTheLargestOut(t *testing.T) {
	var b bundle
	const n, room = 3000, 100 << 10
	for i := n; i > 0; i-- {
		b.add(stash.Entry{At: []stash.Step{{Name: fmt.Appendf(nil, "%0*d", i, i)}}, Value: []byte("1")}, nil)
		if held := b.writers[0].Size(); held > maxHeld {
			t.Fatalf("%d bytes are held", held)
		}
	}
	b.close("mark", room)
	if size := b.writers[0].Size(); size > room || size < room*9/10 {
		t.Errorf("%d bytes are left for a room of %d", size, room)
	}
	if b.len() != n-b.leftOut {
		t.Errorf("of %d entries %d are left out and %d kept", n, b.leftOut, b.len())
	}
	if entries, _, err := stash.Read(nil, b.writers[0].Text()); err != nil || len(entries) != b.len() {
		t.Errorf("%d entries can be read, %v", len(entries), err)
	}
	for i := range b.writers[0].Len() {
		if b.writers[0].IsOut(i) {
			continue
		}
		if length := len(b.writers[0].At(i)[0].Name); length > n-b.leftOut {
			t.Errorf("an entry of %d bytes is left, though %d smaller ones would be enough", length, n-b.leftOut)
		}
	}
}

func TestBundleNames(t *testing.T) {
	steps := func(names ...string) (at []stash.Step) {
		for _, name := range names {
			at = append(at, stash.Step{Name: []byte(name)})
		}
		return at
	}
	for _, c := range []struct {
		entries []stash.Entry
		want    string
	}{
		{[]stash.Entry{{At: steps("spec", "a")}}, ".spec.a"},
		{[]stash.Entry{{At: steps("status", "b")}, {At: steps("spec", "longer")}}, ".spec.longer, .status.b"},
		{[]stash.Entry{{At: append(steps("spec"), stash.Step{Key: []byte(`{"name":"a"}`)}, stash.Step{Name: []byte("x")})}}, `.spec[{"name":"a"}].x`},
		{[]stash.Entry{{At: append(steps("spec"), stash.Step{Content: []byte("hash")})}}, ".spec[…]"},
		{[]stash.Entry{{At: append(steps("spec"), stash.Step{Part: []byte("http")}, stash.Step{Name: []byte("x")})}}, ".spec.x"},
		{[]stash.Entry{{At: steps(strings.Repeat("x", maxMark))}, {At: steps("a")}}, "2 more"},
		{[]stash.Entry{{At: steps(strings.Repeat("x", maxMark-1))}, {At: steps("a")}}, "." + strings.Repeat("x", maxMark-1) + " and 1 more"},
	} {
		var b bundle
		for _, e := range c.entries {
			b.add(e, nil)
		}
		b.close("", 0)
		if got := string(b.names()); got != c.want {
			t.Errorf("got %.100s, want %.100s", got, c.want)
		}
	}
	var b bundle
	for i := range maxNamed + 3 {
		b.add(stash.Entry{At: steps("a", fmt.Sprint(i))}, nil)
	}
	b.close("", 0)
	if got := string(b.names()); !strings.HasSuffix(got, " and 3 more") || strings.Count(got, ",") != maxNamed-1 {
		t.Errorf("got %s", got)
	}
}
