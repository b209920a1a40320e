package webhooks

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/crosswalk-dev/crosswalk/certs/inject"
	"github.com/crosswalk-dev/crosswalk/internal/manage/reach"
	"github.com/crosswalk-dev/crosswalk/validation"
)

// Question is an invented write that is sent to one of serve's routes. Any verdict shows that
// the route exists and can review.
type Question struct {
	// Path is the path of the route, with a query if it needs one.
	Path           string
	Group, Version string
	Kind, Resource string
	// Namespace is empty for a cluster-scoped resource.
	Namespace string
	Operation admissionv1.Operation
	// More holds further members of the object, as JSON with a comma in front.
	More string
	// About identifies the question for the caller.
	About string
	// Answered reports that every server has answered. Refusal is which has not, and why.
	Answered bool
	Refusal  *reach.Obstacle
	// Lacks lists the rights that some servers lack for it, and Unchecked reports that not all
	// of them know.
	Lacks     []string
	Unchecked bool
}

const probe = "crosswalk-probe"

// review returns the AdmissionReview with the question.
func (q *Question) review() *admissionv1.AdmissionReview {
	kind := metav1.GroupVersionKind{Group: q.Group, Version: q.Version, Kind: q.Kind}
	resource := metav1.GroupVersionResource{Group: q.Group, Version: q.Version, Resource: q.Resource}
	object := fmt.Appendf(nil, `{"apiVersion":%q,"kind":%q,"metadata":{"name":%q}%s}`, q.Group+"/"+q.Version, q.Kind, probe, q.More)
	r := &admissionv1.AdmissionReview{
		TypeMeta: metav1.TypeMeta{APIVersion: admissionv1.SchemeGroupVersion.String(), Kind: "AdmissionReview"},
		Request: &admissionv1.AdmissionRequest{
			UID: probe, Kind: kind, Resource: resource, RequestKind: &kind, RequestResource: &resource,
			Name: probe, Namespace: q.Namespace, Operation: q.Operation,
			Object: runtime.RawExtension{Raw: object}, DryRun: new(true),
		},
	}
	r.Request.UserInfo.Username = FieldManager
	if q.Operation == admissionv1.Update {
		r.Request.OldObject.Raw = object
	}
	return r
}

// Put asks the server at an address.
func (q *Question) Put(ctx context.Context, client *http.Client, address string) error {
	review := q.review()
	answer := new(admissionv1.AdmissionReview)
	if _, err := reach.Post(ctx, client, "https://"+address+q.Path, review.Kind, review, answer); err != nil {
		return err
	}
	if answer.Response == nil || answer.Response.UID != review.Request.UID {
		return errors.New("the server is not an admission webhook: its review has no response with our uid")
	}
	lacks, known := answer.Response.AuditAnnotations[validation.LacksAnnotation]
	q.Unchecked = q.Unchecked || !known
	for lack := range strings.SplitSeq(lacks, ",") {
		if lack != "" && !slices.Contains(q.Lacks, lack) {
			q.Lacks = append(q.Lacks, lack)
		}
	}
	return nil
}

// ask sends questions to every ready replica and to the Service, trusting only the given
// bundle. A question has been answered if all of them have answered it. The obstacle is what
// keeps any of them from answering.
func (k *Keeper) ask(ctx context.Context, bundle inject.Bundle, questions []*Question) (*reach.Obstacle, error) {
	client := k.Serve.Client(bundle)
	defer client.CloseIdleConnections()
	obstacle, err := k.Serve.AskAll(ctx, func(ctx context.Context, address string) error {
		for _, q := range questions {
			err := q.Put(ctx, client, address)
			if reach.Unanswered(err) {
				return err
			}
			if err != nil && q.Refusal == nil {
				q.Refusal = &reach.Obstacle{Reason: "WaitingForReplicas", Message: fmt.Sprintf("%s%s does not answer: %v", address, q.Path, err)}
			}
		}
		return nil
	})
	for _, q := range questions {
		q.Answered = obstacle == nil && err == nil && q.Refusal == nil
		if obstacle != nil && q.Refusal == nil {
			q.Refusal = obstacle
		}
	}
	return obstacle, err
}
