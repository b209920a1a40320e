// Package migrate rewrites every stored object of a CustomResourceDefinition to its storage
// version, proves that, and then trims status.storedVersions.
//
// # What a rewrite is
//
// The API server stores an object only if the new bytes differ from those in etcd. Otherwise
// the object keeps its resourceVersion (k8s.io/apiserver/pkg/storage/etcd3, GuaranteedUpdate).
// So a write that changes nothing moves an object to the storage version. If the same write is
// repeated and resourceVersion stays, the bytes in etcd are those of the storage version.
//
// The write is a server-side apply of an object without fields, like that of Kubernetes'
// storage version migrator. It has a uid and a resourceVersion, so that it can never create an
// object. Other writes that change nothing are not as harmless: an empty merge patch or a PUT
// stores the defaults of the version that it is written in, which increments generation. Before
// Kubernetes 1.37 they also remove managedFields while a conversion webhook fails; an apply is
// rejected instead. The write goes to /status if that exists, because such a write can change
// neither spec nor metadata, and webhooks and policies for the resource itself are not called.
//
// Before that, owners of fields are moved from versions that are no longer served: see
// owners.go.
//
// # Where a run continues
//
// The position is an annotation on the CRD. It records which objects are done, in etcd's order,
// and the state of the CRD at that time: see the type position.
package migrate
