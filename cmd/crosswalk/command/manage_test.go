package command

import (
	"strings"
	"testing"
)

func TestManageUsage(t *testing.T) {
	tests := []struct{ args, want string }{
		{"manage", "this process does not run in a cluster (unable to load in-cluster configuration, KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT must be defined); name a kubeconfig with --kubeconfig"},
		{"manage now", `unexpected argument "now": tables and CRDs are read from the cluster`},
		{"manage --kubeconfig nowhere", "the kubeconfig nowhere: stat nowhere: no such file or directory"},
		{"manage --replica here", `--replica "here": want HOST:PORT`},
		{"manage --service-port 0", "--service-port 0: want 1 to 65535"},
		{"manage --service=", "--service is empty"},
		{"manage --certs letsencrypt", `--certs "letsencrypt": use authority, secret or folder`},
		{"manage --certs-dir=", "--certs-dir is empty"},
		{"manage --certs-secret=", "--certs-secret is empty"},
		{"manage --authority-secret=", "--authority-secret is empty"},
		{"manage --authority-secret crosswalk-serving", "--authority-secret and --certs-secret are both crosswalk-serving: the CA's key must not be in the Secret that serve reads"},
		{"manage --ca-overlap -1h", "--ca-overlap -1h0m0s: use 0s or more"},
		{"manage --cert-manager-certificate a", "--cert-manager-certificate needs --certs secret, because cert-manager writes a Secret"},
		{"manage --health-listen nonsense", `--health-listen "nonsense": want HOST:PORT or :PORT`},
		{"manage --log-format xml", `--log-format "xml": use json or text`},
	}
	for _, test := range tests {
		t.Run(test.args, func(t *testing.T) {
			crosswalk(t, "", strings.Fields(test.args)...).expect(t, result{code: exitUsage,
				stderr: "crosswalk: " + test.want + "\nSee 'crosswalk manage --help'.\n"})
		})
	}
}
