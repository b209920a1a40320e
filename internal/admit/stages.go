package admit

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/crosswalk-dev/crosswalk/validation"
)

// receive does what the API server does before admission: it finds the kind, prunes and
// defaults the objects, and converts the old object to the version of the write.
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
	var old *unstructured.Unstructured
	if w.Old != nil {
		if old, err = read(w.Old); err != nil {
			return nil, fmt.Errorf("the old object: %w", err)
		}
	}
	if p.kind, p.of, err = j.kinds.target(w, main, old); err != nil {
		return nil, err
	}
	p.of.place(main, w.Namespace)
	namespace := main.GetNamespace()
	if main.GetName() == "" && p.kind != p.of {
		return nil, fmt.Errorf("metadata.name is missing: it must name the %s of the %s", p.of.Kind, w.SubResource)
	}
	var written map[string]any
	if old != nil {
		written = copied(old.Object)
		if err := p.receiveOld(w, main, old); err != nil {
			return nil, fmt.Errorf("the old object: %w", err)
		}
	}
	p.request = p.ask(w, main)
	p.result.request(&p.request)
	if w.Object != nil {
		p.result.Sent = copied(main.Object)
		switch {
		case w.Operation == admissionv1.Create:
			wipe(main)
		case w.Operation == admissionv1.Connect:
			// Options have no metadata. The name is part of the request's path.
			delete(main.Object, "metadata")
			if path, _ := main.Object["path"].(string); path != "" && !strings.HasPrefix(path, "/") {
				main.Object["path"] = "/" + path
			}
		case p.scaled != nil:
			patchScale(main.Object, p.old)
		}
		if p.object, p.result.Warnings, err = p.kind.receive(main.Object); err != nil {
			p.object = main.Object
			p.result.add(refused(err, metav1.StatusReasonBadRequest), Schema)
		}
	}
	p.result.Kind = metav1.GroupVersionKind(p.of.GroupVersionKind)
	if p.world, err = p.newWorld(w, namespace); err != nil || !p.result.Allowed() || p.kind.custom != nil {
		return p, err
	}
	return p, p.fillIn(main.Object, written)
}

// receiveOld reads the old object as it is stored, in the version of the write. For a Scale it
// returns the Scale of the object.
func (p *passage) receiveOld(w *Write, main, old *unstructured.Unstructured) error {
	if old.GroupVersionKind().GroupKind() != p.of.GroupKind() {
		return fmt.Errorf("it is a %s, but the new object is a %s", old.GroupVersionKind().GroupKind(), p.of.GroupKind())
	}
	known, err := p.judge.kinds.find(old.GroupVersionKind())
	if err != nil {
		return err
	}
	known.place(old, w.Namespace)
	if old.GetName() != main.GetName() || old.GetNamespace() != main.GetNamespace() {
		return fmt.Errorf("it is %s, but the new object is %s: an update can't change the name", called(old), called(main))
	}
	if old.Object, _, err = known.receive(old.Object); err != nil {
		return err
	}
	if known.custom != nil {
		if old, err = known.custom.convert(old, p.of.Version); err != nil {
			return err
		}
		p.of.schema.prune(old.Object)
	}
	if p.kind != p.of {
		p.scaled = old.Object
		if old, err = p.of.scaleOf(old); err != nil {
			return err
		}
		if old.Object, _, err = p.kind.receive(old.Object); err != nil {
			return err
		}
	}
	p.old = old.Object
	return nil
}

// refused returns the verdict for an object that cannot be read.
func refused(err error, reason metav1.StatusReason) *validation.Verdict {
	return &validation.Verdict{Causes: []validation.Cause{{Message: err.Error(), Reason: reason}}}
}

func called(object *unstructured.Unstructured) string {
	if namespace := object.GetNamespace(); namespace != "" {
		return namespace + "/" + object.GetName()
	}
	return object.GetName()
}

// wipe removes what only the API server writes (k8s.io/apiserver/pkg/registry/rest,
// WipeObjectMetaSystemFields), so that an object of a cluster can be evaluated as a new one.
func wipe(object *unstructured.Unstructured) {
	for _, field := range []string{"uid", "resourceVersion", "generation", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "selfLink", "managedFields"} {
		unstructured.RemoveNestedField(object.Object, "metadata", field)
	}
}

// newWorld returns the objects that exist while this one is written: those of the context,
// the old one, and the namespace of the write, if it has one.
func (p *passage) newWorld(w *Write, namespace string) (*world, error) {
	given, own := w.Context, []*unstructured.Unstructured(nil)
	old := &unstructured.Unstructured{Object: p.old}
	if p.scaled != nil {
		old.Object = p.scaled
	}
	if old.Object != nil {
		given, own = p.without(old, w), append(own, old)
	}
	there := func(o *unstructured.Unstructured) bool {
		return o.GroupVersionKind() == namespaces && o.GetName() == namespace
	}
	if namespace != "" && !slices.ContainsFunc(given, there) && !slices.ContainsFunc(own, there) {
		made := new(unstructured.Unstructured)
		made.SetGroupVersionKind(namespaces)
		made.SetName(namespace)
		own = append(own, made)
	}
	return p.judge.kinds.newWorld(given, own, w.Namespace)
}

// without returns the objects of the context, except for the old object, because the given one
// is newer.
func (p *passage) without(old *unstructured.Unstructured, w *Write) []*unstructured.Unstructured {
	var others []*unstructured.Unstructured
	for _, o := range w.Context {
		namespace := o.GetNamespace()
		if namespace == "" && p.of.namespaced {
			namespace = w.Namespace
		}
		if o.GroupVersionKind().GroupKind() != p.of.GroupKind() || o.GetName() != old.GetName() || namespace != old.GetNamespace() {
			others = append(others, o)
		}
	}
	return others
}

// ask returns the request without its objects.
func (p *passage) ask(w *Write, object *unstructured.Unstructured) admissionv1.AdmissionRequest {
	gvk := metav1.GroupVersionKind(p.kind.GroupVersionKind)
	gvr := metav1.GroupVersionResource(p.of.resource)
	options := map[admissionv1.Operation]string{admissionv1.Create: "CreateOptions", admissionv1.Update: "UpdateOptions", admissionv1.Delete: "DeleteOptions"}
	dryRun := false
	request := admissionv1.AdmissionRequest{
		UID: madeUp, Kind: gvk, Resource: gvr, SubResource: w.SubResource,
		RequestKind: &gvk, RequestResource: &gvr, RequestSubResource: w.SubResource,
		Name: object.GetName(), Namespace: object.GetNamespace(), Operation: w.Operation, UserInfo: w.User, DryRun: &dryRun,
	}
	if p.of.GroupVersionKind == namespaces {
		request.Namespace = object.GetName()
	}
	if kind := options[w.Operation]; kind != "" {
		// It has only strings, so marshalling cannot fail.
		request.Options.Raw, _ = json.Marshal(map[string]string{"apiVersion": "meta.k8s.io/v1", "kind": kind, "fieldManager": "kubectl"})
	}
	return request
}

// mutate changes the object, in the order of the API server: Kubernetes' own policies, the
// guard, which is called again after a change, and policies of crosswalk.dev.
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
		completed, err := p.kind.complete(p.object, false)
		if err != nil {
			p.result.add(refused(err, metav1.StatusReasonInternalError), Mutation)
			return nil
		}
		p.object = completed
	}
	return nil
}
