//go:build kubernetes1.34

package main

import (
	"k8s.io/client-go/informers/core/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/controller/serviceaccount"
)

// newServiceAccountsController has the shape of later releases: this one logs by itself.
func newServiceAccountsController(_ klog.Logger, accounts v1.ServiceAccountInformer, namespaces v1.NamespaceInformer,
	client kubernetes.Interface, options serviceaccount.ServiceAccountsControllerOptions) (*serviceaccount.ServiceAccountsController, error) {
	return serviceaccount.NewServiceAccountsController(accounts, namespaces, client, options)
}
