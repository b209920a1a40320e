package harness

import (
	"context"
	"encoding/json"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestControlPlane starts two at once and then ends one of them in every way.
func TestControlPlane(t *testing.T) {
	programs, ctx := forTest(t)
	dir := t.TempDir()
	one := startForTest(t, ctx, programs, dir)
	two := startForTest(t, ctx, programs, t.TempDir())
	if one.Server == two.Server || one.Etcd == two.Etcd {
		t.Fatalf("two control planes share an address: %+v, %+v", one.State, two.State)
	}
	wantVersion(t, ctx, one)
	for _, address := range []string{one.Server, one.Etcd} {
		wantLoopback(t, address)
	}

	if _, err := one.Kubectl(ctx, "create", "configmap", "kept", "--from-literal=a=b"); err != nil {
		t.Fatal(err)
	}
	if _, err := one.EtcdValue(ctx, "/registry/configmaps/default/kept"); err != nil {
		t.Fatal(err)
	}
	if _, err := two.Kubectl(ctx, "get", "configmap", "kept"); err == nil {
		t.Error("one control plane sees the other's objects")
	}

	wantAudited(t, ctx, one)

	pid := one.APIServerPID
	if err := one.RestartAPIServer(ctx); err != nil {
		t.Fatal(err)
	}
	if one.APIServerPID == pid {
		t.Errorf("the API server's process is still %d", pid)
	}
	wantKept(t, ctx, one)

	if err := one.Stop(); err != nil {
		t.Fatal(err)
	}
	one = startForTest(t, ctx, programs, dir)
	wantKept(t, ctx, one)

	// A killed control plane takes its API server along, and leaves its data.
	pid = one.APIServerPID
	one.process.kill()
	waitGone(t, pid)
	one = startForTest(t, ctx, programs, dir)
	wantKept(t, ctx, one)
}

// wantAudited holds Refused to what an API server writes down of an account that may do
// nothing.
func wantAudited(t *testing.T, ctx context.Context, c *ControlPlane) {
	t.Helper()
	for _, args := range [][]string{{"namespace", Namespace}, {"serviceaccount", "crosswalk-nobody", "--namespace", Namespace}} {
		if _, err := c.Kubectl(ctx, append([]string{"create"}, args...)...); err != nil {
			t.Fatal(err)
		}
	}
	api, err := c.API()
	if err != nil {
		t.Fatal(err)
	}
	config := filepath.Join(t.TempDir(), "kubeconfig")
	if err := writeAccount(ctx, c, api, "crosswalk-nobody", config); err != nil {
		t.Fatal(err)
	}
	if said, err := c.Kubectl(ctx, "--kubeconfig", config, "get", "secrets"); err == nil {
		t.Fatalf("nobody may read secrets: %s", said)
	}
	const want = `secrets is forbidden: User "system:serviceaccount:crosswalk-system:crosswalk-nobody" cannot list resource "secrets"`
	if err := c.Refused(Accounts); err == nil || strings.Count(err.Error(), "refused: ") != 1 || !strings.Contains(err.Error(), want) {
		t.Errorf("of what was refused is written down: %v", err)
	}
	if err := c.Refused(Accounts, "nobody list crosswalk-system/secrets"); err != nil {
		t.Error(err)
	}
}

// forTest finds the programs, and limits the time in which they have to do all.
func forTest(t *testing.T) (Programs, context.Context) {
	t.Helper()
	programs, err := FindPrograms()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	t.Cleanup(cancel)
	return programs, ctx
}

func startForTest(t *testing.T, ctx context.Context, programs Programs, dir string) *ControlPlane {
	t.Helper()
	c, err := StartControlPlane(ctx, programs, dir, os.Stderr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		select {
		case <-c.Exited():
		default:
			if err := c.Stop(); err != nil {
				t.Error(err)
			}
		}
	})
	return c
}

// wantVersion holds both halves to the release that go.mod names: the build sets
// these, because a module's version is not in the program.
func wantVersion(t *testing.T, ctx context.Context, c *ControlPlane) {
	t.Helper()
	out, err := c.Kubectl(ctx, "version", "-o", "json")
	if err != nil {
		t.Fatal(err)
	}
	var version map[string]struct {
		Major, Minor, GitVersion string
	}
	if err := json.Unmarshal([]byte(dropStrings(out)), &version); err != nil {
		t.Fatal(err)
	}
	want := kubernetesVersion(t)
	for _, half := range []string{"clientVersion", "serverVersion"} {
		if got := version[half]; got.GitVersion != want || !strings.HasPrefix(want, "v"+got.Major+"."+got.Minor+".") {
			t.Errorf("%s is %+v, want %s", half, got, want)
		}
	}
}

// dropStrings removes the only line of the answer that is not an object.
func dropStrings(out string) string {
	var kept []string
	for _, line := range strings.Split(out, "\n") {
		if !strings.Contains(line, `"kustomizeVersion"`) {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "\n")
}

func wantKept(t *testing.T, ctx context.Context, c *ControlPlane) {
	t.Helper()
	got, err := c.Kubectl(ctx, "get", "configmap", "kept", "-o", "jsonpath={.data.a}")
	if err != nil {
		t.Fatal(err)
	}
	if got != "b" {
		t.Errorf("the object that was kept holds %q", got)
	}
}

// wantLoopback checks that nobody outside this machine reaches the address.
func wantLoopback(t *testing.T, address string) {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	if ip := net.ParseIP(u.Hostname()); !ip.IsLoopback() {
		t.Errorf("%s is not a loopback address", address)
	}
	addresses, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range addresses {
		ip, _, err := net.ParseCIDR(a.String())
		if err != nil || ip.IsLoopback() || ip.To4() == nil {
			continue
		}
		if conn, err := net.DialTimeout("tcp", net.JoinHostPort(ip.String(), u.Port()), time.Second); err == nil {
			conn.Close()
			t.Errorf("%s also listens on %s", address, ip)
		}
	}
}

func waitGone(t *testing.T, pid int) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if syscall.Kill(pid, 0) == syscall.ESRCH {
			return
		}
	}
	t.Fatalf("the API server, process %d, outlived its control plane", pid)
}
