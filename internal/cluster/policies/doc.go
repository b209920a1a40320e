// Package policies keeps the policies of a serving process up to date with the cluster.
package policies
