package main

import (
	"os"

	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/clientcmd/api"
)

// writeKubeconfig writes a kubeconfig that holds everything it needs, so that it
// can be copied away from the control plane's directory.
func writeKubeconfig(path, server string, p pki) error {
	config := api.NewConfig()
	cluster, user := api.NewCluster(), api.NewAuthInfo()
	cluster.Server = server
	var err error
	for _, f := range []struct {
		to   *[]byte
		from string
	}{
		{&cluster.CertificateAuthorityData, p.caCert},
		{&user.ClientCertificateData, p.adminCert},
		{&user.ClientKeyData, p.adminKey},
	} {
		if *f.to, err = os.ReadFile(f.from); err != nil {
			return err
		}
	}
	context := api.NewContext()
	context.Cluster, context.AuthInfo, context.Namespace = "controlplane", "admin", "default"
	config.Clusters["controlplane"] = cluster
	config.AuthInfos["admin"] = user
	config.Contexts["controlplane"] = context
	config.CurrentContext = "controlplane"
	data, err := clientcmd.Write(*config)
	if err != nil {
		return err
	}
	return replaceFile(path, data, 0o600)
}
