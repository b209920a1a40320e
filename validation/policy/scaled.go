package policy

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	admissionv1 "k8s.io/api/admission/v1"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Scaling an object changes the object, but the API server sends webhooks only a Scale. A
// policy for the object is evaluated with the object, as it is read and with the number that
// the Scale requests. A policy that names the subresource scale itself sees the Scale, as in
// Kubernetes. But a Scale has no hub version, so a policy for the hub always sees the object.

const scaleSubresource = "scale"

// scale is where objects of a kind have the number of their Scale.
type scale struct {
	kind  string
	place []string
}

// ReplicasOf returns the path in objects of a version of the number that their Scale shows, or
// nil if it has no Scale (k8s.io/apiextensions-apiserver/pkg/registry/customresource).
func ReplicasOf(v *apiextensionsv1.CustomResourceDefinitionVersion) []string {
	if v.Subresources == nil || v.Subresources.Scale == nil {
		return nil
	}
	return strings.Split(strings.TrimPrefix(v.Subresources.Scale.SpecReplicasPath, "."), ".")
}

// own are the kinds of Kubernetes itself that can be scaled.
var own = map[schema.GroupResource]scale{
	{Group: "apps", Resource: "deployments"}:        {"Deployment", []string{"spec", "replicas"}},
	{Group: "apps", Resource: "replicasets"}:        {"ReplicaSet", []string{"spec", "replicas"}},
	{Group: "apps", Resource: "statefulsets"}:       {"StatefulSet", []string{"spec", "replicas"}},
	{Group: "", Resource: "replicationcontrollers"}: {"ReplicationController", []string{"spec", "replicas"}},
}

// judgesScaled reports whether a request scales an object that the policy matches, so that the
// policy is evaluated with the object and not the Scale.
func (p *Policy) judgesScaled(r *admissionv1.AdmissionRequest) bool {
	if p.native || p.mutates || r.SubResource != scaleSubresource || r.Operation != admissionv1.Update {
		return false
	}
	update := *r
	update.SubResource = ""
	switch c := &p.constraints; {
	case anyRule(c.excluded, r):
		return false
	case anyRule(c.rules, r):
		return p.hub
	case c.matchRules(&update):
		return true
	default:
		return p.equivalent && len(otherVersions(c.rules, &update)) > 0
	}
}

// Scaled returns the resources whose scaling the policy is evaluated for, with * for what its
// rules do not name. The process needs the right to get them. Not all of them need to have a
// Scale.
func (p *Policy) Scaled() []schema.GroupResource {
	var all []schema.GroupResource
	for i := range p.constraints.rules {
		rule := &p.constraints.rules[i]
		for _, group := range rule.APIGroups {
			for _, pattern := range rule.Resources {
				resource, _, _ := strings.Cut(pattern, "/")
				one := schema.GroupResource{Group: group, Resource: resource}
				if !slices.Contains(all, one) && p.scales(rule, one) {
					all = append(all, one)
				}
			}
		}
	}
	return all
}

// scales reports whether the policy is evaluated for the scaling of some object of a resource
// that one of its rules names.
func (p *Policy) scales(rule *admissionregistrationv1.NamedRuleWithOperations, resource schema.GroupResource) bool {
	r := &admissionv1.AdmissionRequest{Operation: admissionv1.Update, SubResource: scaleSubresource, Namespace: "some"}
	if rule.Scope != nil && *rule.Scope == admissionregistrationv1.ClusterScope {
		r.Namespace = ""
	}
	if len(rule.ResourceNames) > 0 {
		r.Name = rule.ResourceNames[0]
	}
	return slices.ContainsFunc(rule.APIVersions, func(version string) bool {
		r.Resource = metav1.GroupVersionResource{Group: resource.Group, Version: version, Resource: resource.Resource}
		return p.judgesScaled(r)
	})
}

// scalable reports whether objects of a resource have a Scale.
func (c Cluster) scalable(ctx context.Context, resource schema.GroupResource) (bool, error) {
	if _, found := own[resource]; found || resource.Group == "*" || resource.Resource == "*" {
		return true, nil
	}
	if c.Definitions == nil {
		return false, nil
	}
	_, place, err := c.Definitions.Replicas(ctx, resource.WithVersion(""))
	return place != nil, err
}

// scaled returns the request as an update of the scaled object, which is read once for all
// policies.
func (s *subject) scaled(ctx context.Context) (*subject, error) {
	if !s.update.done {
		s.update.done = true
		if s.update.value, s.update.err = s.readScaled(ctx); s.update.err != nil {
			s.update.err = fmt.Errorf("the scaled object is not known: %w", s.update.err)
		}
	}
	return s.update.value, s.update.err
}

func (s *subject) readScaled(ctx context.Context) (*subject, error) {
	r := s.request
	is, err := s.scaleOf(ctx)
	if err != nil {
		return nil, err
	}
	if s.cluster.Live == nil {
		return nil, fmt.Errorf("objects cannot be read here; exclude %s/scale with excludeResourceRules", r.Resource.Resource)
	}
	kind := schema.GroupVersionKind{Group: r.Resource.Group, Version: r.Resource.Version, Kind: is.kind}
	if !mayBe(r.Name) || r.Namespace != "" && !mayBe(r.Namespace) {
		return nil, fmt.Errorf("%q in namespace %q is not a valid name", r.Name, r.Namespace)
	}
	live, err := s.live(ctx)
	if err != nil {
		return nil, err
	}
	found, err := live.Get(s.reading(ctx), kind, r.Namespace, r.Name)
	if err != nil {
		return nil, s.unread(err, kind.Kind, r.Namespace, r.Name, "get")
	}
	request := *r
	request.Kind, request.SubResource = metav1.GroupVersionKind(kind), ""
	if request.Object.Raw, err = is.apply(found, replicas(s.object.Root())); err != nil {
		return nil, err
	}
	if request.OldObject.Raw, err = is.apply(found, replicas(s.old.Root())); err != nil {
		return nil, err
	}
	other := s.of(&request)
	other.namespace, other.scales, other.number = s.namespace, true, is.place
	return other, nil
}

// scaleOf returns where the scaled object has the number.
func (s *subject) scaleOf(ctx context.Context) (scale, error) {
	resource := s.resource()
	if is, found := own[resource.GroupResource()]; found {
		return is, nil
	}
	var is scale
	if s.cluster.Definitions != nil {
		var err error
		if is.kind, is.place, err = s.cluster.Definitions.Replicas(s.reading(ctx), resource); err != nil {
			return scale{}, fmt.Errorf("the CustomResourceDefinition %s: %w", resource.GroupResource(), s.limit.explain(err))
		}
	}
	if is.place == nil {
		return scale{}, fmt.Errorf("no CustomResourceDefinition defines where the replicas of %s are; exclude %s/scale with excludeResourceRules", resource.GroupResource(), resource.Resource)
	}
	return is, nil
}

// replicas returns the number in a Scale, which omits a zero.
func replicas(root ref.Val) int64 {
	value, _ := fieldPath{"spec", "replicas"}.in(root)
	n, _ := value.(types.Int)
	return int64(n)
}

// apply returns an object with another number of replicas, as the API server sets it
// (k8s.io/apiextensions-apiserver/pkg/registry/customresource). A missing number is equal to 0.
func (is scale) apply(object *unstructured.Unstructured, n int64) ([]byte, error) {
	was, found, err := unstructured.NestedInt64(object.Object, is.place...)
	if err != nil { // the error contains the present value
		return nil, fmt.Errorf("its %s is not a whole number", strings.Join(is.place, "."))
	}
	if was != n || !found && n != 0 {
		object = object.DeepCopy()
		if err := unstructured.SetNestedField(object.Object, n, is.place...); err != nil {
			return nil, err
		}
	}
	return object.MarshalJSON()
}
