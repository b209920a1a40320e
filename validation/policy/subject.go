package policy

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	plugincel "k8s.io/apiserver/pkg/admission/plugin/cel"

	"github.com/crosswalk-dev/crosswalk/validation"
	"github.com/crosswalk-dev/crosswalk/validation/policy/internal/lazy"
)

// subject is a request as the expressions of all policies see it. Its values are computed when
// an expression needs them.
type subject struct {
	cluster Cluster
	request *admissionv1.AdmissionRequest
	object  *lazy.Document
	old     *lazy.Document
	// stranger reports that the caller is not known (see validation.WithKnownCaller).
	stranger bool

	// limit limits the time for reads from the cluster.
	limit *readLimit
	// sized is the size of everything, once it was computed.
	sized      int
	attributes any
	namespace  fetched[*corev1.Namespace]
	// namespaceValue is the value of namespaceObject.
	namespaceValue any
	authorizers    *authorizers

	// table is the table of the kind, once it was looked up. It is nil if there is none.
	table fetched[Table]
	// versions holds the same request in other versions, once they were needed.
	versions map[string]fetched[*subject]
	// update is the result of scaled, once it was needed.
	update fetched[*subject]
	// scales reports that the subject was made from a Scale: its number is at that place, and
	// the rest of the object was read. In another version the place is not known.
	scales bool
	number fieldPath
	// converted is how the subject was converted to its version, or nil.
	converted *converted
}

// fetched is a value that was read, or the error.
type fetched[T any] struct {
	done  bool
	value T
	err   error
}

func newSubject(ctx context.Context, cluster Cluster, request *admissionv1.AdmissionRequest) *subject {
	first := &subject{cluster: cluster, limit: new(readLimit), stranger: !validation.CallerIsKnown(ctx)}
	return first.of(request)
}

// of returns the subject of another request of the same caller, with the same time limit.
func (s *subject) of(request *admissionv1.AdmissionRequest) *subject {
	return &subject{
		cluster:  s.cluster,
		request:  request,
		limit:    s.limit,
		stranger: s.stranger,
		scales:   s.scales,
		object:   lazy.NewDocument(request.Object.Raw),
		old:      lazy.NewDocument(request.OldObject.Raw),
	}
}

// free releases the memory of the subject. No value may be used any more.
func (s *subject) free() {
	s.limit.end()
	s.object.Free()
	s.old.Free()
	if s.update.value != nil {
		s.update.value.free()
	}
	for _, other := range s.versions {
		if other.value != nil {
			other.value.free()
		}
	}
}

// unreadable returns the syntax error of the objects, as far as they have been read.
func (s *subject) unreadable() error {
	if err := s.object.Err(); err != nil {
		return err
	}
	return s.old.Err()
}

// secret reports whether the object is a Secret. Nothing of a Secret may be shown.
func (s *subject) secret() bool {
	return s.request.Kind.Group == "" && s.request.Kind.Kind == "Secret" ||
		s.request.Resource.Group == "" && s.request.Resource.Resource == "secrets"
}

// namespaceName returns the namespace of the object. A Namespace has none, though the API
// server sends its own name (admission.Attributes).
func (s *subject) namespaceName() string {
	if s.request.Kind.Group == "" && s.request.Kind.Kind == "Namespace" {
		return ""
	}
	return s.request.Namespace
}

// getNamespace returns a namespace, which is read once for all policies.
func (s *subject) getNamespace(ctx context.Context, name string) (*corev1.Namespace, error) {
	if s.namespace.done {
		return s.namespace.value, s.namespace.err
	}
	s.namespace.done = true
	if s.cluster.Namespaces == nil {
		s.namespace.err = errors.New("namespaces cannot be read here")
		return nil, s.namespace.err
	}
	found, err := s.cluster.Namespaces.Namespace(s.reading(ctx), name)
	if err != nil {
		err = s.limit.explain(err)
		s.namespace.err = &worded{ours: fmt.Sprintf("namespace %s: %v", name, err), theirs: fmt.Sprintf("namespaces %q not found", name), cause: err}
		return nil, s.namespace.err
	}
	s.namespace.value = found
	return found, nil
}

// namespaceObject returns the value of that variable: null for a cluster-scoped object, and an
// error if the namespace cannot be read.
func (s *subject) namespaceObject(ctx context.Context) any {
	if s.namespaceValue == nil {
		s.namespaceValue = s.readNamespace(ctx)
	}
	return s.namespaceValue
}

func (s *subject) readNamespace(ctx context.Context) any {
	name := s.namespaceName()
	if name == "" {
		return types.NullValue
	}
	namespace, err := s.getNamespace(ctx, name)
	if err != nil {
		return types.WrapErr(err)
	}
	value, err := runtime.DefaultUnstructuredConverter.ToUnstructured(plugincel.CreateNamespaceObject(namespace))
	if err != nil {
		return types.WrapErr(fmt.Errorf("namespace %s: %w", name, err))
	}
	return value
}

// unread describes what could not be read. It distinguishes a missing right from objects that
// have not been read yet. A missing object is not an error.
func (s *subject) unread(err error, kind, namespace, name, verbs string) *unreadError {
	return &unreadError{kind: kind, namespace: namespace, name: name, verbs: verbs, err: s.limit.explain(err)}
}

type unreadError struct {
	lookup                string // the lookup for which it is read; may be empty
	kind, namespace, name string
	verbs                 string // the verbs that reading needs
	err                   error
}

func (e *unreadError) Error() string {
	what := e.kind
	if e.name != "" {
		what += " " + e.name
	}
	if e.namespace != "" {
		what += " in namespace " + e.namespace
	}
	if apierrors.IsForbidden(e.err) {
		return fmt.Sprintf("%s: Crosswalk may not read it; allow its role to %s: %v", what, e.verbs, e.err)
	}
	return fmt.Sprintf("%s: %v", what, e.err)
}

func (e *unreadError) Unwrap() error { return e.err }

// anonymous returns a message that may be shown for any object: without names, which may come
// from another object, and without the API server's error.
func (e *unreadError) anonymous() string {
	what := e.kind + ": "
	if e.lookup != "" {
		what = "the lookup " + e.lookup + ": " + what
	}
	if apierrors.IsForbidden(e.err) {
		return what + "Crosswalk may not read it; allow its role to " + e.verbs
	}
	for _, known := range []error{ErrNotSynced, ErrUnknownKind, errNoObjects} {
		if errors.Is(e.err, known) {
			return what + known.Error()
		}
	}
	if late := (*lateError)(nil); errors.As(e.err, &late) {
		return what + late.Error()
	}
	return what + "it cannot be read"
}

// place returns the value at a field path in the object, or in the old object if there is no
// other.
func (s *subject) place(path fieldPath) (ref.Val, bool) {
	root := s.object.Root()
	if root == types.NullValue {
		root = s.old.Root()
	}
	return path.in(root)
}
