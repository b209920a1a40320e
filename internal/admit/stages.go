package admit

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/crosswalk-dev/crosswalk/validation"
)

// receive does what the API server does before it asks anybody: it finds the kind,
// prunes and defaults the objects, and brings the old one into the version of the
// write.
func (j *Judge) receive(w *Write) (*passage, error) {
	p := &passage{judge: j, result: new(Result)}
	text := w.Object
	if text == nil {
		text = w.Old
	}
	main, err := read(text)
	if err != nil {
		return nil, err
	}
	if p.kind, err = j.kinds.find(main.GroupVersionKind()); err != nil {
		return nil, err
	}
	if c := p.kind.custom; c != nil && !slices.Contains(c.served(), p.kind.Version) {
		return nil, fmt.Errorf("%s is not served in %s", c.crd.Name, p.kind.Version)
	}
	if w.SubResource == "status" && p.kind.custom != nil && !p.kind.hasStatus {
		return nil, fmt.Errorf("%s has no subresource status in %s", p.kind.custom.crd.Name, p.kind.Version)
	}
	p.kind.place(main, w.Namespace)
	if w.Old != nil {
		old, err := p.receiveOld(w, main)
		if err != nil {
			return nil, fmt.Errorf("the old object: %w", err)
		}
		p.old = old.Object
	}
	if w.Object != nil {
		p.result.Sent = copied(main.Object)
		if w.Operation == admissionv1.Create {
			wipe(main)
		}
		p.object, p.result.Warnings, err = p.kind.receive(main.Object)
		switch {
		case err != nil:
			p.object = main.Object
			p.result.add(refused(err), Schema)
		case p.kind.custom == nil:
			p.result.Sent, p.result.filled = copied(p.object), true
		}
	}
	p.request = j.request(w, p.kind, main)
	p.result.request(&p.request)
	p.world, err = j.kinds.newWorld(p.others(w), w.Namespace, main.GetNamespace())
	return p, err
}

// receiveOld reads the old object as it is stored and gives it in the version of the
// write.
func (p *passage) receiveOld(w *Write, main *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	old, err := read(w.Old)
	if err != nil {
		return nil, err
	}
	if old.GroupVersionKind().GroupKind() != p.kind.GroupKind() {
		return nil, fmt.Errorf("it is a %s, and what is written over it is a %s", old.GroupVersionKind().GroupKind(), p.kind.GroupKind())
	}
	known, err := p.judge.kinds.find(old.GroupVersionKind())
	if err != nil {
		return nil, err
	}
	known.place(old, w.Namespace)
	if old.GetName() != main.GetName() || old.GetNamespace() != main.GetNamespace() {
		return nil, fmt.Errorf("it is %s, and what is written over it is %s: a write keeps the name", called(old), called(main))
	}
	if old.Object, _, err = known.receive(old.Object); err != nil || known.custom == nil {
		return old, err
	}
	converted, err := known.custom.convert(old, p.kind.Version)
	if err == nil {
		p.kind.schema.prune(converted.Object)
	}
	return converted, err
}

// refused is what becomes of an object that cannot be read.
func refused(err error) *validation.Verdict {
	return &validation.Verdict{Causes: []validation.Cause{{Message: err.Error(), Reason: metav1.StatusReasonBadRequest}}}
}

func called(object *unstructured.Unstructured) string {
	if namespace := object.GetNamespace(); namespace != "" {
		return namespace + "/" + object.GetName()
	}
	return object.GetName()
}

// wipe takes away what only the API server writes (k8s.io/apiserver/pkg/registry/rest,
// WipeObjectMetaSystemFields), so that what a cluster has given can be judged anew.
func wipe(object *unstructured.Unstructured) {
	for _, field := range []string{"uid", "resourceVersion", "generation", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "selfLink", "managedFields"} {
		unstructured.RemoveNestedField(object.Object, "metadata", field)
	}
}

// others are the objects that are there while this one is written: the old one among
// them.
func (p *passage) others(w *Write) []*unstructured.Unstructured {
	if p.old == nil {
		return w.Context
	}
	old := &unstructured.Unstructured{Object: p.old}
	all := []*unstructured.Unstructured{old}
	for _, o := range w.Context {
		namespace := o.GetNamespace()
		if namespace == "" && p.kind.namespaced {
			namespace = w.Namespace
		}
		if o.GroupVersionKind().GroupKind() != p.kind.GroupKind() || o.GetName() != old.GetName() || namespace != old.GetNamespace() {
			all = append(all, o)
		}
	}
	return all
}

// request is the request without its objects.
func (j *Judge) request(w *Write, k *kind, object *unstructured.Unstructured) admissionv1.AdmissionRequest {
	gvk := metav1.GroupVersionKind(k.GroupVersionKind)
	gvr := metav1.GroupVersionResource(k.resource)
	options := map[admissionv1.Operation]string{admissionv1.Create: "CreateOptions", admissionv1.Update: "UpdateOptions", admissionv1.Delete: "DeleteOptions"}
	dryRun := false
	request := admissionv1.AdmissionRequest{
		UID: "00000000-0000-0000-0000-000000000000", Kind: gvk, Resource: gvr, SubResource: w.SubResource,
		RequestKind: &gvk, RequestResource: &gvr, RequestSubResource: w.SubResource,
		Name: object.GetName(), Namespace: object.GetNamespace(), Operation: w.Operation, UserInfo: w.User, DryRun: &dryRun,
	}
	if gvk.Kind == "Namespace" && gvk.Group == "" {
		request.Namespace = object.GetName()
	}
	// Strings alone: it always marshals.
	request.Options.Raw, _ = json.Marshal(map[string]string{
		"apiVersion": "meta.k8s.io/v1", "kind": options[w.Operation], "fieldManager": "kubectl",
	})
	return request
}

// mutate lets the object be changed, in the order in which the API server asks:
// Kubernetes' own policies, the guard, which is asked again after a change, and
// policies of crosswalk.dev.
func (p *passage) mutate(ctx context.Context) error {
	if p.object == nil {
		return nil
	}
	policies, err := p.asker(true)
	if err != nil {
		return err
	}
	guard := func(ctx context.Context, r *admissionv1.AdmissionRequest) (*validation.Verdict, error) {
		if p.kind.custom == nil || !p.kind.custom.guarded {
			return nil, nil
		}
		return p.judge.guard.Review(ctx, r)
	}
	steps := []validation.ReviewerFunc{
		func(ctx context.Context, r *admissionv1.AdmissionRequest) (*validation.Verdict, error) {
			return policies.ask(ctx, r, true)
		},
		guard,
		func(ctx context.Context, r *admissionv1.AdmissionRequest) (*validation.Verdict, error) {
			return policies.ask(ctx, r, false)
		},
		guard,
	}
	for i, step := range steps {
		request, err := p.asked()
		if err != nil {
			return err
		}
		verdict, err := step(ctx, request)
		if err != nil {
			return err
		}
		if i == 0 && !verdict.Allowed() {
			p.deniedBy(verdict, Mutation)
			return nil
		}
		if err := p.take(verdict, Mutation); err != nil || !p.result.Allowed() {
			return err
		}
		// As after every webhook (admission/plugin/webhook/mutating).
		completed, err := p.kind.complete(p.object)
		if err != nil {
			p.result.add(refused(err), Mutation)
			return nil
		}
		p.object = completed
	}
	return nil
}
