package systems

import (
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"testing"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
)

// testVerify puts the example's table to the laws with the objects that the cluster
// holds, as the API server gives them in every version.
func (v variant) testVerify(t *testing.T, programs harness.Programs) {
	for _, o := range v.Objects {
		v.create(t, o, "verified")
	}
	verify := exec.CommandContext(t.Context(), programs.Crosswalk, "verify", "--config", v.dir, "--cases", "0", "--from-cluster", "--kubeconfig", v.scene.ControlPlane.Kubeconfig)
	verify.Env = append(os.Environ(), noSleep)
	out, err := verify.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	tried := regexp.MustCompile(`(?m)^  (\d+) real objects were tried, too$`).FindSubmatch(out)
	if tried == nil {
		t.Fatalf("no real objects:\n%s", out)
	}
	if n, err := strconv.Atoi(string(tried[1])); err != nil || n < len(v.Objects)*len(v.versions()) {
		t.Errorf("%d objects in %d versions, and it says\n%s", len(v.Objects), len(v.versions()), out)
	}
}
