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

// validate validates the object: first by its schema, and a valid one by policies and the
// table.
func (p *passage) validate(ctx context.Context) error {
	if err := p.settle(); err != nil {
		return err
	}
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
	// Kubernetes' own policies come before all webhooks. The API server reports only the first
	// of their denials.
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

// deniedBy adds the denial of Kubernetes' own policies.
func (p *passage) deniedBy(verdict *verdicts.Verdict, stage Stage) {
	p.result.add(verdict, stage)
	p.result.native = p.of.resource.GroupResource()
}

// checkSchema validates metadata and, for a custom resource, the whole object.
func (p *passage) checkSchema(ctx context.Context) error {
	if p.object == nil {
		return nil
	}
	errs := p.checkMetadata()
	if s := p.kind.schema; s != nil {
		// A subresource is validated with the object that it belongs to.
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
