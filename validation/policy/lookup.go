package policy

import (
	"errors"
	"fmt"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/validate/content"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
)

// Costs of lookups. A live lookup goes over the network, like a check of the authorizer, and
// costs as much (k8s.io/apiserver/pkg/cel/library/cost.go).
const (
	liveCost   = 350000
	cachedCost = 1000
	objectCost = 10
)

// lookup is a named read of other objects.
type lookup struct {
	field, name string
	kind        schema.GroupVersionKind
	live        bool
	// One of these selects the objects.
	byName, bySelector, byOwner *expression
	selector                    labels.Selector
	namespace                   *expression
}

// expressions returns the lookup's expressions.
func (l *lookup) expressions() []*expression {
	var all []*expression
	for _, x := range []*expression{l.byName, l.bySelector, l.byOwner, l.namespace} {
		if x != nil {
			all = append(all, x)
		}
	}
	return all
}

func compileLookup(compiler *compiler, from v1alpha1.Lookup, field string, problems *Problems) *lookup {
	l := &lookup{field: field, name: from.Name, kind: schema.FromAPIVersionAndKind(from.APIVersion, from.Kind), live: from.Live}
	ways := 0
	compile := func(text, name string) *expression {
		if text == "" {
			return nil
		}
		x := &expression{field: field + "." + name, text: text, returns: []*cel.Type{cel.StringType, cel.DynType}}
		compiler.rule(x)
		return x
	}
	for _, way := range []struct {
		text, name string
		to         **expression
	}{
		{from.NameExpression, "nameExpression", &l.byName}, {from.SelectorExpression, "selectorExpression", &l.bySelector},
		{from.OwnerExpression, "ownerExpression", &l.byOwner},
	} {
		if *way.to = compile(way.text, way.name); *way.to != nil {
			ways++
		}
	}
	l.namespace = compile(from.NamespaceExpression, "namespaceExpression")
	if from.Selector != nil {
		ways++
		selector, err := metav1.LabelSelectorAsSelector(from.Selector)
		if err != nil {
			problems.add(field+".selector", "%v", err)
			selector = labels.Nothing()
		}
		l.selector = selector
	}
	if ways != 1 {
		problems.add(field, "set exactly one of nameExpression, selector, selectorExpression and ownerExpression")
	}
	output := cel.ListType(cel.DynType)
	if l.byName != nil {
		output = cel.DynType
	}
	compiler.lookup(from.Name, output)
	return l
}

// read reads the objects, and returns the cost as well.
func (l *lookup) read(e *evaluation) (ref.Val, uint64) {
	value, objects, err := l.find(e)
	cost := uint64(cachedCost + objects*objectCost)
	if l.live {
		cost = liveCost + uint64(objects)*objectCost
	}
	if err != nil {
		return types.WrapErr(fmt.Errorf("the lookup %s: %w", l.name, err)), cost
	}
	return value, cost
}

func (l *lookup) find(e *evaluation) (value ref.Val, objects int, err error) {
	from := e.subject.cluster.Objects
	if l.live {
		if from, err = e.subject.live(e.ctx); err != nil {
			return nil, 0, err
		}
	}
	if from == nil {
		return nil, 0, l.explain(e, errNoObjects, "", "")
	}
	namespace, err := l.in(e, from)
	if err != nil {
		return nil, 0, err
	}
	if l.byName != nil {
		return l.one(e, from, namespace)
	}
	return l.list(e, from, namespace)
}

// in returns the namespace to look in.
func (l *lookup) in(e *evaluation, from Objects) (string, error) {
	namespaced, err := from.Namespaced(e.subject.reading(e.ctx), l.kind)
	if err != nil || !namespaced {
		return "", l.explain(e, err, "", "")
	}
	if l.namespace == nil {
		return e.subject.request.Namespace, nil
	}
	return l.text(e, l.namespace)
}

// text evaluates an expression of the lookup. Null is an empty text.
func (l *lookup) text(e *evaluation, x *expression) (string, error) {
	value, err := e.sub(x)
	if err != nil {
		return "", fmt.Errorf("%s: %w", x.field, err)
	}
	switch value := value.(type) {
	case types.String:
		return string(value), nil
	case types.Null:
		return "", nil
	}
	return "", fmt.Errorf("%s returns %v instead of a string", x.field, value.Type())
}

func (l *lookup) one(e *evaluation, from Objects, namespace string) (ref.Val, int, error) {
	name, err := l.text(e, l.byName)
	if err != nil || name == "" || !mayBe(name) || !mayBe(namespace) {
		return types.NullValue, 0, err
	}
	object, err := from.Get(e.subject.reading(e.ctx), l.kind, namespace, name)
	if apierrors.IsNotFound(err) {
		return types.NullValue, 0, nil
	}
	if err != nil {
		return nil, 0, l.explain(e, err, namespace, name)
	}
	return types.NewStringInterfaceMap(types.DefaultTypeAdapter, object.Object), 1, nil
}

// mayBe reports whether a name is valid. A writer may have chosen it, and a name with a slash
// would be the path of something else.
func mayBe(name string) bool { return len(content.IsPathSegmentName(name)) == 0 }

func (l *lookup) list(e *evaluation, from Objects, namespace string) (ref.Val, int, error) {
	selector, owner := l.selector, ""
	if selector == nil {
		selector = labels.Everything()
	}
	var err error
	switch {
	case l.bySelector != nil:
		var text string
		if text, err = l.text(e, l.bySelector); err == nil {
			selector, err = labels.Parse(text)
		}
	case l.byOwner != nil:
		if owner, err = l.text(e, l.byOwner); err == nil && owner == "" {
			// An object without a uid owns nothing yet.
			return types.NewDynamicList(types.DefaultTypeAdapter, []any{}), 0, nil
		}
	}
	if err != nil {
		return nil, 0, err
	}
	if !mayBe(namespace) {
		return types.NewDynamicList(types.DefaultTypeAdapter, []any{}), 0, nil
	}
	found, err := from.List(e.subject.reading(e.ctx), l.kind, namespace, selector)
	if err != nil {
		return nil, 0, l.explain(e, err, namespace, "")
	}
	values := []any{}
	for _, object := range found {
		if owner == "" || owns(owner, object) {
			values = append(values, object.Object)
		}
	}
	return types.NewDynamicList(types.DefaultTypeAdapter, values), len(found), nil
}

func owns(uid string, object *unstructured.Unstructured) bool {
	for _, owner := range object.GetOwnerReferences() {
		if string(owner.UID) == uid {
			return true
		}
	}
	return false
}

var errNoObjects = errors.New("objects cannot be read here")

// explain adds what could not be read.
func (l *lookup) explain(e *evaluation, err error, namespace, name string) error {
	if err == nil {
		return nil
	}
	unread := e.subject.unread(err, l.kind.Kind, namespace, name, "get, list and watch")
	unread.lookup = l.name
	return unread
}
