package policy

import (
	"context"
	"encoding/json"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/apiserver/pkg/cel/library"

	"github.com/google/cel-go/common/types/ref"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// attributeValue returns the CEL variable request: the same value as in apiserver's own
// policies, without the objects.
func (s *subject) attributeValue() any {
	if s.attributes == nil {
		r := *s.request
		if s.scales {
			r.SubResource = scaleSubresource
		}
		s.attributes = attributesOf(&r)
	}
	return s.attributes
}

func attributesOf(r *admissionv1.AdmissionRequest) map[string]any {
	kind, resource := r.RequestKind, r.RequestResource
	if kind == nil {
		kind = &r.Kind
	}
	if resource == nil {
		resource = &r.Resource
	}
	attributes := map[string]any{
		"uid":             "",
		"kind":            kindValue(r.Kind),
		"resource":        resourceValue(r.Resource),
		"requestKind":     kindValue(*kind),
		"requestResource": resourceValue(*resource),
		"operation":       string(r.Operation),
		"userInfo":        userValue(r),
		"object":          nil,
		"oldObject":       nil,
		"dryRun":          r.DryRun != nil && *r.DryRun,
		"options":         optionsValue(r),
	}
	for name, value := range map[string]string{
		"name": r.Name, "namespace": r.Namespace, "subResource": r.SubResource, "requestSubResource": r.RequestSubResource,
	} {
		if value != "" {
			attributes[name] = value
		}
	}
	return attributes
}

// attributesSize returns an upper bound for the sizes of everything in attributesOf.
func attributesSize(r *admissionv1.AdmissionRequest) int {
	// Names of kinds, resources and similar have at most 253 characters.
	size := 1024 + len(r.Name) + len(r.Namespace) + len(r.Options.Raw) + len(r.UserInfo.Username) + len(r.UserInfo.UID) + len(r.UserInfo.Groups) + len(r.UserInfo.Extra)
	for _, group := range r.UserInfo.Groups {
		size += len(group)
	}
	for name, values := range r.UserInfo.Extra {
		size += len(name) + len(values)
		for _, value := range values {
			size += len(value)
		}
	}
	return size
}

func kindValue(k metav1.GroupVersionKind) map[string]any {
	return map[string]any{"group": k.Group, "version": k.Version, "kind": k.Kind}
}

func resourceValue(r metav1.GroupVersionResource) map[string]any {
	return map[string]any{"group": r.Group, "version": r.Version, "resource": r.Resource}
}

func userValue(r *admissionv1.AdmissionRequest) map[string]any {
	value := map[string]any{}
	if r.UserInfo.Username != "" {
		value["username"] = r.UserInfo.Username
	}
	if r.UserInfo.UID != "" {
		value["uid"] = r.UserInfo.UID
	}
	if len(r.UserInfo.Groups) > 0 {
		value["groups"] = anys(r.UserInfo.Groups)
	}
	if len(r.UserInfo.Extra) > 0 {
		extra := make(map[string]any, len(r.UserInfo.Extra))
		for name, values := range r.UserInfo.Extra {
			extra[name] = anys(values)
		}
		value["extra"] = extra
	}
	return value
}

func anys(all []string) []any {
	values := make([]any, len(all))
	for i, s := range all {
		values[i] = s
	}
	return values
}

// optionsValue decodes the options of the operation. Options that are not JSON are treated as
// missing.
func optionsValue(r *admissionv1.AdmissionRequest) any {
	text := r.Options.Raw
	if len(text) == 0 && r.Options.Object != nil {
		text, _ = json.Marshal(r.Options.Object)
	}
	var value any
	if len(text) > 0 && utiljson.Unmarshal(text, &value) != nil {
		return nil
	}
	return value
}

// authorizers holds the CEL variables authorizer and authorizer.requestResource.
type authorizers struct{ all, resource ref.Val }

// authorizerValue returns them, or nil if there is no authorizer.
func (s *subject) authorizerValue(ctx context.Context) *authorizers {
	if s.authorizers != nil || s.cluster.Authorizer == nil {
		return s.authorizers
	}
	info := &user.DefaultInfo{
		Name:   s.request.UserInfo.Username,
		UID:    s.request.UserInfo.UID,
		Groups: s.request.UserInfo.Groups,
		Extra:  map[string][]string{},
	}
	for name, values := range s.request.UserInfo.Extra {
		info.Extra[name] = values
	}
	s.authorizers = newAuthorizers(info, timely{s.cluster.Authorizer, s, ctx}, requested{s.request})
	return s.authorizers
}

func newAuthorizers(who user.Info, ask authorizer.Authorizer, what library.Resource) *authorizers {
	return &authorizers{all: library.NewAuthorizerVal(who, ask), resource: library.NewResourceAuthorizerVal(who, ask, what)}
}

// requested is the resource of the request, as the user wrote it.
type requested struct{ *admissionv1.AdmissionRequest }

func (r requested) GetName() string      { return r.Name }
func (r requested) GetNamespace() string { return r.Namespace }
func (r requested) GetSubresource() string {
	if r.RequestResource != nil {
		return r.RequestSubResource
	}
	return r.SubResource
}

func (r requested) GetResource() schema.GroupVersionResource {
	if r.RequestResource != nil {
		return schema.GroupVersionResource(*r.RequestResource)
	}
	return schema.GroupVersionResource(r.Resource)
}
