package main

import (
	"context"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/metadata/metadatainformer"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
	"k8s.io/controller-manager/pkg/informerfactory"
	"k8s.io/kubernetes/pkg/controller/garbagecollector"
)

// resyncPeriod is how often informers show their handlers everything again. Tests
// are over before that; kube-controller-manager has 12 to 24 hours.
const resyncPeriod = 12 * time.Hour

// controllerContext is what the controllers share, as in kube-controller-manager.
type controllerContext struct {
	config   *rest.Config
	client   *kubernetes.Clientset
	metadata metadata.Interface
	mapper   *restmapper.DeferredDiscoveryRESTMapper
	typed    informers.SharedInformerFactory
	any      informerfactory.InformerFactory
	started  chan struct{}
	graph    *garbagecollector.GraphBuilder
	period   time.Duration
}

func newControllerContext(ctx context.Context, config *rest.Config, period time.Duration) (*controllerContext, error) {
	c := &controllerContext{config: config, started: make(chan struct{}), period: period}
	var err error
	if c.client, err = kubernetes.NewForConfig(config); err != nil {
		return nil, err
	}
	if c.metadata, err = metadata.NewForConfig(config); err != nil {
		return nil, err
	}
	c.mapper = restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(c.client.Discovery()))
	c.typed = informers.NewSharedInformerFactory(c.client, resyncPeriod)
	c.any = informerfactory.NewInformerFactory(c.typed, metadatainformer.NewSharedInformerFactory(c.metadata, resyncPeriod))
	c.graph = garbagecollector.NewDependencyGraphBuilder(ctx, c.metadata, c.mapper,
		garbagecollector.DefaultIgnoredResources(), c.any, c.started)
	return c, nil
}

// start starts the informers that the controllers have asked for.
func (c *controllerContext) start(ctx context.Context) {
	go wait.UntilWithContext(ctx, func(context.Context) { c.mapper.Reset() }, c.period)
	c.any.Start(ctx.Done())
	close(c.started)
}
