package crontab

import "testing"

// testMergePatch edits through the other version: the edit wins, and what that
// version has no field for stays.
func (v variant) testMergePatch(t *testing.T) {
	name := v.create(t, "patch")
	answer, err := v.other.MergePatch(t.Context(), name, `{"spec":`+v.edit+`}`)
	if err != nil {
		t.Fatal(err)
	}
	wantField(t, answer, v.seenEdit, "spec")
	wantSpec(t, v.other, name, v.seenEdit)
	wantSpec(t, v.via, name, v.edited)

	// A field removed through one version is gone in both, and no copy of it
	// comes back.
	if _, err := v.via.MergePatch(t.Context(), name, `{"spec":{"`+v.address+`":null,"image":"example.com/backup:1.5"}}`); err != nil {
		t.Fatal(err)
	}
	for _, r := range []struct {
		got   []byte
		field string
	}{
		{mustGet(t, v.via, name), v.address},
		{mustGet(t, v.other, name), "hostPort"},
		{mustGet(t, v.other, name), "host"},
	} {
		wantAbsent(t, r.got, "spec", r.field)
		wantField(t, r.got, `"example.com/backup:1.5"`, "spec", "image")
	}
}
