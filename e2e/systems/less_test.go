package systems

import "testing"

// testLess lets a manager apply one object under the name of another. What it no
// longer applies goes, or back to its default, and what only other versions show
// of it goes along.
func (v variant) testLess(t *testing.T) {
	for _, born := range v.versions() {
		first := v.bornIn(t, born)
		for _, o := range v.Objects {
			if o.Born != born || o.Name == first.Name {
				continue
			}
			t.Run(first.Name+", then "+o.Name, func(t *testing.T) {
				name := slug("less-" + o.Name)
				for _, object := range []object{first, o} {
					if _, err := v.in(born).Apply(t.Context(), name, "gitops", v.written(t, object, name)); err != nil {
						t.Fatal(err)
					}
					v.wantViews(t, name, object.Views)
				}
				v.wantStored(t, name, v.stored, o.Views)
			})
		}
	}
}
