// Package schemas reads the schemas of all kinds of a cluster, including custom resources and
// those of other API servers, from what its API server publishes. Every authenticated client
// may read that.
package schemas

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"golang.org/x/sync/semaphore"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/rest"
	"k8s.io/kube-openapi/pkg/handler3"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/crosswalk-dev/crosswalk/validation/policy"
)

// HubOf returns the hub version of a CRD's Crosswalk, or "" if there is none.
type HubOf func(ctx context.Context, crd string) (string, error)

// Source reads the schemas of a cluster.
type Source struct {
	api rest.Interface
	hub HubOf
	// one allows one check at a time, because schemas are large.
	one *semaphore.Weighted
}

// New returns a source for the API server of a connection. Nothing is read before [Source.Now].
func New(connection *rest.Config, hub HubOf) (*Source, error) {
	client, err := discovery.NewDiscoveryClientForConfig(connection)
	if err != nil {
		return nil, err
	}
	return &Source{client.RESTClient(), hub, semaphore.NewWeighted(1)}, nil
}

// Check checks a policy against the current schemas. It is safe for concurrent use.
func (s *Source) Check(ctx context.Context, p *policy.Policy) (*policy.TypeCheck, error) {
	if err := s.one.Acquire(ctx, 1); err != nil {
		return nil, err
	}
	defer s.one.Release(1)
	now, err := s.Now(ctx)
	if err != nil {
		return nil, err
	}
	check, _, err := now.Check(ctx, p)
	return check, err
}

// Published holds the schemas of one moment. It keeps those that were read, which are large,
// and is not safe for concurrent use. It implements [policy.Schemas].
type Published struct {
	*Source
	// places maps every version of a group, such as apis/apps/v1, to the place of its schemas.
	// Another schema has another place. The list of a group's versions is at apis/apps/.
	places map[string]string
	// hubs caches the hub versions of CRDs.
	hubs map[string]string
	// resources and schemas cache what was read of a version of a group.
	resources map[schema.GroupVersion][]metav1.APIResource
	schemas   map[schema.GroupVersion]map[string]*spec.Schema
	// homes maps kinds that are sent to subresources of other kinds to where their schemas are.
	homes map[schema.GroupVersionKind]schema.GroupVersion
	used  Used
}

// Used is what the result of a check depends on.
type Used struct {
	// places are the places of the schemas that were used, or "" if there was none. hubs are
	// the hub versions.
	places, hubs map[string]string
}

func nothingUsed() Used { return Used{map[string]string{}, map[string]string{}} }

// Now reads which schemas exist.
func (s *Source) Now(ctx context.Context) (*Published, error) {
	index := new(handler3.OpenAPIV3Discovery)
	if err := s.get(ctx, "/openapi/v3", index); err != nil {
		return nil, err
	}
	p := &Published{
		Source: s, places: map[string]string{}, hubs: map[string]string{},
		resources: map[schema.GroupVersion][]metav1.APIResource{}, schemas: map[schema.GroupVersion]map[string]*spec.Schema{},
		homes: map[schema.GroupVersionKind]schema.GroupVersion{}, used: nothingUsed(),
	}
	for _, of := range slices.Sorted(maps.Keys(index.Paths)) {
		p.places[of] = index.Paths[of].ServerRelativeURL
		group, version := path.Split(of)
		p.places[group] += " " + version
	}
	return p, nil
}

// Check checks a policy, and returns the schemas that it used.
func (p *Published) Check(ctx context.Context, of *policy.Policy) (*policy.TypeCheck, Used, error) {
	p.used = nothingUsed()
	check, err := of.CheckTypes(ctx, p)
	return check, p.used, err
}

// Same reports whether everything in used is unchanged, so that a new check would have the same
// result.
func (p *Published) Same(ctx context.Context, used Used) (bool, error) {
	for of, at := range used.places {
		if p.places[of] != at {
			return false, nil
		}
	}
	for crd, hub := range used.hubs {
		if now, err := p.hubOf(ctx, crd); now != hub || err != nil {
			return false, err
		}
	}
	return true, nil
}

// Groups implements [policy.Schemas].
func (p *Published) Groups(context.Context) ([]string, error) {
	var groups []string
	for of := range p.places {
		group, isGroup := strings.CutSuffix(strings.TrimPrefix(of, "apis/"), "/")
		if isGroup && group != "" && group != "api" {
			groups = append(groups, group)
		}
	}
	return groups, nil
}

// Versions implements [policy.Schemas].
func (p *Published) Versions(_ context.Context, group string) ([]string, error) {
	return strings.Fields(p.place(pathOf(schema.GroupVersion{Group: group}))), nil
}

// Resources implements [policy.Schemas].
func (p *Published) Resources(ctx context.Context, version schema.GroupVersion) ([]policy.Resource, error) {
	all, err := p.resourcesOf(ctx, version)
	if err != nil {
		return nil, err
	}
	var found []policy.Resource
	for _, known := range all {
		kind := version.WithKind(known.Kind)
		if known.Version != "" { // the kind of a subresource, in another group or version
			kind.Group, kind.Version = known.Group, known.Version
			p.homes[kind] = version
		}
		found = append(found, policy.Resource{Name: known.Name, Kind: kind})
	}
	return found, nil
}

// Hub implements [policy.Schemas].
func (p *Published) Hub(ctx context.Context, resource schema.GroupResource) (string, error) {
	name, _, _ := strings.Cut(resource.Resource, "/")
	crd := name + "." + resource.Group
	hub, err := p.hubOf(ctx, crd)
	p.used.hubs[crd] = hub
	return hub, err
}

func (p *Published) hubOf(ctx context.Context, crd string) (string, error) {
	if known, found := p.hubs[crd]; found {
		return known, nil
	}
	hub, err := p.hub(ctx, crd)
	if err == nil {
		p.hubs[crd] = hub
	}
	return hub, err
}

// Schema implements [policy.Schemas].
func (p *Published) Schema(ctx context.Context, kind schema.GroupVersionKind) (string, map[string]*spec.Schema, error) {
	home, foreign := p.homes[kind]
	if !foreign {
		home = kind.GroupVersion()
	}
	all, err := p.schemasOf(ctx, home)
	if err != nil {
		return "", nil, err
	}
	for name, s := range all {
		var kinds []schema.GroupVersionKind
		if err := s.Extensions.GetObject("x-kubernetes-group-version-kind", &kinds); err == nil && slices.Contains(kinds, kind) {
			return name, all, nil
		}
	}
	return "", nil, nil
}

// place returns where schemas are, or "" if there are none.
func (p *Published) place(of string) string {
	p.used.places[of] = p.places[of]
	return p.places[of]
}

func (p *Published) resourcesOf(ctx context.Context, in schema.GroupVersion) ([]metav1.APIResource, error) {
	at := p.place(pathOf(in))
	if known, found := p.resources[in]; found || at == "" {
		return known, nil
	}
	list := new(metav1.APIResourceList)
	if err := p.get(ctx, "/"+pathOf(in), list); err != nil {
		return nil, err
	}
	p.resources[in] = list.APIResources
	return list.APIResources, nil
}

func (p *Published) schemasOf(ctx context.Context, in schema.GroupVersion) (map[string]*spec.Schema, error) {
	at := p.place(pathOf(in))
	if known, found := p.schemas[in]; found || at == "" {
		return known, nil
	}
	var document struct {
		Components struct {
			Schemas map[string]*spec.Schema `json:"schemas"`
		} `json:"components"`
	}
	if err := p.get(ctx, at, &document); err != nil {
		return nil, err
	}
	p.schemas[in] = document.Components.Schemas
	return document.Components.Schemas, nil
}

// pathOf returns the path of a version of a group.
func pathOf(in schema.GroupVersion) string {
	if in.Group == "" {
		return "api/" + in.Version
	}
	return "apis/" + in.Group + "/" + in.Version
}

// get reads JSON.
func (s *Source) get(ctx context.Context, uri string, into any) error {
	text, err := s.api.Get().RequestURI(uri).SetHeader("Accept", runtime.ContentTypeJSON).Do(ctx).Raw()
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		return fmt.Errorf("reading %s: %w", uri, err)
	}
	return nil
}
