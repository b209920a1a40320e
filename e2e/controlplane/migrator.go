//go:build !kubernetes1.34 && !kubernetes1.35

package main

import (
	"context"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset"
	"k8s.io/client-go/dynamic"
	migrator "k8s.io/kubernetes/pkg/controller/storageversionmigrator"
)

// storageVersionMigrator is three controllers: one patches objects, one notes up
// to which resource version, and one says so in the CRD's status.
func storageVersionMigrator(ctx context.Context, c *controllerContext) ([]loop, error) {
	objects, err := dynamic.NewForConfig(c.config)
	if err != nil {
		return nil, err
	}
	crds, err := apiextensions.NewForConfig(c.config)
	if err != nil {
		return nil, err
	}
	requests := migrations(c.typed.Storagemigration()).StorageVersionMigrations()
	return []loop{
		migrator.NewSVMController(ctx, c.client, objects, requests, "storage-version-migrator-controller", c.mapper, c.graph).Run,
		migrator.NewResourceVersionController(ctx, c.client, c.client.Discovery(), c.metadata, requests, c.mapper).Run,
		migrator.NewCustomResourceController(ctx, c.client, requests, crds.ApiextensionsV1().CustomResourceDefinitions()).Run,
	}, nil
}
