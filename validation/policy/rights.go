package policy

import (
	"context"
	"errors"
	"fmt"

	authorizationv1 "k8s.io/api/authorization/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	plugincel "k8s.io/apiserver/pkg/admission/plugin/cel"
)

// Read is a kind that a policy reads, from a cache or live.
type Read struct {
	Kind schema.GroupVersionKind
	Live bool
	// Verbs are the rights that reading needs.
	Verbs []string
	// Into is the variable that the objects are read into: params, or lookups.NAME.
	Into string
}

// Reads returns the kinds that the policy reads, for parameters and lookups. The cache must
// watch those that are not live.
func (p *Policy) Reads() []Read {
	cached := []string{"list", "watch"}
	var all []Read
	if p.paramKind != nil {
		all = append(all, Read{Kind: *p.paramKind, Verbs: cached, Into: "params"})
	}
	for _, l := range p.lookups {
		read := Read{Kind: l.kind, Live: l.live, Verbs: cached, Into: lookupsVarName + "." + l.name}
		switch {
		case l.live && l.byName != nil:
			read.Verbs = []string{"get"}
		case l.live:
			read.Verbs = []string{"list"}
		}
		all = append(all, read)
	}
	return all
}

// NeedsRights reports whether the process needs rights to evaluate the policy, besides those to
// read policies and namespaces.
func (p *Policy) NeedsRights() bool { return p.ReadsObjects() || p.authorizes }

// ForScaling is the purpose of the right to read scaled objects.
const ForScaling = "scaling"

// lacks returns the rights that the policy needs and does not have, in the form of
// [validation.Collection].
func (p *Policy) lacks(ctx context.Context, cluster Cluster) ([]string, error) {
	if cluster.Rights == nil {
		return nil, nil
	}
	ctx, stop := context.WithTimeout(ctx, ReadTime)
	defer stop()
	lacking, err := p.lacksForScaling(ctx, cluster)
	if err != nil {
		return nil, err
	}
	for _, read := range p.Reads() {
		resource, err := cluster.Rights.Resource(ctx, read.Kind)
		if errors.Is(err, ErrUnknownKind) {
			continue // another check reports that
		}
		if err != nil {
			return nil, err
		}
		for _, verb := range read.Verbs {
			may, err := cluster.Rights.May(ctx, verb, resource)
			if err != nil {
				return nil, err
			}
			if !may {
				lacking = append(lacking, fmt.Sprintf("%s %s %s", verb, resource, read.Into))
			}
		}
	}
	if !p.authorizes {
		return lacking, nil
	}
	reviews := authorizationv1.Resource("subjectaccessreviews")
	may, err := cluster.Rights.May(ctx, "create", reviews)
	if err == nil && !may {
		lacking = append(lacking, fmt.Sprintf("create %s %s", reviews, plugincel.AuthorizerVarName))
	}
	return lacking, err
}

func (p *Policy) lacksForScaling(ctx context.Context, cluster Cluster) ([]string, error) {
	var lacking []string
	for _, resource := range p.Scaled() {
		may, err := cluster.Rights.May(ctx, "get", resource)
		if err != nil {
			return nil, err
		}
		if may {
			continue
		}
		if scalable, err := cluster.scalable(ctx, resource); err != nil || !scalable {
			continue // reported when somebody tries to scale one
		}
		lacking = append(lacking, fmt.Sprintf("get %s %s", resource, ForScaling))
	}
	return lacking, nil
}
