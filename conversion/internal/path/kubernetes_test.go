package path

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"testing"

	"k8s.io/client-go/util/jsonpath"
)

// FuzzKubernetes writes paths as kubectl and the columns of a CRD take them, with a
// backslash before a dot in quotes, and holds the parser against theirs, on an object
// that has the path and nothing else. Names that their notation has no way to write
// are left out: empty ones, and those with anything but letters, digits and a little
// punctuation.
func FuzzKubernetes(f *testing.F) {
	for _, seed := range []string{".spec.a", ".metadata.annotations['example.com/a.b']", "['a.b'].c", ".a-b._c", "['é']['a b']", ".0", "['0']", ".a..b", `['a\.b']`, ".a['~1']"} {
		f.Add(seed)
	}
	plain, writable := regexp.MustCompile(`^[A-Za-z_][\w-]*$`), regexp.MustCompile(`^[\pL_][\pL\d_./~-]*[\pL\d_]$|^[\pL_]$`)
	f.Fuzz(func(t *testing.T, text string) {
		p, err := Parse(text)
		if err != nil || len(p) == 0 {
			return
		}
		var written strings.Builder
		var object any = "found"
		for _, name := range slices.Backward(p) {
			object = map[string]any{name: object}
		}
		for _, name := range p {
			switch {
			case plain.MatchString(name):
				written.WriteString("." + name)
			case writable.MatchString(name):
				written.WriteString("['" + strings.ReplaceAll(name, ".", `\.`) + "']")
			default:
				return
			}
		}
		if again, err := Parse(written.String()); err != nil || !slices.Equal(again, p) {
			t.Fatalf("%s is %q, %v; want %q", &written, again, err, p)
		}
		j := jsonpath.New("path")
		if err := j.Parse("{" + written.String() + "}"); err != nil {
			t.Fatalf("%s is %q, and Kubernetes says %v", &written, p, err)
		}
		var out bytes.Buffer
		if err := j.Execute(&out, object); err != nil || out.String() != "found" {
			t.Fatalf("%s is %q, and Kubernetes finds %q, %v", &written, p, &out, err)
		}
	})
}
