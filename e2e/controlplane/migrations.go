//go:build !kubernetes1.34 && !kubernetes1.35 && !kubernetes1.37

package main

import (
	"k8s.io/client-go/informers"
	"k8s.io/client-go/informers/storagemigration/v1beta1"
)

// migrations are what asks for migrations, in the version that the migrator of this
// release reads.
func migrations(all informers.SharedInformerFactory) v1beta1.StorageVersionMigrationInformer {
	return all.Storagemigration().V1beta1().StorageVersionMigrations()
}
