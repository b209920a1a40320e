package audit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/rest"

	"github.com/crosswalk-dev/crosswalk/internal/bulk"
	"github.com/crosswalk-dev/crosswalk/internal/cluster"
)

// ArgumentError is an error in the names of resources: nothing was tried.
type ArgumentError struct{ err error }

func (e *ArgumentError) Error() string { return e.err.Error() }

func argumentErrorf(format string, args ...any) error {
	return &ArgumentError{fmt.Errorf(format, args...)}
}

// resource is a resource whose objects can be listed.
type resource struct {
	group, plural, singular, kind string
	shortNames                    []string
	namespaced                    bool
	// creatable reports that objects can be created, so that policies may be about that.
	creatable bool
	// versions are the versions in which it can be listed, the best first: the storage version
	// of a kind with a Crosswalk, or else the one that the API server prefers.
	versions []string
	// table is nil if the kind has no Crosswalk.
	table *cluster.Table
}

// String returns the name with the group, as kubectl takes it.
func (r *resource) String() string {
	if r.group == "" {
		return r.plural
	}
	return r.plural + "." + r.group
}

func (r *resource) called(name string) bool {
	return name == r.String() || name == r.plural || name == r.singular ||
		slices.Contains(r.shortNames, name) || strings.EqualFold(name, r.kind)
}

// discover returns all resources that can be listed, sorted by name. Groups that the API server
// does not list, because their own servers do not answer, are noted if a policy or a table may
// be about them.
func (a *auditor) discover(ctx context.Context) ([]*resource, error) {
	config := rest.CopyConfig(a.Config)
	config.QPS = -1
	client, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		return nil, err
	}
	var lists []*metav1.APIResourceList
	var partly *discovery.ErrGroupDiscoveryFailed
	err = bulk.Few().Persist(ctx, func() error {
		var err error
		if _, lists, err = client.ServerGroupsAndResources(); errors.As(err, &partly) {
			return nil
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	if partly != nil {
		for group, err := range partly.Groups {
			if !a.world.concerns(group.Group) || len(a.Resources) > 0 {
				continue
			}
			a.fail("the resources of "+group.String(), "the API server does not list them: "+err.Error())
		}
	}
	return resourcesIn(lists), nil
}

// resourcesIn returns the resources in the lists of all versions of all groups.
func resourcesIn(lists []*metav1.APIResourceList) []*resource {
	known := map[string]*resource{}
	for _, list := range lists {
		gv, err := schema.ParseGroupVersion(list.GroupVersion)
		if err != nil {
			continue // the API server would not serve it
		}
		for _, in := range list.APIResources {
			if strings.Contains(in.Name, "/") || !slices.Contains(in.Verbs, "list") {
				continue
			}
			found := &resource{group: gv.Group, plural: in.Name, singular: in.SingularName, kind: in.Kind, shortNames: in.ShortNames, namespaced: in.Namespaced}
			found.creatable = slices.Contains(in.Verbs, "create")
			if other := known[found.String()]; other != nil {
				found = other
			}
			known[found.String()] = found
			found.versions = append(found.versions, gv.Version)
		}
	}
	return slices.SortedFunc(maps.Values(known), func(x, y *resource) int { return cmp.Compare(x.String(), y.String()) })
}

// selected returns the resources that are named, or all of them.
func selected(all []*resource, names []string) ([]*resource, error) {
	if len(names) == 0 {
		return all, nil
	}
	var chosen []*resource
	for _, arg := range names {
		name := arg[strings.LastIndexByte(arg, '/')+1:]
		var found []*resource
		var called []string
		for _, r := range all {
			if r.String() == name {
				found = []*resource{r}
				break
			}
			if r.called(name) {
				found, called = append(found, r), append(called, r.String())
			}
		}
		switch len(found) {
		case 0:
			return nil, argumentErrorf("no resource that can be listed is called %q: kubectl api-resources --verbs=list shows them", arg)
		case 1:
			if !slices.Contains(chosen, found[0]) {
				chosen = append(chosen, found[0])
			}
		default:
			return nil, argumentErrorf("%q can be %s: name one of them", arg, strings.Join(called, " or "))
		}
	}
	return chosen, nil
}

// with gives a resource its table.
func (r *resource) with(table *cluster.Table) {
	r.table = table
	for _, v := range table.CRD.Spec.Versions {
		if at := slices.Index(r.versions, v.Name); v.Storage && at > 0 {
			r.versions = slices.Insert(slices.Delete(r.versions, at, at+1), 0, v.Name)
		}
	}
}

// path returns the path of the list in a version.
func (r *resource) path(version, namespace string) string {
	path := "/apis/" + r.group + "/" + version
	if r.group == "" {
		path = "/api/" + version
	}
	if namespace != "" {
		path += "/namespaces/" + namespace
	}
	return path + "/" + r.plural
}
