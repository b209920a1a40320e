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

// subject is a request as the expressions of all policies see it. Nothing of it
// is made before an expression asks for it.
type subject struct {
	cluster Cluster
	request *admissionv1.AdmissionRequest
	object  *lazy.Document
	old     *lazy.Document
	// stranger says that who calls is not known (see validation.WithKnownCaller).
	stranger bool

	// limit is the time in which the cluster is read.
	limit *readLimit
	// sized is the size of it all, once somebody has asked.
	sized      int
	attributes any
	namespace  fetched[*corev1.Namespace]
	// namespaceValue is what namespaceObject is.
	namespaceValue any
	authorizers    *authorizers

	// table is that of the kind, once somebody has asked; nil where there is none.
	table fetched[Table]
	// versions are the same request in other versions, as far as somebody has asked.
	versions map[string]fetched[*subject]
	// update is what scaled gives, once somebody has asked.
	update fetched[*subject]
	// scales says that this one was made of a Scale, whose number is at that place: all
	// else of the object has been read. In another version the place is not known.
	scales bool
	number fieldPath
	// converted says how this one has come into its version, or is nil.
	converted *converted
}

// fetched is what has been asked for, or why it could not be had.
type fetched[T any] struct {
	done  bool
	value T
	err   error
}

func newSubject(ctx context.Context, cluster Cluster, request *admissionv1.AdmissionRequest) *subject {
	first := &subject{cluster: cluster, limit: new(readLimit), stranger: !validation.CallerIsKnown(ctx)}
	return first.of(request)
}

// of is what the same caller asks with another request, within the same time.
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

// free gives back what the subject has made. No value may be used any more.
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

// unreadable says what is wrong with the text of the objects, as far as it has
// been read.
func (s *subject) unreadable() error {
	if err := s.object.Err(); err != nil {
		return err
	}
	return s.old.Err()
}

// secret reports whether the object is a Secret, nothing of which may be shown.
func (s *subject) secret() bool {
	return s.request.Kind.Group == "" && s.request.Kind.Kind == "Secret" ||
		s.request.Resource.Group == "" && s.request.Resource.Resource == "secrets"
}

// namespaceName is the namespace of the object. A Namespace has none, though the
// API server sends its own name (admission.Attributes).
func (s *subject) namespaceName() string {
	if s.request.Kind.Group == "" && s.request.Kind.Kind == "Namespace" {
		return ""
	}
	return s.request.Namespace
}

// getNamespace gives a namespace, once for all policies.
func (s *subject) getNamespace(ctx context.Context, name string) (*corev1.Namespace, error) {
	if s.namespace.done {
		return s.namespace.value, s.namespace.err
	}
	s.namespace.done = true
	if s.cluster.Namespaces == nil {
		s.namespace.err = errors.New("nothing is known of namespaces here")
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

// namespaceObject is what that variable is: null for what lives in none, and an
// error where the namespace cannot be had.
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

// unread says what could not be read. That something is not there is no error; that it
// may not be read, and that it has not been read yet, are two.
func (s *subject) unread(err error, kind, namespace, name, verbs string) *unreadError {
	return &unreadError{kind: kind, namespace: namespace, name: name, verbs: verbs, err: s.limit.explain(err)}
}

type unreadError struct {
	lookup                string // for which it is read; may be empty
	kind, namespace, name string
	verbs                 string // that reading takes
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
		return fmt.Sprintf("%s: Crosswalk may not read it, give its role %s: %v", what, e.verbs, e.err)
	}
	return fmt.Sprintf("%s: %v", what, e.err)
}

func (e *unreadError) Unwrap() error { return e.err }

// anonymous tells as much as may be told of any object: no names, which may stand in
// another object, and nothing that the API server has said.
func (e *unreadError) anonymous() string {
	what := e.kind + ": "
	if e.lookup != "" {
		what = "the lookup " + e.lookup + ": " + what
	}
	if apierrors.IsForbidden(e.err) {
		return what + "Crosswalk may not read it, give its role " + e.verbs
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

// place gives the value at a field path in the object, or in the old object where
// there is no other.
func (s *subject) place(path fieldPath) (ref.Val, bool) {
	root := s.object.Root()
	if root == types.NullValue {
		root = s.old.Root()
	}
	return path.in(root)
}
