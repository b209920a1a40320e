package certificates

import (
	"bytes"
	"context"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"
)

// mount is a folder that follows a Secret as the kubelet's volumes do: the files
// are links into ..data, which is a link to a folder of one version, and is
// replaced in one step. See k8s.io/kubernetes/pkg/volume/util/atomic_writer.go.
type mount struct {
	dir     string
	version int
}

func newMount(t *testing.T) *mount {
	t.Helper()
	return &mount{dir: t.TempDir()}
}

// write makes the folder hold what the Secret holds.
func (m *mount) write(s secret) error {
	m.version++
	version := "..version-" + strconv.Itoa(m.version)
	if err := os.Mkdir(filepath.Join(m.dir, version), 0o700); err != nil {
		return err
	}
	for name, data := range s.Data {
		if err := os.WriteFile(filepath.Join(m.dir, version, name), data, 0o600); err != nil {
			return err
		}
	}
	old, err := os.Readlink(filepath.Join(m.dir, "..data"))
	first := os.IsNotExist(err)
	if err != nil && !first {
		return err
	}
	next := filepath.Join(m.dir, "..data_tmp")
	if err := os.Symlink(version, next); err != nil {
		return err
	}
	if err := os.Rename(next, filepath.Join(m.dir, "..data")); err != nil {
		return err
	}
	if !first {
		return os.RemoveAll(filepath.Join(m.dir, old))
	}
	for name := range s.Data {
		if err := os.Symlink(filepath.Join("..data", name), filepath.Join(m.dir, name)); err != nil {
			return err
		}
	}
	return nil
}

// follow keeps the folder in step with Crosswalk's Secret, which may come later,
// until the test ends.
func (m *mount) follow(t *testing.T, c cluster) {
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	var done sync.WaitGroup
	done.Go(func() {
		var last secret
		for ctx.Err() == nil {
			// An error is that there is no Secret yet; what is missing then, the
			// test sees.
			now, err := c.readSecret(ctx, serving)
			if err == nil && !maps.EqualFunc(now.Data, last.Data, bytes.Equal) {
				if err := m.write(now); err != nil {
					t.Error(err)
					return
				}
				last = now
			}
			select {
			case <-ctx.Done():
			case <-time.After(100 * time.Millisecond):
			}
		}
	})
	t.Cleanup(func() {
		stop()
		done.Wait()
	})
}
