package doctor

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crosswalk-dev/crosswalk/conversion"
	"github.com/crosswalk-dev/crosswalk/internal/cluster"
	"github.com/crosswalk-dev/crosswalk/internal/report"
)

// What is read of each resource: pages of objects, without their contents.
const (
	pageSize    = 500
	mostPages   = 20
	kindsAtOnce = 8
)

// checkStashes reads the annotations of the objects of every table, and whether they can be
// read in every version.
func (d *doctor) checkStashes(ctx context.Context, c *Check) {
	all, err := d.tables(ctx)
	if err != nil {
		c.failed("CustomResourceDefinitions", err)
		return
	}
	if d.fails {
		c.skip("conversions fail: see conversion")
		return
	}
	crds := make([]*apiextensionsv1.CustomResourceDefinition, 0, len(all.crosswalks))
	for _, t := range all.crosswalks {
		if t.crd != nil && t.name != cluster.CanaryCRD {
			crds = append(crds, t.crd)
		}
	}
	// Every resource has its own findings, so that their order does not depend on time.
	parts := make([]resource, len(crds))
	var group errgroup.Group
	group.SetLimit(kindsAtOnce)
	for i, crd := range crds {
		parts[i] = resource{doctor: d, crd: crd}
		group.Go(func() error {
			parts[i].read(ctx)
			return nil
		})
	}
	_ = group.Wait() // what fails is in the parts
	n := 0
	for i := range parts {
		n += parts[i].objects
		c.Findings = append(c.Findings, parts[i].check.Findings...)
		for _, why := range parts[i].check.NotChecked {
			c.skip(why)
		}
	}
	c.Detail = count(n, "object") + " of " + count(len(parts), "resource")
}

// resource is what is found about the objects of one CRD.
type resource struct {
	doctor  *doctor
	crd     *apiextensionsv1.CustomResourceDefinition
	check   Check
	objects int
}

func (r *resource) read(ctx context.Context) {
	storage := storageOf(r.crd)
	var served []string // the storage version first, because it costs no conversion
	for _, v := range r.crd.Spec.Versions {
		switch {
		case v.Served && v.Name == storage:
			served = slices.Insert(served, 0, v.Name)
		case v.Served:
			served = append(served, v.Name)
		}
	}
	if len(served) == 0 {
		return
	}
	if !r.readPages(ctx, served[0]) {
		return
	}
	for _, version := range served[1:] {
		if _, err := r.list(ctx, version, 1, ""); err != nil && !r.refused(version, err) {
			return
		}
	}
}

// readPages reads the annotations of the objects. It reports whether reading them works.
func (r *resource) readPages(ctx context.Context, version string) bool {
	next := ""
	for range mostPages {
		page, err := r.list(ctx, version, pageSize, next)
		if err != nil {
			return r.refused(version, err)
		}
		for i := range page.Items {
			r.objects++
			r.inspect(&page.Items[i])
		}
		if next = page.Continue; next == "" {
			return true
		}
	}
	r.check.skip(fmt.Sprintf("the stashes of more than %d objects of %s", pageSize*mostPages, r.crd.Name))
	return true
}

func (r *resource) list(ctx context.Context, version string, limit int64, next string) (*metav1.PartialObjectMetadataList, error) {
	of := schema.GroupVersionResource{Group: r.crd.Spec.Group, Version: version, Resource: r.crd.Spec.Names.Plural}
	return r.doctor.metadata.Resource(of).List(ctx, metav1.ListOptions{Limit: limit, Continue: next})
}

// refused adds why objects cannot be read in a version. It returns false, for its callers.
func (r *resource) refused(version string, err error) bool {
	if strings.Contains(err.Error(), "conversion webhook for") {
		cause, command := r.doctor.explain(err)
		r.check.find(Problem, "customresourcedefinition "+r.crd.Name, fmt.Sprintf("its objects cannot be read in %s: %s", version, cause), command)
	} else {
		r.check.failed("the objects of "+r.crd.Name, err)
	}
	return false
}

// inspect looks at the stashes of an object.
func (r *resource) inspect(object *metav1.PartialObjectMetadata) {
	where := ""
	name := strings.ToLower(r.crd.Spec.Names.Kind) + " " + object.Name
	if object.Namespace != "" {
		where, name = " -n "+object.Namespace, strings.ToLower(r.crd.Spec.Names.Kind)+" "+object.Namespace+"/"+object.Name
	}
	target := fmt.Sprintf("%s %s%s", r.crd.Name, object.Name, where)
	if object.Annotations[incomplete] != "" {
		r.check.find(Problem, name, "its annotations had no room for every value that another version can't represent, and the rest is lost; the annotation crosswalk.dev/incomplete lists the fields. Write them again",
			"kubectl get "+target+` -o jsonpath='{.metadata.annotations.crosswalk\.dev/incomplete}'`)
	}
	isReadable, unplaced := map[string]bool{}, map[string][]string{}
	for _, stashed := range conversion.StashesOf(object.Annotations) {
		isReadable[stashed.Annotation] = true
		if stashed.Unplaced {
			unplaced[stashed.Annotation] = append(unplaced[stashed.Annotation], stashed.Path)
		}
	}
	for _, annotation := range slices.Sorted(maps.Keys(object.Annotations)) {
		version, ok := strings.CutPrefix(annotation, stashPrefix)
		if !ok {
			continue
		}
		version = strings.TrimSuffix(version, ".status")
		switch {
		case !slices.ContainsFunc(r.crd.Spec.Versions, func(v apiextensionsv1.CustomResourceDefinitionVersion) bool { return v.Name == version }):
			r.check.find(Advice, name, fmt.Sprintf("its annotation %s keeps values of %s, which the CRD does not have any more; remove it if nobody needs them", annotation, version),
				"kubectl annotate "+target+" "+annotation+"-")
		case !isReadable[annotation]:
			r.check.find(Problem, name, fmt.Sprintf("its annotation %s cannot be read, so conversions to %s restore nothing", annotation, version),
				"kubectl annotate "+target+" "+annotation+"-")
		case len(unplaced[annotation]) > 0:
			r.check.find(Advice, name, fmt.Sprintf("its annotation %s keeps values of an earlier table, for which this one has no place, so %s does not show them: %s", annotation, version, report.Few(unplaced[annotation])),
				fmt.Sprintf(`kubectl get %s -o jsonpath='{.metadata.annotations.%s}'`, target, strings.ReplaceAll(annotation, ".", `\.`)))
		}
	}
}

// incomplete is the annotation that lists values that had no room.
const incomplete = "crosswalk.dev/incomplete"

// stashPrefix begins the name of every annotation that is a stash.
const stashPrefix = "stash.crosswalk.dev/"
