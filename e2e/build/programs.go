package main

import "strings"

// program is one thing to build.
type program struct {
	name    string
	module  string // the module's folder, from the repository's root
	pkg     string // the package, from the module's folder
	ldflags string
	note    string // what to say when it takes long
}

// kubernetesVersion is what the API server and kubectl say about themselves. A
// test holds it equal to the version in e2e/controlplane/go.mod.
const kubernetesVersion = "v1.36.3"

func programs() []program {
	return []program{
		{
			name: "controlplane", module: "e2e/controlplane", pkg: ".",
			ldflags: "-s -w " + versionFlags(kubernetesVersion),
			note:    "etcd, kube-apiserver and controllers: about 4 minutes on 2 cores from empty caches, once",
		},
		{
			name: "kubectl", module: "e2e/controlplane", pkg: "./kubectl",
			ldflags: "-s -w " + versionFlags(kubernetesVersion),
		},
		{
			name: "certmanager", module: "e2e/certmanager", pkg: ".", ldflags: "-s -w",
			note: "cert-manager's controllers: about 2 minutes on 2 cores from empty caches, once",
		},
		{name: "oracle", module: "e2e/controlplane", pkg: "./oracle", ldflags: "-s -w"},
		{name: "crosswalk", module: ".", pkg: "./cmd/crosswalk"},
		{name: "demo", module: "e2e", pkg: "./demo"},
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
