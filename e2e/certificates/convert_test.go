package certificates

import (
	"path/filepath"
	"testing"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
)

// crontabs is the table that every test converts with.
func (c cluster) crontabs(t *testing.T) harness.Table {
	t.Helper()
	table, err := harness.ReadTable(filepath.Join(c.programs.Root, "examples", "crontab"))
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// wantConversion converts in both directions through kubectl.
func (c cluster) wantConversion(t *testing.T) {
	t.Helper()
	objects := filepath.Join(c.programs.Root, "examples", "crontab", "objects")
	for _, way := range []struct{ written, read, path, want string }{
		{"v1beta1", "v1", "{.spec.host} {.spec.port}", "localhost 1234"},
		{"v1", "v1beta1", "{.spec.hostPort}", "localhost:1234"},
	} {
		c.kubectl(t, "apply", "-f", filepath.Join(objects, way.written+".yaml"))
		got := c.kubectl(t, "get", "crontabs."+way.read+".stable.example.com", "nightly", "-o", "jsonpath="+way.path)
		if got != way.want {
			t.Errorf("written as %s, read as %s: %q, want %q", way.written, way.read, got, way.want)
		}
		c.kubectl(t, "delete", "-f", filepath.Join(objects, way.written+".yaml"))
	}
}

// wantConverted converts in both directions once more, as traffic does.
func (c cluster) wantConverted(t *testing.T) {
	t.Helper()
	const name = "once-more"
	r := c.createCronTab(t, name)
	if _, err := convert(r, name)(t.Context(), 1); err != nil {
		t.Error(err)
	}
	if _, err := r.Delete(t.Context(), name); err != nil {
		t.Error(err)
	}
}
