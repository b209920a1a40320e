package tell

import (
	"slices"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

// entry is what metadata.managedFields has about a client, with the hour of its last write.
func entry(client string, hour int, fields string) metav1.ManagedFieldsEntry {
	at := metav1.NewTime(time.Date(2026, 1, 1, hour, 0, 0, 0, time.UTC))
	return metav1.ManagedFieldsEntry{Manager: client, Time: &at, FieldsV1: metav1.NewFieldsV1(fields)}
}

func TestChanged(t *testing.T) {
	const (
		mine   = `{"f:spec":{".":{},"f:a":{},"f:b":{}}}`
		withA  = `{"f:spec":{".":{},"f:a":{}}}`
		withB  = `{"f:spec":{".":{},"f:b":{}}}`
		within = `{"f:spec":{"f:b":{"k:{\"name\":\"x\"}":{".":{},"f:c":{}}}}}`
	)
	a, b := fieldpath.MakePathOrDie("spec", "a"), fieldpath.MakePathOrDie("spec", "b")
	for name, test := range map[string]struct {
		owners []metav1.ManagedFieldsEntry
		fields []fieldpath.Path
		want   string
	}{
		"nobody":                    {[]metav1.ManagedFieldsEntry{entry("ours", 1, mine)}, []fieldpath.Path{a, b}, ""},
		"another client":            {[]metav1.ManagedFieldsEntry{entry("ours", 1, withA), entry("editor", 2, withB)}, []fieldpath.Path{a, b}, "editor changed spec.b"},
		"the same value":            {[]metav1.ManagedFieldsEntry{entry("ours", 1, mine), entry("gitops", 2, withB)}, []fieldpath.Path{a, b}, ""},
		"another field":             {[]metav1.ManagedFieldsEntry{entry("ours", 1, withA), entry("editor", 2, withB)}, []fieldpath.Path{a}, ""},
		"the latest is named":       {[]metav1.ManagedFieldsEntry{entry("editor", 2, withA), entry("installer", 3, withB)}, []fieldpath.Path{a, b}, "installer changed spec.a, spec.b"},
		"a removed field":           {[]metav1.ManagedFieldsEntry{entry("ours", 1, withA), entry("editor", 2, `{"f:metadata":{}}`)}, []fieldpath.Path{a, b}, "another client changed spec.b"},
		"a part of ours":            {[]metav1.ManagedFieldsEntry{entry("ours", 1, withB), entry("editor", 2, within)}, []fieldpath.Path{b}, "editor changed spec.b"},
		"fields that are no JSON":   {[]metav1.ManagedFieldsEntry{entry("ours", 1, mine), entry("editor", 2, `{`)}, []fieldpath.Path{a}, ""},
		"two managers of one name":  {[]metav1.ManagedFieldsEntry{entry("ours", 1, withA), entry("ours", 2, withB)}, []fieldpath.Path{a, b}, ""},
		"an object that holds both": {[]metav1.ManagedFieldsEntry{entry("ours", 1, `{"f:spec":{}}`)}, []fieldpath.Path{a, b}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			got := Changed(&metav1.ObjectMeta{ManagedFields: test.owners}, "ours", fieldpath.NewSet(test.fields...))
			text := ""
			if len(got.Fields) > 0 {
				text = got.String()
			}
			if text != test.want {
				t.Errorf("got %q, want %q", text, test.want)
			}
		})
	}
}

func TestLastWriter(t *testing.T) {
	object := &metav1.ObjectMeta{ManagedFields: []metav1.ManagedFieldsEntry{
		entry("ours", 9, `{"f:spec":{"f:a":{}}}`), entry("first", 1, `{"f:spec":{"f:a":{"f:x":{}}}}`),
		entry("last", 3, `{"f:spec":{"f:a":{"f:y":{}}}}`), entry("elsewhere", 5, `{"f:spec":{"f:b":{}}}`),
	}}
	if got := LastWriter(object, "ours", fieldpath.MakePathOrDie("spec", "a")); got != "last" {
		t.Errorf("got %q, want last", got)
	}
	if got := LastWriter(object, "ours", fieldpath.MakePathOrDie("spec", "c")); got != "another client" {
		t.Errorf("got %q, want another client", got)
	}
}

func TestDifferences(t *testing.T) {
	has, lacks := Differences(fieldpath.MakePathOrDie("spec"),
		map[string]any{"same": "x", "list": []any{"a", "b"}, "more": map[string]any{"x": int64(1)}},
		map[string]any{"same": "x", "list": []any{"a", "c"}, "less": map[string]any{"y": true}})
	paths := func(set *fieldpath.Set) (all []string) {
		for path := range set.All() {
			all = append(all, path.String())
		}
		slices.Sort(all)
		return all
	}
	if got, want := paths(has), []string{".spec.list", ".spec.more.x"}; !slices.Equal(got, want) {
		t.Errorf("it has %v, want %v", got, want)
	}
	if got, want := paths(lacks), []string{".spec.less.y"}; !slices.Equal(got, want) {
		t.Errorf("it lacks %v, want %v", got, want)
	}
}

func TestManyFieldsAreCounted(t *testing.T) {
	got := Change{Client: "x", Fields: []string{"a", "b", "c", "d", "e", "f", "g"}}.String()
	if want := "x changed a, b, c, d, e and 2 more fields"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
