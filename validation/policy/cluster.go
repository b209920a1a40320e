package policy

import (
	"context"
	"errors"

	"golang.org/x/sync/semaphore"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/authorization/authorizer"
)

// Cluster is what policies may see beyond the request. If a member is nil, a policy that needs
// it cannot be evaluated, and follows its failurePolicy.
type Cluster struct {
	// Namespaces returns the namespaces of objects, for namespaceSelector and namespaceObject.
	Namespaces Namespaces
	// Objects reads the objects that policies name, for params and lookups, from a cache.
	Objects Objects
	// Live reads from the API server, for live lookups.
	Live Objects
	// Types returns how objects are merged, for ApplyConfiguration.
	Types Types
	// Definitions returns the types of values in custom resources, so that mutations ignore
	// objects that the API server rejects, and what a Scale belongs to. Without it mutations do
	// not ignore them, and policies cannot be evaluated for the scaling of custom resources.
	Definitions Definitions
	// Reader does to an object what the API server does between mutations. Without it the
	// object stays as policies have made it.
	Reader Reader
	// Tables returns the conversion tables of kinds, for policies that are written against the
	// hub version.
	Tables Tables
	// Rights returns what may be read. Without it all rights are assumed.
	Rights Rights
	// Authorizer answers the CEL variable authorizer.
	Authorizer authorizer.Authorizer

	// turns limits the requests that read live. If it is nil, there is no limit.
	turns *semaphore.Weighted
}

// Namespaces returns namespaces.
type Namespaces interface {
	// Namespace returns a namespace by name. It is shared, and must not be changed. For a
	// missing one the error is apierrors.IsNotFound.
	Namespace(ctx context.Context, name string) (*corev1.Namespace, error)
}

// Objects reads objects of the kinds that policies name. The objects are shared, and must not
// be changed.
type Objects interface {
	// Namespaced reports whether objects of a kind are namespaced. If that is unknown, the
	// error wraps ErrUnknownKind or ErrNotSynced.
	Namespaced(ctx context.Context, kind schema.GroupVersionKind) (bool, error)
	// Get returns one object. For a missing one the error is apierrors.IsNotFound. Others wrap
	// ErrNotSynced or are apierrors.IsForbidden.
	Get(ctx context.Context, kind schema.GroupVersionKind, namespace, name string) (*unstructured.Unstructured, error)
	// List returns the objects that a selector matches, in one namespace or, if that is empty,
	// in all.
	List(ctx context.Context, kind schema.GroupVersionKind, namespace string, selector labels.Selector) ([]*unstructured.Unstructured, error)
}

// Reader does what the API server does between policies. An error ends the request, whatever
// the failurePolicy is.
type Reader interface {
	// Reread returns an object, as JSON, as the API server has it after a mutation by one of
	// its own policies, with its defaults.
	Reread(kind schema.GroupVersionKind, object []byte) ([]byte, error)
	// Again returns a new object that policies have changed, as it is when they are called
	// again: after the API server's plugins have seen it, too. If the plugins change nothing,
	// the bytes are the same.
	Again(kind schema.GroupVersionKind, object []byte) ([]byte, error)
}

// Rights returns the rights in the cluster of the process that evaluates policies.
type Rights interface {
	// May reports whether all objects of a resource may be read; * means every resource.
	May(ctx context.Context, verb string, resource schema.GroupResource) (bool, error)
	// Resource returns the resource with the objects of a kind. The error wraps ErrUnknownKind
	// if there is none.
	Resource(ctx context.Context, kind schema.GroupVersionKind) (schema.GroupResource, error)
}

var (
	// ErrUnknownKind means that the kind is not served.
	ErrUnknownKind = errors.New("the kind is not served")
	// ErrNotSynced means that the objects of a kind have not been read yet.
	ErrNotSynced = errors.New("its objects have not been read yet")
)
