package main

import (
	"context"
	"io"

	cmscheme "github.com/cert-manager/cert-manager/pkg/client/clientset/versioned/scheme"
	"github.com/cert-manager/cert-manager/pkg/controller/cainjector"
	"github.com/cert-manager/cert-manager/pkg/util"
	"golang.org/x/sync/errgroup"
	admissionv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/clientcmd"
	apiregistrationv1 "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

// startCAInjector starts what keeps caBundle in all four kinds that have one, and prints
// which states of them it knows for sure. It returns what waits for its caches.
func startCAInjector(ctx context.Context, group *errgroup.Group, kubeconfig string, out io.Writer) (func(context.Context) bool, error) {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return nil, err
	}
	known := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		scheme.AddToScheme, cmscheme.AddToScheme, apiextensionsv1.AddToScheme, apiregistrationv1.AddToScheme,
	} {
		if err := add(known); err != nil {
			return nil, err
		}
	}
	manager, err := ctrl.NewManager(util.RestConfigWithUserAgent(config, "cainjector"), ctrl.Options{
		Scheme:  known,
		Metrics: server.Options{BindAddress: "0"},
		// As the released cainjector: it watches the metadata of Secrets alone.
		Client: client.Options{Cache: &client.CacheOptions{DisableFor: []client.Object{new(corev1.Secret)}}},
	})
	if err != nil {
		return nil, err
	}
	err = cainjector.RegisterAllInjectors(ctx, manager, cainjector.SetupOptions{
		EnableCertificatesDataSource: true,
		EnabledReconcilersFor: map[string]bool{
			cainjector.MutatingWebhookConfigurationName:   true,
			cainjector.ValidatingWebhookConfigurationName: true,
			cainjector.APIServiceName:                     true,
			cainjector.CustomResourceDefinitionName:       true,
		},
	})
	if err != nil {
		return nil, err
	}
	for kind, object := range map[string]client.Object{
		"MutatingWebhookConfiguration":   new(admissionv1.MutatingWebhookConfiguration),
		"ValidatingWebhookConfiguration": new(admissionv1.ValidatingWebhookConfiguration),
		"APIService":                     new(apiregistrationv1.APIService),
		"CustomResourceDefinition":       new(apiextensionsv1.CustomResourceDefinition),
	} {
		if err := startSettling(ctx, group, manager.GetCache(), kind, object, out); err != nil {
			return nil, err
		}
	}
	group.Go(func() error { return manager.Start(ctx) })
	return manager.GetCache().WaitForCacheSync, nil
}
