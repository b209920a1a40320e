// Package policies keeps the policies of a serving process in step with the cluster.
package policies
