package main

import (
	"context"
	"time"

	"k8s.io/client-go/discovery"
	"k8s.io/kubernetes/pkg/controller/garbagecollector"
)

// As kube-controller-manager has them.
const (
	garbageWorkers     = 20
	initialSyncTimeout = 30 * time.Second
)

func garbageCollector(ctx context.Context, c *controllerContext) ([]loop, error) {
	gc, err := garbagecollector.NewComposedGarbageCollector(ctx, c.client, c.metadata, c.mapper, c.graph)
	if err != nil {
		return nil, err
	}
	// Not the mapper's client: Sync has to see a change before the mapper does.
	resources, err := discovery.NewDiscoveryClientForConfig(c.config)
	if err != nil {
		return nil, err
	}
	return []loop{
		func(ctx context.Context) { gc.Run(ctx, garbageWorkers, initialSyncTimeout) },
		func(ctx context.Context) { gc.Sync(ctx, resources, c.period) },
	}, nil
}
