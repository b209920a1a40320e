//go:build kubernetes1.37

package main

import (
	"k8s.io/client-go/informers"
	"k8s.io/client-go/informers/storagemigration/v1"
)

// migrations are what asks for migrations, in the version that the migrator of this
// release reads.
func migrations(all informers.SharedInformerFactory) v1.StorageVersionMigrationInformer {
	return all.Storagemigration().V1().StorageVersionMigrations()
}
