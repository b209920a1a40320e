package harness

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestGet looks into etcd: custom resources are shown as they are stored, and of what
// else there is only what it is. What cannot be shown says why.
func TestGet(t *testing.T) {
	programs, ctx := forTest(t)
	dir := t.TempDir()
	c := startForTest(t, ctx, programs, dir)
	crd := filepath.Join(programs.Root, "examples", "crontab", "crd.yaml")
	for _, args := range [][]string{
		{"create", "-f", crd},
		{"wait", "--for=condition=Established", "crd/crontabs.stable.example.com"},
		{"create", "-f", filepath.Join(programs.Root, "examples", "crontab", "objects", "v1.yaml")},
		{"create", "secret", "generic", "token", "--from-literal=token=s3cret"},
	} {
		if _, err := c.Kubectl(ctx, args...); err != nil {
			t.Fatal(err)
		}
	}
	const crontabs = "/registry/stable.example.com/crontabs"
	get := func(args ...string) string {
		said, _ := exec.CommandContext(ctx, programs.ControlPlane, append([]string{"get"}, args...)...).CombinedOutput()
		return string(said)
	}
	for name, test := range map[string]struct {
		args   []string
		starts string
		holds  []string
	}{
		"a custom resource": {[]string{crontabs + "/default/nightly"}, "{\n  \"apiVersion\": \"stable.example.com/v1\",\n  \"kind\": \"CronTab\",\n", []string{"\n    \"host\": \"localhost\",\n"}},
		"by prefix":         {[]string{crontabs, "--prefix"}, crontabs + "/default/hourly\n{\n  \"apiVersion\": ", []string{"\n}\n\n" + crontabs + "/default/nightly\n{\n"}},
		"a Secret":          {[]string{"/registry/secrets/default/token"}, "", []string{" bytes: a Secret of v1, as protobuf\n"}},
		"all there is":      {[]string{"--prefix", "/registry/"}, "/registry/", []string{" bytes: a Namespace of v1, as protobuf\n", crontabs + "/default/hourly\n{"}},
		"no such key":       {[]string{crontabs + "/default/none"}, "controlplane get: etcd has no key " + crontabs + "/default/none\n", nil},
		"half a key":        {[]string{crontabs}, "controlplane get: etcd has no key " + crontabs + ", but 2 that begin with it: add --prefix\n", nil},
		"no key by prefix":  {[]string{"/nothing", "--prefix"}, "controlplane get: etcd has no key that begins with /nothing\n", nil},
		"no key at all":     {nil, "controlplane get: name one key, for example ", nil},
		"no such flag":      {[]string{"/registry", "--all"}, "controlplane get: unknown flag: --all\n", nil},
		"help":              {[]string{"--help"}, "controlplane get KEY [flags]\n", []string{"--dir string", "(default \".run/controlplane\")"}},
		"another folder":    {[]string{crontabs, "--dir", t.TempDir()}, "controlplane get: no control plane has run in ", nil},
	} {
		t.Run(name, func(t *testing.T) {
			args := test.args
			if name != "another folder" && name != "help" {
				args = append(args, "--dir", dir)
			}
			got := get(args...)
			if !strings.HasPrefix(got, test.starts) {
				t.Errorf("got\n%.400s", got)
			}
			for _, want := range test.holds {
				if !strings.Contains(got, want) {
					t.Errorf("%q is not in\n%.4000s", want, got)
				}
			}
			if strings.Contains(got, "s3cret") {
				t.Error("it tells a secret")
			}
		})
	}
	if err := c.Stop(); err != nil {
		t.Fatal(err)
	}
	if got := get(crontabs, "--dir", dir); !strings.HasPrefix(got, "controlplane get: etcd does not answer at "+c.Etcd+"; does the control plane in ") {
		t.Errorf("when it has stopped: %s", got)
	}
}
