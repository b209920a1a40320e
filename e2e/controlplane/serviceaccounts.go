package main

import (
	"context"

	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/controller/serviceaccount"
)

// serviceAccountWorkers is what kube-controller-manager has.
const serviceAccountWorkers = 1

// serviceAccounts makes the ServiceAccount default in every namespace, without which
// no Pod is admitted.
func serviceAccounts(ctx context.Context, c *controllerContext) ([]loop, error) {
	controller, err := newServiceAccountsController(klog.FromContext(ctx),
		c.typed.Core().V1().ServiceAccounts(), c.typed.Core().V1().Namespaces(), c.client,
		serviceaccount.DefaultServiceAccountsControllerOptions())
	if err != nil {
		return nil, err
	}
	return []loop{func(ctx context.Context) { controller.Run(ctx, serviceAccountWorkers) }}, nil
}
