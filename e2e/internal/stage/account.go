package stage

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
)

// Account creates a ServiceAccount without rights in the namespace default. It returns a
// kubeconfig whose only context has the name of the account, and is not the current one, and the
// account's user name.
func Account(t testing.TB, plane *harness.ControlPlane, name string) (kubeconfig, user string) {
	t.Helper()
	ctx := Within(t, time.Minute)
	if _, err := plane.Kubectl(ctx, "create", "serviceaccount", name); err != nil {
		t.Fatal(err)
	}
	token, err := plane.Kubectl(ctx, "create", "token", name)
	if err != nil {
		t.Fatal(err)
	}
	kubeconfig = filepath.Join(t.TempDir(), "kubeconfig")
	config := fmt.Sprintf(`
apiVersion: v1
kind: Config
clusters: [{name: here, cluster: {server: %q, certificate-authority: %q}}]
users: [{name: %[3]q, user: {token: %[4]q}}]
contexts: [{name: %[3]q, context: {cluster: here, user: %[3]q}}]
current-context: nowhere
`, plane.Server, plane.CA, name, strings.TrimSpace(token))
	if err := os.WriteFile(kubeconfig, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	return kubeconfig, "system:serviceaccount:default:" + name
}
