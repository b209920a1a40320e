// Package manage is the role that changes a cluster: it keeps the certificates, injects CA
// bundles, arms and disarms CustomResourceDefinitions, registers webhooks, and writes the
// status of each Crosswalk and each policy.
package manage
