package verify

import (
	"bytes"
	"testing"

	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// FuzzConvert feeds bytes to a table that has every mapping: what is a JSON
// object of a known version converts, what is not I-JSON does not, and nothing
// else than I-JSON comes out.
func FuzzConvert(f *testing.F) {
	s := read(f, "testdata/kitchen/crd.yaml", "testdata/kitchen/crosswalk.yaml")
	for _, body := range []string{
		`"metadata":{"name":"a","annotations":{"example.com/owner":"x"}},"spec":{"hostPort":"a:80","policy":"Allow","jobs":[{"name":"a","cmd":"x"},{"name":"a"},{}]}`,
		`"metadata":{"annotations":{"stash.crosswalk.dev/v2":"{\"format\":1,\"entries\":[{\"at\":[\"spec\"],\"value\":{}}]}"}},"spec":{"hostPort":"a"}`,
		`"spec":{"host":"a","port":9223372036854775807,"tasks":[{"name":"é","command":{"line":"\u00e9"}}],"zones":[{"a":1.50},{"a":1.50}]}`,
		`"spec":{"timeoutSeconds":90,"disabled":true,"hosts":"a, b","config":"level: x\n","secretName":"s","tcp":{"port":1},"backend":{"service":"a"},"users":["a","a"],"env":[{"name":"B","value":"1"},{"name":"B"},{"name":"A"}],"route":{"to":"a","routes":[{"to":"b","routes":[{}]}]}}`,
		`"spec":{"timeout":"1500ms","enabled":1,"hostNames":["a,b"],"settings":{"more":{"x":[null]}},"ref":{"kind":"Secret"},"probe":{"type":"HTTP","tcp":{}},"backends":[{},5,null],"members":[{},{"name":"a"}],"variables":{"b":"1","a":null},"tree":{"children":[{"children":5},{"receiver":"x"}]}}`,
		`"spec":null,"status":[1e400]`, `"spec":{"hostPort":1,"jobs":{"a":[]},"labels":[],"free":{"a":{"b":[null]}}}`, `"spec":{},"spec":{}`, `"a":"\ud800"`,
	} {
		for _, version := range s.Versions() {
			f.Add([]byte(`{"apiVersion":"`+s.apiVersion(version)+`","kind":"`+s.CRD.Spec.Names.Kind+`",`+body+`}`), uint8(len(body)))
		}
	}
	second, err := s.second()
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte, choice uint8) {
		versions := s.Versions()
		to := versions[int(choice)%len(versions)]
		v, err := tree.Parse(data)
		if err != nil {
			if out, err := s.converter.Convert(nil, data, to); err == nil {
				t.Fatalf("%q is not I-JSON and became %q", data, out)
			}
			return
		}
		from, converts := s.convertible(v)
		out, problem := s.convert(s.converter, data, to)
		if !converts {
			return
		}
		if problem != "" {
			t.Fatalf("%s to %s: %s", data, to, problem)
		}
		if again, _ := s.convert(second, data, to); !bytes.Equal(out, again) {
			t.Fatalf("%s gave %s and %s", data, out, again)
		}
		if _, problem := s.convert(s.converter, out, from); problem != "" {
			t.Fatalf("%s back to %s: %s", out, from, problem)
		}
	})
}
