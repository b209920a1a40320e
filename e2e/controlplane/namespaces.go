package main

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/kubernetes/pkg/controller/namespace"
)

// As kube-controller-manager has them.
const (
	namespaceWorkers = 10
	namespaceResync  = 5 * time.Minute
)

func namespaceController(ctx context.Context, c *controllerContext) ([]loop, error) {
	controller := namespace.NewNamespaceController(ctx, c.client, c.metadata,
		c.client.Discovery().ServerPreferredNamespacedResources,
		c.typed.Core().V1().Namespaces(), namespaceResync, corev1.FinalizerKubernetes)
	return []loop{func(ctx context.Context) { controller.Run(ctx, namespaceWorkers) }}, nil
}
