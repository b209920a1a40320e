package rows

import (
	"slices"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
)

func table(t *testing.T) *v1alpha1.Crosswalk {
	t.Helper()
	out := &v1alpha1.Crosswalk{}
	if err := yaml.UnmarshalStrict([]byte(`
spec:
  hub: v1
  versions:
    - name: v2
      rows:
        - {spoke: .a, hub: .b}
        - spoke: .list
          hub: .items
          each: {rows: [{spoke: .c, hub: .d}, {spoke: .e, hub: .f}]}
      tables: {part: [{spoke: .g, hub: .h}]}
    - name: v3
      rows: [{spoke: .i, hub: .j}]
`), out); err != nil {
		t.Fatal(err)
	}
	return out
}

func spokes(table *v1alpha1.Crosswalk) (out []string) {
	Each(table, func(r *v1alpha1.Row) { out = append(out, r.Spoke.Path) })
	return out
}

func TestRemove(t *testing.T) {
	for nth, left := range [][]string{
		{".list", ".c", ".e", ".g", ".i"},
		{".a", ".g", ".i"},
		{".a", ".list", ".e", ".g", ".i"},
		{".a", ".list", ".c", ".g", ".i"},
		{".a", ".list", ".c", ".e", ".i"},
		{".a", ".list", ".c", ".e", ".g"},
	} {
		of := table(t)
		if n := Count(of); n != 6 {
			t.Fatalf("it has %d rows", n)
		}
		if n := Remove(of, nth); n != 6 {
			t.Errorf("%d: there were %d rows", nth, n)
		}
		got := spokes(of)
		slices.Sort(got)
		slices.Sort(left)
		if !slices.Equal(got, left) {
			t.Errorf("without row %d: %q, want %q", nth, got, left)
		}
	}
}

// The texts have the numbers of Remove: without the nth row the nth text is another one.
func TestTexts(t *testing.T) {
	all := Texts(table(t))
	if len(all) != 6 {
		t.Fatalf("%d texts: %q", len(all), all)
	}
	for nth, text := range all {
		of := table(t)
		if Remove(of, nth); slices.Contains(Texts(of), text) {
			t.Errorf("row %d is still there: %s", nth, text)
		}
	}
}

func TestEachListMayChange(t *testing.T) {
	of := table(t)
	EachList(of, func(rows *[]v1alpha1.Row) { *rows = append(*rows, v1alpha1.Row{Spoke: &v1alpha1.Place{Path: ".new"}}) })
	n := 0
	for _, path := range spokes(of) {
		if path == ".new" {
			n++
		}
	}
	// Of two versions, of one row, and of one named table.
	if n != 4 {
		t.Errorf("%d of 4 lists were changed: %q", n, spokes(of))
	}
}
