// Package migrate rewrites every stored object of a CustomResourceDefinition to
// its storage version, proves it, and then trims status.storedVersions.
//
// # What a rewrite is
//
// The API server stores an object anew when the bytes that it would write differ
// from those in etcd, and leaves it and its resourceVersion alone when they do
// not (k8s.io/apiserver/pkg/storage/etcd3, GuaranteedUpdate). So a write that
// changes nothing moves an object to the storage version, and the same write once
// more that leaves resourceVersion alone proves that the bytes in etcd are those
// of the storage version.
//
// The write is a server-side apply of an object without fields, as the storage
// version migrator of Kubernetes does it, with uid and resourceVersion, so that
// it can never create an object. Other writes that change nothing are not as
// harmless: an empty merge patch or a PUT stores the defaults of the version that it
// goes through, which counts up generation, and before Kubernetes 1.37 removes
// managedFields while a conversion webhook fails; an apply is then refused. It goes
// through /status where there is one, because a write there can change neither spec
// nor metadata, and webhooks and policies for the resource itself do not hear of it.
//
// Before that, owners of fields are taken out of versions that are no longer served:
// owners.go says why.
//
// # Where a run goes on
//
// The position is an annotation on the CRD. It says which objects are done, in
// etcd's order, and under which state of the CRD: see the type position.
package migrate
