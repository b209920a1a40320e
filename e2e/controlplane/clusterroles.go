package main

import (
	"context"

	"k8s.io/kubernetes/pkg/controller/clusterroleaggregation"
)

// clusterRoleWorkers is what kube-controller-manager has.
const clusterRoleWorkers = 5

// clusterRoles fills in the rules of ClusterRoles that have an aggregationRule.
func clusterRoles(_ context.Context, c *controllerContext) ([]loop, error) {
	controller := clusterroleaggregation.NewClusterRoleAggregation(c.typed.Rbac().V1().ClusterRoles(), c.client.RbacV1())
	return []loop{func(ctx context.Context) { controller.Run(ctx, clusterRoleWorkers) }}, nil
}
