package trial

import (
	"context"
	"errors"
	"fmt"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/pager"
)

// pageSize is how many objects one request lists.
const pageSize = 200

// ErrNotInCluster means that the cluster has none of the kinds with tables.
var ErrNotInCluster = errors.New("the cluster has none of the kinds of the tables")

// RunCluster tries the laws on the objects of a cluster, in each served version. It writes
// nothing. If reading fails, the report holds what was tried before.
func (t *Trial) RunCluster(ctx context.Context, config *rest.Config) error {
	config = rest.CopyConfig(config)
	// A deprecated version would print a warning for each page.
	config.WarningHandler = rest.NoWarnings{}
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return err
	}
	known := false
	for _, one := range t.tables {
		for _, v := range one.CRD.Spec.Versions {
			if one.single() || !v.Served || t.interrupted {
				continue
			}
			switch err := t.list(ctx, client, one, v.Name); {
			case apierrors.IsNotFound(err):
				one.notes = append(one.notes, fmt.Sprintf("the cluster does not serve %s in %s", one.CRD.Name, v.Name))
			case err != nil && ctx.Err() == nil:
				return fmt.Errorf("listing %s in %s: %w", one.CRD.Name, v.Name, err)
			default:
				known = true
			}
		}
	}
	t.interrupted = t.interrupted || ctx.Err() != nil
	if !known && !t.interrupted {
		return fmt.Errorf("%w: %s", ErrNotInCluster, strings.Join(t.kinds(), ", "))
	}
	return nil
}

// errStop ends a list.
var errStop = errors.New("stop")

// list tries the objects of one table in one version, page by page.
func (t *Trial) list(ctx context.Context, client dynamic.Interface, one *table, version string) error {
	resource := client.Resource(resourceOf(one.CRD, version))
	pages := pager.New(pager.SimplePageFunc(func(o metav1.ListOptions) (runtime.Object, error) { return resource.List(ctx, o) }))
	pages.PageSize = pageSize
	err := pages.EachListItem(ctx, metav1.ListOptions{}, func(item runtime.Object) error {
		if !t.goOn(ctx, one, fmt.Sprintf(", %d objects of the cluster", one.judged)) {
			return errStop
		}
		object, ok := item.(*unstructured.Unstructured)
		if !ok {
			return fmt.Errorf("an item is a %T", item)
		}
		text, err := object.MarshalJSON()
		if err != nil {
			return err
		}
		one.sample(fmt.Sprintf("%v of the cluster, in %s", headOf(text), version), text)
		return nil
	})
	if errors.Is(err, errStop) {
		return nil
	}
	return err
}

func resourceOf(crd *apiextensionsv1.CustomResourceDefinition, version string) schema.GroupVersionResource {
	return schema.GroupVersionResource{Group: crd.Spec.Group, Version: version, Resource: crd.Spec.Names.Plural}
}
