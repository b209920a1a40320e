package doctor

import (
	"context"
	"fmt"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/internal/cluster"
	"github.com/crosswalk-dev/crosswalk/internal/manage"
)

// tables are the Crosswalks and the CRDs that concern them.
type tables struct {
	crosswalks []table
	// named are the CRDs that name the Service.
	named []apiextensionsv1.CustomResourceDefinition
}

// table is a Crosswalk and its CRD, which is nil if there is none.
type table struct {
	name       string
	leaving    bool // it is being deleted
	conditions []metav1.Condition
	crd        *apiextensionsv1.CustomResourceDefinition
}

func (t table) object() string { return "crosswalk " + t.name }

// mostCRDs is how many CRDs are read at once: some have megabytes.
const mostCRDs = 100

// tables reads all Crosswalks and CRDs.
func (d *doctor) tables(ctx context.Context) (tables, error) {
	return d.tablesOnce.get(func() (tables, error) {
		var all tables
		crds := map[string]*apiextensionsv1.CustomResourceDefinition{}
		crosswalks, err := d.list(ctx, v1alpha1.KindCrosswalk)
		if err != nil {
			return all, err
		}
		for next := ""; ; {
			var page apiextensionsv1.CustomResourceDefinitionList
			if err := d.client.List(ctx, &page, client.Limit(mostCRDs), client.Continue(next)); err != nil {
				return all, err
			}
			for i := range page.Items {
				crd := &page.Items[i]
				crds[crd.Name] = crd
				if _, names := d.Service.ArmedWith(crd); names {
					all.named = append(all.named, *crd)
				}
			}
			if next = page.Continue; next == "" {
				break
			}
		}
		for i := range crosswalks {
			crosswalk := &crosswalks[i]
			all.crosswalks = append(all.crosswalks, table{
				name: crosswalk.GetName(), leaving: crosswalk.GetDeletionTimestamp() != nil,
				conditions: manage.Conditions(crosswalk), crd: crds[crosswalk.GetName()],
			})
		}
		return all, nil
	})
}

// list returns all objects of one of Crosswalk's kinds.
func (d *doctor) list(ctx context.Context, kind string) ([]unstructured.Unstructured, error) {
	list := new(unstructured.UnstructuredList)
	list.SetGroupVersionKind(v1alpha1.GroupVersion().WithKind(kind + "List"))
	err := d.client.List(ctx, list)
	return list.Items, err
}

// checkTables looks at the conditions of every Crosswalk, and at what may be wrong although
// they are true, because manage does not run.
func (d *doctor) checkTables(ctx context.Context, c *Check) {
	all, err := d.tables(ctx)
	if err != nil {
		c.failed("Crosswalks and CustomResourceDefinitions", err)
		return
	}
	ready := 0
	for _, t := range all.crosswalks {
		describe := "kubectl describe crosswalk " + t.name
		is := meta.FindStatusCondition(t.conditions, v1alpha1.ConditionReady)
		guarded := meta.FindStatusCondition(t.conditions, v1alpha1.ConditionGuarded)
		switch {
		case is.Status != metav1.ConditionTrue:
			c.find(Problem, t.object(), unready(is), d.restore(describe))
		case guarded != nil && guarded.Status != metav1.ConditionTrue && guarded.Reason != "OptedOut":
			c.find(Problem, t.object(), "writes are not guarded: "+guarded.Reason+": "+guarded.Message, d.restore(describe))
		default:
			ready++
		}
		if t.crd == nil || t.leaving {
			continue
		}
		if _, names := d.Service.ArmedWith(t.crd); !names && meta.IsStatusConditionTrue(t.conditions, v1alpha1.ConditionArmed) {
			c.find(Problem, "customresourcedefinition "+t.name, "its spec.conversion does not name Crosswalk, so the API server changes only apiVersion and drops fields", d.restore(describe))
		}
	}
	c.Detail = fmt.Sprintf("%d of %d ready", ready, len(all.crosswalks))
	d.checkNamed(ctx, c, all)
}

// unready explains a condition that is not true.
func unready(is *metav1.Condition) string {
	if is.Reason == manage.Unseen {
		return "not ready: crosswalk manage has not handled its current form yet"
	}
	return "not ready: " + is.Reason + ": " + is.Message
}

// checkNamed checks that the tables that CRDs name exist: as a Crosswalk, and as a revision for
// replicas that start.
func (d *doctor) checkNamed(ctx context.Context, c *Check, all tables) {
	revisions, err := d.metadata.Resource(appsv1.SchemeGroupVersion.WithResource("controllerrevisions")).Namespace(d.Service.Namespace).
		List(ctx, metav1.ListOptions{LabelSelector: cluster.LabelFingerprint})
	if err != nil {
		c.failed("ControllerRevisions", err)
		return
	}
	for i := range all.named {
		crd := &all.named[i]
		object := "customresourcedefinition " + crd.Name
		fingerprint, _ := d.Service.ArmedWith(crd)
		revision := cluster.RevisionName(crd.Name, fingerprint)
		kept := slices.ContainsFunc(revisions.Items, func(r metav1.PartialObjectMetadata) bool { return r.Name == revision })
		if slices.ContainsFunc(all.crosswalks, func(t table) bool { return t.name == crd.Name }) {
			if fingerprint != "" && !kept {
				c.find(Problem, object, fmt.Sprintf("the revision %s of the table that it names is missing: replicas that start now convert its objects only if they compile the same table", revision), d.restore("kubectl describe crosswalk "+crd.Name))
			}
			continue
		}
		cause := fmt.Sprintf("it names Crosswalk, and there is no Crosswalk %s", crd.Name)
		if !kept {
			c.find(Problem, object, cause+", and no revision of its table: its objects cannot be converted until you apply the Crosswalk again", "")
			continue
		}
		c.find(Problem, object, cause+": nothing keeps its conversion, and nothing guards writes. The command applies the last table again, which is kept as a revision",
			fmt.Sprintf("kubectl -n %s get controllerrevision %s -o jsonpath='{.data.crosswalk}' | kubectl apply -f -", d.Service.Namespace, revision))
	}
}
