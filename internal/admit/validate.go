package admit

import (
	"context"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/validation/field"

	verdicts "github.com/crosswalk-dev/crosswalk/validation"
)

// validate judges what has become of the object: by its schema first, and only what
// passes that by policies and the table.
func (p *passage) validate(ctx context.Context) error {
	p.settle()
	if err := p.checkSchema(ctx); err != nil || !p.result.Allowed() {
		return err
	}
	request, err := p.judged()
	if err != nil {
		return err
	}
	policies, err := p.asker(false)
	if err != nil {
		return err
	}
	// The policies of Kubernetes come before all webhooks, and of what they have against
	// a write the API server tells the first.
	verdict, err := policies.ask(ctx, request, true)
	if err != nil {
		return err
	}
	if !verdict.Allowed() {
		verdict.Causes = verdict.Causes[:1]
		p.deniedBy(verdict, Validation)
		return nil
	}
	p.result.add(verdict, Validation)
	if c := p.kind.custom; c != nil && c.guarded {
		verdict, err := p.judge.strict.Review(ctx, request)
		if err != nil {
			return err
		}
		p.result.add(verdict, Validation)
	}
	if verdict, err = policies.ask(ctx, request, false); err != nil {
		return err
	}
	p.result.add(verdict, Validation)
	return nil
}

// deniedBy takes in what policies of Kubernetes deny.
func (p *passage) deniedBy(verdict *verdicts.Verdict, stage Stage) {
	p.result.add(verdict, stage)
	p.result.native = p.of.resource.GroupResource()
}

// settle leaves in the object what this request may write
// (k8s.io/apiextensions-apiserver/pkg/registry/customresource).
func (p *passage) settle() {
	p.generateName()
	if p.kind == p.of {
		p.keepMetadata()
	}
	if p.object == nil || p.kind != p.of {
		return
	}
	if p.kind.custom != nil {
		p.kind.schema.prune(p.object)
		tidy(p.object)
	}
	if !p.kind.hasStatus {
		return
	}
	switch p.request.SubResource {
	case "":
	case "status":
		status, found := p.object["status"]
		p.object = copied(p.old)
		set(p.object, "status", status, found)
		return
	default:
		p.object = settleSubresource(p.request.SubResource, p.object, p.old)
		return
	}
	status, found := p.statusBefore()["status"]
	set(p.object, "status", status, found)
}

// statusBefore gives an object with the status that a write of anything else leaves:
// that of the old object, or what there is at the beginning. A Node begins with what its
// kubelet says.
func (p *passage) statusBefore() map[string]any {
	switch {
	case p.old != nil:
		return copied(p.old)
	case p.kind.custom != nil:
		return nil
	case p.kind.Kind == "Node":
		return p.object
	}
	begun := copied(p.object)
	delete(begun, "status")
	if completed, err := p.kind.complete(begun, false); err == nil {
		begun = completed
	}
	return begun
}

// generateName names an object as the API server does between mutation and validation
// (k8s.io/apiserver/pkg/registry/rest, BeforeCreate), but that what it makes up is
// always the same. Who validates is told the name.
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
func (p *passage) keepMetadata() {
	if p.object == nil || p.old == nil {
		return
	}
	object, old := &unstructured.Unstructured{Object: p.object}, &unstructured.Unstructured{Object: p.old}
	if object.GetUID() == "" && old.GetUID() != "" {
		object.SetUID(old.GetUID())
	}
	for _, field := range []string{"creationTimestamp", "deletionTimestamp"} {
		if was, found, _ := unstructured.NestedString(p.old, "metadata", field); found {
			// It has metadata, or it would have no name.
			_ = unstructured.SetNestedField(p.object, was, "metadata", field)
		}
	}
	if object.GetDeletionGracePeriodSeconds() == nil {
		object.SetDeletionGracePeriodSeconds(old.GetDeletionGracePeriodSeconds())
	}
}

// judged is the request as it is before those who validate: what is created has been
// given an identity, which is another one for every object and not part of the result.
func (p *passage) judged() (*admissionv1.AdmissionRequest, error) {
	if p.request.Operation != admissionv1.Create || p.request.SubResource != "" {
		return p.asked()
	}
	with := *p
	with.object = copied(p.object)
	object := &unstructured.Unstructured{Object: with.object}
	object.SetUID("00000000-0000-0000-0000-000000000000")
	object.SetCreationTimestamp(metav1.Now())
	if p.kind.custom != nil {
		object.SetGeneration(1)
	}
	return with.asked()
}

// tidy takes empty labels and annotations away, as the API server does when it reads
// metadata (k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta).
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

// checkSchema judges metadata and, of a custom resource, all of the object.
func (p *passage) checkSchema(ctx context.Context) error {
	if p.object == nil {
		return nil
	}
	errs := p.checkMetadata()
	if s := p.kind.schema; s != nil {
		// A subresource is judged with the object that it is of.
		wrong, err := s.check(ctx, p.object, p.old)
		if err != nil {
			return err
		}
		errs = append(errs, wrong...)
	}
	verdict := new(verdicts.Verdict)
	for _, err := range errs {
		verdict.Causes = append(verdict.Causes, verdicts.Cause{Field: err.Field, Type: metav1.CauseType(err.Type), Message: err.ErrorBody()})
	}
	p.result.add(verdict, Schema)
	return nil
}

func (p *passage) checkMetadata() field.ErrorList {
	meta := &unstructured.Unstructured{Object: p.object}
	if p.request.Operation != admissionv1.Create || p.kind.custom == nil {
		return nil
	}
	return validation.ValidateObjectMetaAccessor(meta, p.kind.namespaced, validation.NameIsDNSSubdomain, field.NewPath("metadata"))
}
