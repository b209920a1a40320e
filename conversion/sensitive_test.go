package conversion_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/crosswalk-dev/crosswalk/conversion"
)

// What a row of one version marks as sensitive no other version keeps in an annotation, in whatever
// order the versions are written. Each remedy compiles, and nothing of the secret is in the result.
func TestSensitiveInAnotherVersion(t *testing.T) {
	t.Parallel()
	const (
		secret = "auth: {type: object, properties: {token: {type: string}, user: {type: string}}}"
		list   = "l: {type: array, items: {type: object, properties: {token: {type: string}, id: {type: string}, more: {type: string}}}}"
		open   = "open: {type: object, x-kubernetes-preserve-unknown-fields: true}"
		object = `"spec":{"auth":{"token":"hunter2","user":"u"}}`
		marked = "{spoke: .spec.auth.token, hub: .spec.auth.token, sensitive: true}"
	)
	for name, c := range map[string]struct {
		hub, marks, other string // schemas
		marked, rows      string // rows of the version that marks, and of the other
		object            string // of the hub
		want              string
		remedy            string // rows of the other version
	}{
		"it lacks the field": {
			secret, secret, "auth: {type: object, properties: {user: {type: string}}}", marked, "[]", object,
			`v1beta1: .spec.auth.token is sensitive because of a row of some version, but v1beta1 has nothing for it, so it would be kept in an annotation; drop it with a reason: {hub: .spec.auth.token, drop: ...}`,
			"[{hub: .spec.auth.token, drop: a secret}]",
		},
		"it lacks what the field is in": {
			secret, secret, "a: {type: string}", marked, "[]", object,
			`v1beta1: .spec.auth.token is sensitive because of a row of some version, but v1beta1 has nothing for it, so it would be kept in an annotation; drop it with a reason: {hub: .spec.auth.token, drop: ...}`,
			"[{hub: .spec.auth.token, drop: a secret}]",
		},
		"it has a constant for the field": {
			secret, secret, "auth: {type: object, properties: {user: {type: string}}}", marked, "[{hub: .spec.auth.token, constant: none}]", object,
			`v1beta1: .spec.auth.token is sensitive because of a row of some version, but v1beta1 has nothing for it, so it would be kept in an annotation; drop it with a reason: {hub: .spec.auth.token, drop: ...}`,
			"[{hub: .spec.auth.token, drop: a secret}]",
		},
		"it has other values": {
			secret, secret, secret, marked, "[{spoke: .spec.auth.token, hub: .spec.auth.token, values: {a: b}}]", object,
			`v1beta1 row 1 (.spec.auth.token <-> .spec.auth.token): .spec.auth.token is sensitive because of a row of some version, but a value that the other version can't represent is kept in an annotation; map it with a row without a mapping, between fields of the same type, or drop it with a reason`,
			"[{spoke: .spec.auth.token, hub: .spec.auth.token}]",
		},
		"it lacks the field of elements": {
			list, list, strings.Replace(list, "token: {type: string}, ", "", 1), "{spoke: .spec.l, hub: .spec.l, each: {rows: [{spoke: .token, hub: .token, sensitive: true}]}}", "[]", `"spec":{"l":[{"token":"hunter2","id":"x"}]}`,
			`v1beta1: .spec.l.token is sensitive because of a row of some version, but v1beta1 has nothing for it, so it would be kept in an annotation; drop it with a reason: {spoke: .spec.l, hub: .spec.l, each: {rows: [{hub: .token, drop: ...}]}}`,
			"[{spoke: .spec.l, hub: .spec.l, each: {rows: [{hub: .token, drop: a secret}]}}]",
		},
		"its elements have the field as their key": {
			list, list, strings.Replace(list, ", more: {type: string}", "", 1), "{spoke: .spec.l, hub: .spec.l, each: {rows: [{spoke: .token, hub: .token, sensitive: true}]}}",
			"[{spoke: .spec.l, hub: .spec.l, each: {key: token, unique: true}}]", `"spec":{"l":[{"token":"hunter2","more":"x"}]}`,
			`v1beta1 row 1 (.spec.l <-> .spec.l): each: the key token is sensitive, but a stash identifies elements by their keys; choose another key`,
			"[{spoke: .spec.l, hub: .spec.l, each: {key: id, unique: true}}]",
		},
		"no schema declares the field, and it lacks the object": {
			open, open, "a: {type: string}", "{spoke: .spec.open.token, hub: .spec.open.token, sensitive: true}", "[]", `"spec":{"open":{"token":"hunter2","user":"u"}}`,
			`v1beta1: .spec.open.token is sensitive because of a row of some version, but v1beta1 has nothing for it, so it would be kept in an annotation; drop it with a reason: {hub: .spec.open.token, drop: ...}`,
			"[{hub: .spec.open.token, drop: a secret}]",
		},
		"no schema declares the field, and it does not preserve it": {
			open, open, "open: {type: object, properties: {user: {type: string}}}", "{spoke: .spec.open.token, hub: .spec.open.token, sensitive: true}", "[]", `"spec":{"open":{"token":"hunter2","user":"u"}}`,
			`v1beta1: .spec.open.token is sensitive because of a row of some version, but v1beta1 has nothing for it, so it would be kept in an annotation; drop it with a reason: {hub: .spec.open.token, drop: ...}`,
			"[{hub: .spec.open.token, drop: a secret}]",
		},
		"it keeps whole elements": {
			list, list, strings.Replace(list, "l: {type: array, items: ", "m: {type: object, additionalProperties: ", 1), "{spoke: .spec.l, hub: .spec.l, each: {rows: [{spoke: .token, hub: .token, sensitive: true}]}}",
			"[{spoke: .spec.m, hub: .spec.l, keyed: {key: id}}]", `"spec":{"l":[{"token":"hunter2"}]}`,
			`v1beta1 row 1 (.spec.m <-> .spec.l): an element that the other version can't represent is kept whole, but a field in it is sensitive; map the lists with each, or drop the field with a reason`,
			"[{hub: .spec.l, drop: it has secrets}]",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, reversed := range []bool{false, true} { // the version that marks is before the other one, or behind it
				crd := versions(t, map[string]string{"v1": spec(c.hub), "v1alpha1": spec(c.marks), "v1beta1": spec(c.other)})
				if reversed {
					slices.Reverse(crd.Spec.Versions)
				}
				table := func(rows string) string {
					return "versions: [{name: v1alpha1, rows: [" + c.marked + "]}, {name: v1beta1, rows: " + rows + "}]"
				}
				_, err := conversion.Compile(crd, written(t, table(c.rows)))
				if want := "crosswalk things.example.com: " + c.want; err == nil || err.Error() != want {
					t.Errorf("got %v\nwant %s", err, want)
				}
				mended, err := conversion.Compile(crd, written(t, table(c.remedy)))
				if err != nil {
					t.Fatalf("the remedy does not compile: %v", err)
				}
				got := convert(t, mended, thing("v1", c.object), "v1beta1")
				_, annotations, _ := strings.Cut(got, "annotations")
				if annotations, _, _ = strings.Cut(annotations, `,"spec":`); strings.Contains(annotations, "hunter2") {
					t.Errorf("the secret is in an annotation: %s", got)
				}
			}
		})
	}
}

// A key that a list's type promises is not used as an address if a row of some version marks it as
// sensitive, whichever version is read first.
func TestSensitiveKeyOfTheSchema(t *testing.T) {
	t.Parallel()
	list := func(more string) string {
		return spec("l: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [token], items: {type: object, required: [token], properties: {token: {type: string}" + more + "}}}")
	}
	for _, reversed := range []bool{false, true} {
		crd := versions(t, map[string]string{"v1": list(", more: {type: string}"), "v1alpha1": list(", more: {type: string}"), "v1beta1": list("")})
		if reversed {
			slices.Reverse(crd.Spec.Versions)
		}
		c, err := conversion.Compile(crd, written(t, "versions: [{name: v1alpha1, rows: [{spoke: .spec.l, hub: .spec.l, each: {rows: [{spoke: .token, hub: .token, sensitive: true}]}}]}]"))
		if err != nil {
			t.Fatal(err)
		}
		object := thing("v1", `"spec":{"l":[{"token":"hunter2","more":"x"}]}`)
		view := convert(t, c, object, "v1beta1")
		if strings.Count(view, "hunter2") != 1 || !strings.Contains(view, "annotations") {
			t.Errorf("the secret is in an annotation: %s", view)
		}
		if back := convert(t, c, view, "v1"); !sameJSON(t, back, object) {
			t.Errorf("it comes back as %s", back)
		}
	}
}
