package harness

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
)

// Programs holds the paths of what e2e/build compiles.
type Programs struct {
	Root         string // the repository
	ControlPlane string
	Kubectl      string
	Etcdctl      string
	Helm         string // only where helm is built: the chart's tests ask for it
	Prometheus   string // likewise, for monitoring
	ArgoCD       string // likewise, for gitops
	Crosswalk    string
	// Kubernetes is the release that the first three are of, such as 1.35, where that is
	// another than the one on which every change is tested.
	Kubernetes string
	// racing is a crosswalk with the race detector, where somebody has built one.
	racing string
}

// Variables of the environment that name other programs than those in bin.
const (
	programVariable = "CROSSWALK_PROGRAM"        // crosswalk, for all tests
	racingVariable  = "CROSSWALK_RACING_PROGRAM" // crosswalk with the race detector, for those that ask for it
	// A release of Kubernetes, such as 1.35, whose programs `go run ./build -kubernetes
	// 1.35` has built.
	KubernetesVariable = "CROSSWALK_KUBERNETES"
)

// LeftOut begins what a test says that is left out on a release of Kubernetes, followed by
// the reason. The table of releases lists what follows.
const LeftOut = "left out on this release of Kubernetes: "

// Racing is the same programs with a crosswalk that has the race detector, where the
// environment names one. It takes twice the time, so it is for tests in which much
// goes on at once inside crosswalk: changes while requests run, many requests at
// once, roles that end under load. What is asked and answered in turn shows it
// nothing that these do not.
func (p Programs) Racing() Programs {
	if p.racing != "" {
		p.Crosswalk = p.racing
	}
	return p
}

// FindRoot looks upwards from the working directory for the repository.
func FindRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for root := dir; ; root = filepath.Dir(root) {
		if _, err := os.Stat(filepath.Join(root, "e2e", "controlplane", "go.mod")); err == nil {
			return root, nil
		}
		if root == filepath.Dir(root) {
			return "", fmt.Errorf("%s is not inside Crosswalk's repository; run it there", dir)
		}
	}
}

// FindPrograms looks for the repository, and in its bin folder.
func FindPrograms() (Programs, error) {
	root, err := FindRoot()
	if err != nil {
		return Programs{}, err
	}
	p := Programs{
		Root:         root,
		ControlPlane: filepath.Join(root, "bin", "controlplane"),
		Kubectl:      filepath.Join(root, "bin", "kubectl"),
		Etcdctl:      filepath.Join(root, "bin", "etcdctl"),
		Helm:         filepath.Join(root, "bin", "helm"),
		Prometheus:   filepath.Join(root, "bin", "prometheus"),
		ArgoCD:       filepath.Join(root, "bin", "argocd"),
		Crosswalk:    filepath.Join(root, "bin", "crosswalk"),
	}
	if p.Kubernetes = os.Getenv(KubernetesVariable); p.Kubernetes != "" {
		dir := filepath.Join(root, "bin", "kubernetes-"+p.Kubernetes)
		for _, program := range []*string{&p.ControlPlane, &p.Kubectl, &p.Etcdctl} {
			*program = filepath.Join(dir, filepath.Base(*program))
		}
	}
	if path := os.Getenv(programVariable); path != "" {
		p.Crosswalk = path
	}
	p.racing = os.Getenv(racingVariable)
	for _, path := range []string{p.ControlPlane, p.Kubectl, p.Crosswalk, p.Racing().Crosswalk} {
		if _, err := os.Stat(path); err != nil {
			build := "go run ./build"
			if filepath.Dir(path) == filepath.Dir(p.ControlPlane) && p.Kubernetes != "" {
				build += " -kubernetes " + p.Kubernetes
			}
			return Programs{}, fmt.Errorf("%w; build it with `%s` in %s", err, build, filepath.Join(root, "e2e"))
		}
	}
	return p, nil
}

// Minor is the minor release of Kubernetes that the programs are of: 36 of 1.36.
func (p Programs) Minor(ctx context.Context) (int, error) {
	said, err := exec.CommandContext(ctx, p.Kubectl, "version", "--client", "-o", "json").Output()
	if err != nil {
		return 0, fmt.Errorf("kubectl version: %w", err)
	}
	var version struct {
		ClientVersion struct{ Minor string }
	}
	if err := json.Unmarshal(said, &version); err != nil {
		return 0, fmt.Errorf("kubectl version: %w", err)
	}
	return strconv.Atoi(version.ClientVersion.Minor)
}
