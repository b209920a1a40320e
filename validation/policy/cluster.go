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

// Cluster is what policies may look at beyond the request. Where a member is nil,
// a policy that needs it cannot be evaluated, and follows its failurePolicy.
type Cluster struct {
	// Namespaces knows the namespaces of objects, for namespaceSelector and
	// namespaceObject.
	Namespaces Namespaces
	// Objects reads the objects that policies name, for params and lookups. It has
	// a cache of them.
	Objects Objects
	// Live reads from the API server, for lookups that are live.
	Live Objects
	// Types knows how objects are merged, for ApplyConfiguration.
	Types Types
	// Definitions knows which types the values of custom resources have, so that
	// mutations leave alone what the API server refuses, and what a Scale stands for.
	// Without it they do not, and no custom resource can be scaled.
	Definitions Definitions
	// Reader does to an object what the API server does while policies change it. Without
	// it that stays as they have made it.
	Reader Reader
	// Tables knows the conversion tables of kinds, for policies that are written for
	// the hub version.
	Tables Tables
	// Rights knows what may be read. Without it nothing is known to be missing.
	Rights Rights
	// Authorizer answers what the CEL variable authorizer asks.
	Authorizer authorizer.Authorizer

	// turns are those of requests that read live; nil gives every one its turn.
	turns *semaphore.Weighted
}

// Namespaces knows namespaces.
type Namespaces interface {
	// Namespace gives one by name. It is shared, and must not be changed. The
	// error of one that is not there is apierrors.IsNotFound.
	Namespace(ctx context.Context, name string) (*corev1.Namespace, error)
}

// Objects reads objects of kinds that policies name. What it gives is shared, and
// must not be changed.
type Objects interface {
	// Namespaced reports whether objects of a kind live in namespaces. The error
	// wraps ErrUnknownKind or ErrNotSynced where it cannot tell.
	Namespaced(ctx context.Context, kind schema.GroupVersionKind) (bool, error)
	// Get gives one object. The error of one that is not there is
	// apierrors.IsNotFound; others wrap ErrNotSynced or are
	// apierrors.IsForbidden.
	Get(ctx context.Context, kind schema.GroupVersionKind, namespace, name string) (*unstructured.Unstructured, error)
	// List gives the objects that a selector chooses, in one namespace or, without
	// one, in all.
	List(ctx context.Context, kind schema.GroupVersionKind, namespace string, selector labels.Selector) ([]*unstructured.Unstructured, error)
}

// Reader does what the API server does between policies. An error ends the request,
// whatever a failurePolicy says.
type Reader interface {
	// Reread gives an object, as JSON, as the API server has it after a mutation by one of
	// its own policies, with its defaults.
	Reread(kind schema.GroupVersionKind, object []byte) ([]byte, error)
	// Again gives an object that is created and that policies have changed, as it is when
	// they are asked again: the API server's plugins have then seen it, too. What they leave alone has
	// the same bytes.
	Again(kind schema.GroupVersionKind, object []byte) ([]byte, error)
}

// Rights knows which rights whoever evaluates policies has in the cluster.
type Rights interface {
	// May reports whether all objects of a resource may be read; * is every one.
	May(ctx context.Context, verb string, resource schema.GroupResource) (bool, error)
}

var (
	// ErrUnknownKind says that no such kind is served.
	ErrUnknownKind = errors.New("no such kind is served")
	// ErrNotSynced says that the objects of a kind have not been read yet.
	ErrNotSynced = errors.New("its objects have not been read yet")
)
