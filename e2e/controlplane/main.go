// Command controlplane is a whole Kubernetes control plane for tests and
// demonstrations in one program: etcd, kube-apiserver and some controllers of
// kube-controller-manager, each the released code of the version in go.mod, run on
// loopback without a cluster, a container or root. Its kubectl and its etcdctl are
// programs of their own, in the folders of these names.
//
//	controlplane run --dir DIR      etcd and kube-apiserver, until SIGTERM
//	controlplane get KEY            what etcd stores
//	controlplane controllers ...    garbage collector, namespaces and others
//	controlplane kube-apiserver ... the API server alone, with its own flags
package main

import (
	"fmt"
	"os"
)

const usage = `controlplane runs a Kubernetes control plane on loopback.

  controlplane run --dir DIR       start etcd and kube-apiserver; stop on SIGTERM
  controlplane get KEY             print what etcd stores, past the API server
  controlplane controllers ARGS    the garbage collector, the namespace controller
                                   and others
  controlplane kube-apiserver ARGS kube-apiserver alone, with its own flags

"controlplane run -h" lists the flags of run; get and controllers have -h as well.
`

func main() {
	if len(os.Args) < 2 {
		fmt.Fprint(os.Stderr, usage)
		os.Exit(2)
	}
	args := os.Args[2:]
	switch os.Args[1] {
	case "run":
		os.Exit(run(args))
	case "get":
		os.Exit(getKey(args))
	case "controllers":
		os.Exit(controllers(args))
	case "kube-apiserver":
		os.Exit(kubeAPIServer(args))
	case "help", "-h", "--help":
		fmt.Print(usage)
	default:
		fmt.Fprintf(os.Stderr, "controlplane: unknown command %q\n\n%s", os.Args[1], usage)
		os.Exit(2)
	}
}
