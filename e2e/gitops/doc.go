// Package gitops tests Crosswalk in the hands of what keeps clusters as a repository has
// them: Flux, by its own libraries, and Argo CD, by its own engine.
package gitops
