package install

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	"sigs.k8s.io/yaml"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/stage"
)

// overlays are what a user may apply, by folder in deploy/.
var overlays = []string{"base", "overlays/cert-manager", "overlays/aggregated"}

// testInstall applies one after the other to the same control plane, as a user
// does who changes to cert-manager.
func (c *cluster) testInstall(t *testing.T) {
	c.everybodys = c.rights(t, "system:serviceaccount:default:default")
	for _, overlay := range overlays {
		t.Run(overlay, func(t *testing.T) {
			if overlay == "overlays/cert-manager" {
				c.installCertManager(t)
			}
			c.kubectl(t, "apply", "-k", c.path(overlay))
			// A second time changes nothing that anybody owns.
			c.kubectl(t, "apply", "-k", c.path(overlay))
			c.testPodSecurity(t)
			c.testRights(t, overlay)
			if overlay == "base" {
				c.kubectl(t, "apply", "-f", c.path("components/injection/rbac.yaml"))
				c.testRights(t, "components/injection")
				c.testLimits(t)
				c.kubectl(t, "delete", "-f", c.path("components/injection/rbac.yaml"))
			}
		})
	}
}

// TestFlags gives the programs the arguments of the Deployments.
func TestFlags(t *testing.T) {
	c := &cluster{programs: stage.Programs(t)}
	for _, overlay := range overlays {
		for role, args := range c.args(t, overlay) {
			t.Run(overlay+" "+role, func(t *testing.T) {
				// Flags are read before help is shown.
				for _, flag := range []string{"", "--no-such-flag"} {
					said, err := exec.CommandContext(t.Context(), c.programs.Crosswalk,
						strings.Fields(strings.Join(args, " ")+" "+flag+" --help")...).CombinedOutput()
					if known := err == nil; known != (flag == "") {
						t.Errorf("crosswalk %s %s: %v\n%s", strings.Join(args, " "), flag, err, said)
					}
				}
			})
		}
	}
}

// cluster is a control plane and what is installed in it.
type cluster struct {
	programs harness.Programs
	plane    *harness.ControlPlane
	api      *harness.API
	// everybodys are the rights that Kubernetes gives every ServiceAccount, as they were
	// before Crosswalk was installed.
	everybodys []right
}

func (c *cluster) path(folder string) string {
	return filepath.Join(c.programs.Root, "deploy", filepath.FromSlash(folder))
}

func (c *cluster) kubectl(t *testing.T, args ...string) string {
	t.Helper()
	said, err := c.plane.Kubectl(t.Context(), args...)
	if err != nil {
		t.Fatal(err)
	}
	return said
}

// installCertManager applies cert-manager's CRDs, which its module holds.
func (c *cluster) installCertManager(t *testing.T) {
	t.Helper()
	dir, err := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Dir}}", "github.com/cert-manager/cert-manager").Output()
	if err != nil {
		t.Fatal(err)
	}
	crds, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(dir)), "deploy", "crds", "*.yaml"))
	if err != nil || len(crds) == 0 {
		t.Fatalf("cert-manager's module has no CRDs: %v", err)
	}
	args := []string{"apply", "--server-side"}
	for _, crd := range crds {
		args = append(args, "-f", crd)
	}
	c.kubectl(t, args...)
	c.kubectl(t, "wait", "--for=condition=Established", "--timeout=30s",
		"crd/certificates.cert-manager.io", "crd/issuers.cert-manager.io")
	stage.Until(t, 20*time.Second, func(ctx context.Context) error {
		_, err := c.api.Get(ctx, "/apis/cert-manager.io/v1")
		return err
	})
}

// args are those of each role's container. kubectl renders them without a cluster.
func (c *cluster) args(t *testing.T, overlay string) map[string][]string {
	t.Helper()
	said, err := exec.CommandContext(t.Context(), c.programs.Kubectl, "kustomize", c.path(overlay)).Output()
	if err != nil {
		t.Fatal(err)
	}
	args := map[string][]string{}
	for document := range strings.SplitSeq(string(said), "\n---\n") {
		var d appsv1.Deployment
		if err := yaml.Unmarshal([]byte(document), &d); err != nil {
			t.Fatal(err)
		}
		for _, container := range d.Spec.Template.Spec.Containers {
			args[container.Name] = container.Args
		}
	}
	if len(args) != 2 {
		t.Fatalf("%s runs %v, want serve and manage", overlay, args)
	}
	return args
}

const namespace = harness.Namespace

// account is how the API server knows a role.
func account(role string) string {
	return fmt.Sprintf("system:serviceaccount:%s:crosswalk-%s", namespace, role)
}
