package admit

import (
	"maps"

	admissionv1 "k8s.io/api/admission/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/crosswalk-dev/crosswalk/internal/builtin"
)

// settle restores the fields that this request cannot change, and sets those that the API
// server computes.
func (p *passage) settle() error {
	p.generateName()
	if p.object == nil || p.kind != p.of || !p.kind.kept {
		return nil
	}
	if p.kind.custom != nil {
		p.settleCustom()
		keepMetadata(p.object, p.old)
		return nil
	}
	// The report compares the object with the one that would be stored without policies.
	if sent := (&unstructured.Unstructured{Object: p.result.Sent}); sent.GetName() == "" {
		sent.SetName(p.request.Name)
	}
	for _, object := range []*map[string]any{&p.object, &p.result.Sent} {
		stored, err := p.stored(*object)
		if err != nil {
			return err
		}
		*object = stored
	}
	return nil
}

// stored returns an object of one of Kubernetes' own kinds as the API server stores it.
func (p *passage) stored(object map[string]any) (map[string]any, error) {
	if p.old == nil {
		return p.kind.created(object, p.request.UserInfo)
	}
	stored, err := builtin.Write{Kind: p.kind.GroupVersionKind, Subresource: p.request.SubResource, Object: object, Old: p.old, User: p.request.UserInfo}.Stored()
	if err != nil {
		return nil, err
	}
	keepMetadata(stored, p.old)
	return stored, nil
}

// created returns a new object of one of Kubernetes' own kinds as the API server stores it,
// without its uid and creationTimestamp.
func (k *kind) created(object map[string]any, by authenticationv1.UserInfo) (map[string]any, error) {
	object = copied(object)
	(&unstructured.Unstructured{Object: object}).SetUID(madeUp)
	stored, err := builtin.Write{Kind: k.GroupVersionKind, Object: object, User: by}.Stored()
	if err != nil {
		return nil, err
	}
	unstructured.RemoveNestedField(stored, "metadata", "uid")
	return stored, nil
}

// settleCustom restores the fields of a custom resource that this request cannot change
// (k8s.io/apiextensions-apiserver/pkg/registry/customresource).
func (p *passage) settleCustom() {
	p.kind.schema.prune(p.object)
	tidy(p.object)
	if !p.kind.hasStatus {
		return
	}
	if p.request.SubResource == "status" {
		status, found := p.object["status"]
		p.object = copied(p.old)
		set(p.object, "status", status, found)
		return
	}
	status, found := copied(p.old)["status"]
	set(p.object, "status", status, found)
}

// generateName names an object as the API server does between mutation and validation
// (k8s.io/apiserver/pkg/registry/rest, BeforeCreate), except that the generated part is always
// the same. Validation sees the name.
func (p *passage) generateName() {
	object := &unstructured.Unstructured{Object: p.object}
	if p.request.Operation != admissionv1.Create || p.request.SubResource != "" || object.GetName() != "" || object.GetGenerateName() == "" {
		return
	}
	// k8s.io/apiserver/pkg/storage/names
	const longest, made = 63, "xxxxx"
	base := object.GetGenerateName()
	object.SetName(base[:min(len(base), longest-len(made))] + made)
	p.request.Name = object.GetName()
	p.result.Name = object.GetName()
}

// keepMetadata leaves in an object what no update can change
// (k8s.io/apiserver/pkg/registry/rest, BeforeUpdate).
func keepMetadata(object, old map[string]any) {
	if old == nil {
		return
	}
	is, was := &unstructured.Unstructured{Object: object}, &unstructured.Unstructured{Object: old}
	if is.GetUID() == "" && was.GetUID() != "" {
		is.SetUID(was.GetUID())
	}
	for _, field := range []string{"creationTimestamp", "deletionTimestamp"} {
		if value, found, _ := unstructured.NestedString(old, "metadata", field); found {
			// It has metadata, or it would have no name.
			_ = unstructured.SetNestedField(object, value, "metadata", field)
		}
	}
	if is.GetDeletionGracePeriodSeconds() == nil {
		is.SetDeletionGracePeriodSeconds(was.GetDeletionGracePeriodSeconds())
	}
}

// madeUp is the uid of what is created.
const madeUp = "00000000-0000-0000-0000-000000000000"

// judged returns the request that validating admission gets. Its objects have a uid and a
// creationTimestamp, which are not part of the result.
func (p *passage) judged() (*admissionv1.AdmissionRequest, error) {
	if p.kind != p.of || !p.kind.kept {
		return p.asked()
	}
	with := *p
	with.object, with.old = identified(p.object), identified(p.old)
	if p.kind.custom != nil {
		with.count()
	}
	return with.asked()
}

// count sets metadata.generation of a custom resource and its old object. Every change
// outside metadata, and outside a status that is a subresource, increments it.
func (p *passage) count() {
	object, old := &unstructured.Unstructured{Object: p.object}, &unstructured.Unstructured{Object: p.old}
	generation := int64(1)
	if p.old != nil {
		generation = max(generation, old.GetGeneration())
		old.SetGeneration(generation)
	}
	if p.object == nil {
		return
	}
	if p.old != nil && p.request.SubResource == "" && !equality.Semantic.DeepEqual(withoutMetadata(p.object), withoutMetadata(p.old)) {
		generation++
	}
	object.SetGeneration(generation)
}

func withoutMetadata(object map[string]any) map[string]any {
	rest := maps.Clone(object)
	delete(rest, "metadata")
	return rest
}

// identified returns an object with a uid and a creationTimestamp.
func identified(object map[string]any) map[string]any {
	if object == nil {
		return nil
	}
	with := &unstructured.Unstructured{Object: copied(object)}
	if with.GetUID() == "" {
		with.SetUID(madeUp)
	}
	if created := with.GetCreationTimestamp(); created.IsZero() {
		with.SetCreationTimestamp(metav1.Now())
	}
	return with.Object
}

// tidy removes empty labels and annotations, as the API server does when it reads metadata
// (k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta).
func tidy(object map[string]any) {
	metadata, _ := object["metadata"].(map[string]any)
	for _, name := range []string{"labels", "annotations"} {
		if all, ok := metadata[name].(map[string]any); ok && len(all) == 0 {
			delete(metadata, name)
		}
	}
}

func set(object map[string]any, name string, value any, found bool) {
	if found {
		object[name] = value
	} else {
		delete(object, name)
	}
}
