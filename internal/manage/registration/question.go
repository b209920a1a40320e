package registration

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	admissionv1 "k8s.io/api/admission/v1"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/certs/inject"
	"github.com/crosswalk-dev/crosswalk/internal/manage/reach"
)

// question is a write that nobody makes, put to one of serve's routes. Any verdict
// on it shows that the route is there and has what it needs to judge.
type question struct {
	path           string
	group, version string
	kind, resource string
	namespace      string // empty for a resource without one
	operation      admissionv1.Operation
	more           string // members of the object, as JSON with a comma before it
	crd            string // whose table it is about; empty for Crosswalk's own
	answered       bool
	refusal        *reach.Obstacle
}

const probe = "crosswalk-probe"

// review is the AdmissionReview in which a question is put.
func (q *question) review() *admissionv1.AdmissionReview {
	kind := metav1.GroupVersionKind{Group: q.group, Version: q.version, Kind: q.kind}
	resource := metav1.GroupVersionResource{Group: q.group, Version: q.version, Resource: q.resource}
	object := fmt.Appendf(nil, `{"apiVersion":%q,"kind":%q,"metadata":{"name":%q}%s}`, q.group+"/"+q.version, q.kind, probe, q.more)
	r := &admissionv1.AdmissionReview{
		TypeMeta: metav1.TypeMeta{APIVersion: admissionv1.SchemeGroupVersion.String(), Kind: "AdmissionReview"},
		Request: &admissionv1.AdmissionRequest{
			UID: probe, Kind: kind, Resource: resource, RequestKind: &kind, RequestResource: &resource,
			Name: probe, Namespace: q.namespace, Operation: q.operation,
			Object: runtime.RawExtension{Raw: object}, DryRun: new(true),
		},
	}
	r.Request.UserInfo.Username = FieldManager
	if q.operation == admissionv1.Update {
		r.Request.OldObject.Raw = object
	}
	return r
}

// put asks the server at an address.
func (q *question) put(ctx context.Context, client *http.Client, address string) error {
	review := q.review()
	answer := new(admissionv1.AdmissionReview)
	if err := reach.Post(ctx, client, "https://"+address+q.path, review.Kind, review, answer); err != nil {
		return err
	}
	if answer.Response == nil || answer.Response.UID != review.Request.UID {
		return errors.New("what answers is no admission webhook: the review has no response with our uid")
	}
	return nil
}

// ask puts questions to every ready replica and to the Service, as somebody who
// believes a bundle and nothing else. A question has been answered if all of them
// have answered it. The obstacle is what keeps any of them from being heard.
func (r *reconciler) ask(ctx context.Context, bundle inject.Bundle, questions []*question) (*reach.Obstacle, error) {
	client := r.Serve.Client(bundle)
	defer client.CloseIdleConnections()
	obstacle, err := r.Serve.AskAll(ctx, func(ctx context.Context, address string) error {
		for _, q := range questions {
			err := q.put(ctx, client, address)
			if reach.Unanswered(err) {
				return err
			}
			if err != nil && q.refusal == nil {
				q.refusal = &reach.Obstacle{Reason: "WaitingForReplicas", Message: fmt.Sprintf("%s%s does not answer: %v", address, q.path, err)}
			}
		}
		return nil
	})
	for _, q := range questions {
		q.answered = obstacle == nil && err == nil && q.refusal == nil
		if obstacle != nil && q.refusal == nil {
			q.refusal = obstacle
		}
	}
	return obstacle, err
}

// questionsOf are those that a version of a table is told of only after they are
// answered: for the guard, and for the strict webhook.
func (r *reconciler) questionsOf(crd string, t Table, version string) (guard, strict *question) {
	q := question{
		path: GuardPath, group: t.Group, version: version, kind: t.Kind, resource: t.Resource,
		operation: admissionv1.Create, crd: crd,
	}
	if t.Scope == admissionregistrationv1.NamespacedScope {
		q.namespace = r.Serve.Service.Namespace
	}
	other := q
	other.path = StrictPath
	return &q, &other
}

func keepingQuestion() *question {
	return &question{
		path: KeepConversionPath, group: apiextensionsv1.GroupName, version: apiextensionsv1.SchemeGroupVersion.Version,
		kind: "CustomResourceDefinition", resource: "customresourcedefinitions", operation: admissionv1.Update,
	}
}

func configuringQuestion() *question {
	return &question{
		path: ConfigurationPath, group: v1alpha1.GroupName, version: v1alpha1.Version,
		kind: v1alpha1.KindCrosswalk, resource: "crosswalks", operation: admissionv1.Create,
		more: `,"spec":{"hub":"v1"}`, // without a hub it would be denied, and the log would tell of it
	}
}
