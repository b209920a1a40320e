// Package chart tests deploy/chart with Helm: that it installs what kustomize does, and
// what its values change.
package chart
