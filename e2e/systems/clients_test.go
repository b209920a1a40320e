package systems

import (
	"testing"

	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
	"k8s.io/client-go/scale"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
)

// clients are those of client-go that find out by themselves what is served.
type clients struct {
	config    *rest.Config
	discovery discovery.CachedDiscoveryInterface
	mapper    *restmapper.DeferredDiscoveryRESTMapper
}

func newClients(t *testing.T, scene *harness.Scene) clients {
	t.Helper()
	config, err := clientcmd.BuildConfigFromFlags("", scene.ControlPlane.Kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	found, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	cached := memory.NewMemCacheClient(found)
	return clients{config: config, discovery: cached, mapper: restmapper.NewDeferredDiscoveryRESTMapper(cached)}
}

// scales is the client of HorizontalPodAutoscalers, made as their controller
// makes it.
func (c clients) scales(t *testing.T) scale.ScalesGetter {
	t.Helper()
	client, err := scale.NewForConfig(rest.CopyConfig(c.config), c.mapper, dynamic.LegacyAPIPathResolverFunc,
		scale.NewDiscoveryScaleKindResolver(c.discovery))
	if err != nil {
		t.Fatal(err)
	}
	return client
}
