//go:build kubernetes1.37

package main

import "k8s.io/client-go/informers/storagemigration"

// migrations is the version of the API that the migrator of this release reads.
var migrations = storagemigration.Interface.V1
