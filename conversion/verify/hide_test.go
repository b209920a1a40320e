package verify

import (
	"strings"
	"testing"

	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// The star's token is sensitive: nothing of it is left in what is judged, in
// whichever version it comes and wherever a client has put a copy.
func TestHide(t *testing.T) {
	t.Parallel()
	s := read(t, "../../examples/star/crd.yaml", "../../examples/star/crosswalk.yaml")
	for version, spec := range map[string]string{
		"v1alpha1": `{"token":"s3cr\"t","schedule":"* * * * *","env":[{"name":"a","value":"s3cr\"t"}]}`,
		"v1":       `{"auth":{"token":"s3cr\"t"},"schedule":{"cron":"* * * * *"},"workers":{"replicas":3}}`,
	} {
		v, err := tree.Parse([]byte(`{"apiVersion":"cnstar.kubecto-kubernetes.info/` + version + `","kind":"Star","metadata":{"name":"a","annotations":{` +
			`"note":"x","kubectl.kubernetes.io/last-applied-configuration":"{\"spec\":{\"token\":\"s3cr\\\"t\"}}"}},"spec":` + spec + `}`))
		if err != nil {
			t.Fatal(err)
		}
		hidden := s.hide(v, version)
		if text := hidden.String(); strings.Contains(text, "s3cr") || !strings.Contains(text, `* * * * *`) || !strings.Contains(text, `"note":"x"`) {
			t.Errorf("%s: got %s", version, text)
		}
		if !strings.Contains(v.String(), "s3cr") {
			t.Errorf("%s: the object itself was changed", version)
		}
	}
}
