package main

import (
	"context"
	"fmt"
	"net"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/apiserver/pkg/registry/generic"
	genericregistry "k8s.io/apiserver/pkg/registry/generic/registry"
	"k8s.io/apiserver/pkg/storage"
	"k8s.io/apiserver/pkg/storage/storagebackend"
	"k8s.io/apiserver/pkg/storage/storagebackend/factory"
	"k8s.io/client-go/tools/cache"
	api "k8s.io/kubernetes/pkg/apis/core"
	"k8s.io/kubernetes/pkg/registry/core/service"
	"k8s.io/kubernetes/pkg/registry/core/service/ipallocator"
	"k8s.io/kubernetes/pkg/registry/core/service/portallocator"
	servicestorage "k8s.io/kubernetes/pkg/registry/core/service/storage"
)

// serviceStore is what the API server writes Services with, in a cluster that has IPv4
// alone. Nothing is stored.
func serviceStore() (*genericregistry.Store, error) {
	_, addresses, err := net.ParseCIDR("10.0.0.0/16")
	if err != nil {
		return nil, err
	}
	ips, err := ipallocator.NewInMemory(addresses)
	if err != nil {
		return nil, err
	}
	ports, err := portallocator.NewInMemory(utilnet.PortRange{Base: 30000, Size: 2768})
	if err != nil {
		return nil, err
	}
	nowhere := generic.RESTOptions{
		ResourcePrefix: "services",
		StorageConfig:  &storagebackend.ConfigForResource{},
		Decorator: func(*storagebackend.ConfigForResource, string, func(runtime.Object) (string, error), func() runtime.Object, func() runtime.Object, storage.AttrFunc, storage.IndexerFuncs, *cache.Indexers) (storage.Interface, factory.DestroyFunc, error) {
			return nil, func() {}, nil
		},
	}
	made, _, _, err := servicestorage.NewREST(nowhere, api.IPv4Protocol, map[api.IPFamily]ipallocator.Interface{api.IPv4Protocol: ips}, ports, nil, nil, nil)
	if err != nil {
		return nil, err
	}
	return made.Store, nil
}

// prepareService gives a Service what it needs, and then asks the strategy.
func prepareService(store *genericregistry.Store) prepare {
	dryRun := []string{metav1.DryRunAll}
	return func(ctx context.Context, object, old runtime.Object) (err error) {
		// It panics for addresses of a sort that the cluster does not have, where it gives
		// one to a Service that had none.
		defer func() {
			if failed := recover(); failed != nil {
				err = fmt.Errorf("panic: %v", failed)
			}
		}()
		if old == nil {
			_, err = store.BeginCreate(ctx, object, &metav1.CreateOptions{DryRun: dryRun})
		} else {
			_, err = store.BeginUpdate(ctx, object, old, &metav1.UpdateOptions{DryRun: dryRun})
		}
		if err != nil {
			return err
		}
		return preparing(service.Strategy)(ctx, object, old)
	}
}
