package inject

import (
	"testing"

	"k8s.io/apimachinery/pkg/types"
)

func TestAsked(t *testing.T) {
	const own, from = "crosswalk.dev/inject-ca", "crosswalk.dev/inject-ca-from"
	secret := Ask{Secret: types.NamespacedName{Namespace: "ns", Name: "a.b"}}
	wantOwn := func(value string) string {
		return `the annotation crosswalk.dev/inject-ca is "` + value + `", want "true" or "false"`
	}
	wantFrom := func(value string) string {
		return `the annotation crosswalk.dev/inject-ca-from is "` + value + `", want the namespace and the name of a Secret, such as kube-system/metrics-server-tls`
	}
	for _, test := range []struct {
		annotations map[string]string
		want        Ask
		fails       string
	}{
		{nil, Ask{}, ""},
		{map[string]string{own: "true"}, Ask{Own: true}, ""},
		{map[string]string{own: "false"}, Ask{}, ""},
		{map[string]string{own: ""}, Ask{}, wantOwn("")},
		{map[string]string{own: "True"}, Ask{}, wantOwn("True")},
		{map[string]string{own: "ns/name"}, Ask{}, wantOwn("ns/name")},
		{map[string]string{from: "ns/a.b"}, secret, ""},
		{map[string]string{from: "ns/a.b", own: "false"}, secret, ""},
		{map[string]string{from: "ns/a.b", own: "yes"}, Ask{}, wantOwn("yes")},
		{map[string]string{from: "ns/a.b", own: "true"}, Ask{},
			"the annotations crosswalk.dev/inject-ca and crosswalk.dev/inject-ca-from ask for two CAs; remove one"},
		{map[string]string{from: ""}, Ask{}, wantFrom("")},
		{map[string]string{from: "true"}, Ask{}, wantFrom("true")},
		{map[string]string{from: "/a"}, Ask{}, wantFrom("/a")},
		{map[string]string{from: "ns/"}, Ask{}, wantFrom("ns/")},
		{map[string]string{from: "n.s/a"}, Ask{}, wantFrom("n.s/a")},
		{map[string]string{from: "ns/a/b"}, Ask{}, wantFrom("ns/a/b")},
		{map[string]string{from: "ns/A"}, Ask{}, wantFrom("ns/A")},
	} {
		got, err := Asked(test.annotations)
		if got != test.want || (err == nil) != (test.fails == "") || err != nil && err.Error() != test.fails {
			t.Errorf("%v: %+v, %v", test.annotations, got, err)
		}
		if got.None() != (test.want == Ask{}) {
			t.Errorf("%v: None is %t", test.annotations, got.None())
		}
	}
}
