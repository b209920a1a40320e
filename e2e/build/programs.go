package main

import "strings"

// module is a folder with a go.mod of its own, whose programs are built by one go
// build: while it links one of them it compiles for the next.
type module struct {
	dir      string // from the repository's root
	ldflags  string
	programs []program
}

// program is one thing to build.
type program struct {
	name string // the last element of the package's path, by which go build names it
	pkg  string // the package, from the module's folder
}

// kubernetesVersion is what the API server and kubectl say about themselves. A
// test holds it equal to the version in e2e/controlplane/go.mod.
const kubernetesVersion = "v1.36.3"

// modules lists what there is to build. version is what crosswalk says about itself; if
// it is empty, crosswalk says what Go knows of the commit.
func modules(version string) []module {
	var release string
	if version != "" {
		// In place of GOFLAGS' -ldflags.
		release = "-w -X main.release=" + version
	}
	return []module{
		{
			dir: "e2e/controlplane", ldflags: "-s -w " + versionFlags(kubernetesVersion),
			programs: []program{{"controlplane", "."}, {"kubectl", "./kubectl"}, {"etcdctl", "./etcdctl"}, {"oracle", "./oracle"}},
		},
		{
			dir: "e2e/certmanager", ldflags: "-s -w",
			programs: []program{{"certmanager", "."}},
		},
		{dir: "e2e/helm", programs: []program{{"helm", "helm.sh/helm/v4/cmd/helm"}}},
		{dir: "e2e/prometheus", programs: []program{{"prometheus", "."}}},
		{dir: "e2e/argocd", ldflags: "-s -w", programs: []program{{"argocd", "."}}},
		{dir: ".", ldflags: release, programs: []program{{"crosswalk", "./cmd/crosswalk"}}},
		{dir: "e2e", programs: []program{{"demo", "./demo"}}},
	}
}

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
