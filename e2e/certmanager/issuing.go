package main

import (
	"context"
	"fmt"
	"time"

	"github.com/cert-manager/cert-manager/pkg/controller"
	"golang.org/x/sync/errgroup"

	// Controllers and kinds of issuers register themselves by name.
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificaterequests/approver"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificaterequests/ca"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificaterequests/selfsigned"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificates/issuing"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificates/keymanager"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificates/readiness"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificates/requestmanager"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificates/revisionmanager"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificates/trigger"
	_ "github.com/cert-manager/cert-manager/pkg/controller/clusterissuers"
	_ "github.com/cert-manager/cert-manager/pkg/controller/issuers"
	_ "github.com/cert-manager/cert-manager/pkg/issuer/ca"
	_ "github.com/cert-manager/cert-manager/pkg/issuer/selfsigned"
)

// startIssuing starts all that turns a Certificate into a Secret: the controllers
// that cert-manager's controller starts by default, but for ACME, Vault, Venafi
// and Ingresses. It returns what waits for their caches.
func startIssuing(ctx context.Context, group *errgroup.Group, kubeconfig string) (func(stop <-chan struct{}) bool, error) {
	factory, err := controller.NewContextFactory(ctx, controller.ContextOptions{
		Kubeconfig:    kubeconfig,
		IssuerOptions: controller.IssuerOptions{ClusterResourceNamespace: "cert-manager"},
		CertificateOptions: controller.CertificateOptions{
			// cert-manager's defaults. A test that fails once must fail, not wait.
			CertificateRequestMinimumBackoffDuration: time.Hour,
			CertificateRequestMaximumBackoffDuration: 32 * time.Hour,
		},
	})
	if err != nil {
		return nil, err
	}
	var all []controller.Interface
	for name, construct := range controller.Known() {
		c, err := construct(factory)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, c)
	}
	shared, err := factory.Build()
	if err != nil {
		return nil, err
	}
	// Informers exist only once the controllers have asked for them.
	shared.SharedInformerFactory.Start(ctx.Done())
	shared.KubeSharedInformerFactory.Start(ctx.Done())
	shared.HTTP01ResourceMetadataInformersFactory.Start(ctx.Done())
	const workers = 2
	for _, c := range all {
		group.Go(func() error { return c.Run(workers, ctx) })
	}
	return func(stop <-chan struct{}) bool {
		for _, filled := range shared.SharedInformerFactory.WaitForCacheSync(stop) {
			if !filled {
				return false
			}
		}
		for _, filled := range shared.KubeSharedInformerFactory.WaitForCacheSync(stop) {
			if !filled {
				return false
			}
		}
		return true
	}, nil
}
