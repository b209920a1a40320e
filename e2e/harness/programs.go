package harness

import (
	"fmt"
	"os"
	"path/filepath"
)

// Programs holds the paths of what e2e/build compiles.
type Programs struct {
	Root         string // the repository
	ControlPlane string
	Crosswalk    string
}

// programVariable names another crosswalk than the one in bin, for example one
// with the race detector.
const programVariable = "CROSSWALK_PROGRAM"

// FindPrograms looks upwards from the working directory for the repository and
// its bin folder.
func FindPrograms() (Programs, error) {
	dir, err := os.Getwd()
	if err != nil {
		return Programs{}, err
	}
	root := dir
	for {
		if _, err := os.Stat(filepath.Join(root, "e2e", "controlplane", "go.mod")); err == nil {
			break
		}
		if root == filepath.Dir(root) {
			return Programs{}, fmt.Errorf("%s is not inside Crosswalk's repository; run it there", dir)
		}
		root = filepath.Dir(root)
	}
	p := Programs{
		Root:         root,
		ControlPlane: filepath.Join(root, "bin", "controlplane"),
		Crosswalk:    filepath.Join(root, "bin", "crosswalk"),
	}
	if path := os.Getenv(programVariable); path != "" {
		p.Crosswalk = path
	}
	for _, path := range []string{p.ControlPlane, p.Crosswalk} {
		if _, err := os.Stat(path); err != nil {
			return Programs{}, fmt.Errorf("%w; build it with `go run ./build` in %s", err, filepath.Join(root, "e2e"))
		}
	}
	return p, nil
}
