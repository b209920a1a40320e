//go:build kubernetes1.34 || kubernetes1.35

package main

import (
	"context"
	"errors"
)

// storageVersionMigrator of these releases rewrites objects, and leaves the list of
// versions in the CRD's status to somebody else.
func storageVersionMigrator(context.Context, *controllerContext) ([]loop, error) {
	return nil, errors.New("the storage version migrator of this release of Kubernetes does not finish migrations of custom resources; use one from 1.36 on")
}
