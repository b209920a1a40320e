package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// module is a folder with a go.mod of its own, whose programs are built by one go
// build: while it links one of them it compiles for the next.
type module struct {
	dir      string   // from the repository's root
	flags    []string // of go list and go build
	ldflags  string
	programs []program
}

// program is one thing to build.
type program struct {
	name string // the last element of the package's path, by which go build names it
	pkg  string // the package, from the module's folder
}

// controlPlane is the folder of the control plane's module, from the repository's root.
const controlPlane = "e2e/controlplane"

// modules lists what there is to build in the repository at root. version is what
// crosswalk says about itself; if it is empty, crosswalk says what Go knows of the commit.
func modules(root, version string) ([]module, error) {
	kubernetes, err := controlPlaneOf(root, "go.mod")
	if err != nil {
		return nil, err
	}
	kubernetes.programs = append(kubernetes.programs, program{"oracle", "./oracle"})
	var release string
	if version != "" {
		// In place of GOFLAGS' -ldflags.
		release = "-w -X main.release=" + version
	}
	return []module{
		kubernetes,
		{
			dir: "e2e/certmanager", ldflags: "-s -w",
			programs: []program{{"certmanager", "."}},
		},
		{dir: "e2e/helm", programs: []program{{"helm", "helm.sh/helm/v4/cmd/helm"}}},
		{dir: "e2e/prometheus", programs: []program{{"prometheus", "."}}},
		{dir: "e2e/argocd", ldflags: "-s -w", programs: []program{{"argocd", "."}}},
		{dir: ".", ldflags: release, programs: []program{{"crosswalk", "./cmd/crosswalk"}}},
		{dir: "e2e", programs: []program{{"demo", "./demo"}}},
	}, nil
}

// ofKubernetes lists what is built of another release of Kubernetes, such as 1.35, than
// the tests of every change run on.
func ofKubernetes(root, release string) ([]module, error) {
	modFile := "kubernetes-" + release + ".mod"
	m, err := controlPlaneOf(root, modFile)
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("there is no %s/%s; there are %s", controlPlane, modFile, strings.Join(otherReleases(root), ", "))
	}
	if err != nil {
		return nil, err
	}
	m.flags = []string{"-modfile=" + modFile, "-tags=kubernetes" + release}
	return []module{m}, nil
}

// otherReleases are those which have a file of versions beside go.mod's.
func otherReleases(root string) []string {
	files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(controlPlane), "kubernetes-*.mod"))
	if err != nil {
		panic(err) // the pattern is wrong
	}
	for i, file := range files {
		files[i] = strings.TrimSuffix(strings.TrimPrefix(filepath.Base(file), "kubernetes-"), ".mod")
	}
	return files
}

// controlPlaneOf is the control plane of the release of Kubernetes that modFile names.
func controlPlaneOf(root, modFile string) (module, error) {
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(controlPlane), modFile))
	if err != nil {
		return module{}, err
	}
	version := kubernetesLine.FindSubmatch(text)
	if version == nil {
		return module{}, fmt.Errorf("%s/%s does not name k8s.io/kubernetes", controlPlane, modFile)
	}
	return module{
		dir: controlPlane, ldflags: "-s -w " + versionFlags(string(version[1])),
		programs: []program{{"controlplane", "."}, {"kubectl", "./kubectl"}, {"etcdctl", "./etcdctl"}},
	}, nil
}

// kubernetesLine is the line of a go.mod that names the release.
var kubernetesLine = regexp.MustCompile(`(?m)^(?:require)?\s+k8s\.io/kubernetes (v\S+)$`)

// versionFlags sets what a release build of Kubernetes sets. Without it the API
// server's version has no number, and kubectl and the feature gates read it.
func versionFlags(version string) string {
	major, minor, _ := strings.Cut(strings.TrimPrefix(version, "v"), ".")
	minor, _, _ = strings.Cut(minor, ".")
	var flags []string
	for _, pkg := range []string{"k8s.io/component-base/version", "k8s.io/client-go/pkg/version"} {
		flags = append(flags,
			"-X "+pkg+".gitVersion="+version,
			"-X "+pkg+".gitMajor="+major,
			"-X "+pkg+".gitMinor="+minor,
			"-X "+pkg+".gitTreeState=clean",
		)
	}
	return strings.Join(flags, " ")
}
