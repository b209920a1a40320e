package arming

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/internal/cluster"
)

// verdict is what a condition says.
type verdict struct {
	ok              bool
	reason, message string
}

func yes(reason, message string) verdict { return verdict{true, reason, message} }
func no(reason, message string) verdict  { return verdict{false, reason, message} }

// obstacle is what keeps a CRD from being armed, or its table from answering:
// a reason in one word, and a message that says cause and remedy.
type obstacle struct{ reason, message string }

// standing is how it stands with one Crosswalk.
type standing struct {
	compiled, armed, ready verdict
	fingerprint            string        // what the CRD is armed with
	again                  time.Duration // when to look again
	waiting                bool          // others must do something first: look again soon, then less often
	silent                 bool          // there is nothing to report: it is let go, or looked at anew
}

// judge fills in armed and ready. armed is the fingerprint that the CRD asks
// the Service for, where it asks it.
func (s *standing) judge(goal *target, armed string, asks bool, problem *obstacle, service cluster.Service) {
	name := service.Namespace + "/" + service.Name
	switch {
	case asks && armed == goal.Fingerprint() && goal.older:
		s.armed = yes("LastGoodTable", fmt.Sprintf("spec.conversion asks the Service %s for the last good table, %s, because the present one does not compile", name, armed))
	case asks && armed == goal.Fingerprint():
		s.armed = yes("Armed", fmt.Sprintf("spec.conversion asks the Service %s for this table, %s", name, armed))
	case asks && problem != nil:
		s.armed = yes("OlderTable", fmt.Sprintf("spec.conversion still asks the Service %s for the table %s; the present one waits: %s", name, armed, problem.message))
	case problem != nil:
		s.armed = no(problem.reason, problem.message)
	}
	switch {
	case problem != nil:
		s.ready = no(problem.reason, problem.message)
		s.waiting = true
	case !s.compiled.ok:
		s.ready = no(s.compiled.reason, s.compiled.message)
	default:
		s.ready = yes("Ready", "objects are converted by this table")
	}
}

// judgeWithout is judge where there is no table to arm a CRD with. The CRD may be
// nil. kept says that the revision of the table that it is armed with is there: then it
// is this process that cannot compile it, for want of a Go function, or because it is
// of an older release.
func (s *standing) judgeWithout(crd *apiextensionsv1.CustomResourceDefinition, service cluster.Service, kept bool) {
	s.armed = no(s.compiled.reason, "the CRD is not armed: see the condition Compiled")
	s.ready = no(s.compiled.reason, s.compiled.message)
	if crd == nil {
		return
	}
	armed, asks := service.ArmedWith(crd)
	switch {
	case asks && kept:
		s.armed = yes("OtherBuild", fmt.Sprintf("spec.conversion asks the Service %s/%s for the table %s, which this build of crosswalk cannot compile, nor the present one", service.Namespace, service.Name, armed))
		s.ready = no("OtherBuild", fmt.Sprintf("replicas of serve of this build that start from now on cannot answer for the table %s that the CRD is armed with: run the build by which it was armed, in serve and manage, or mend the table: %s", armed, s.compiled.message))
	case asks:
		s.armed = yes("RevisionMissing", fmt.Sprintf("spec.conversion asks the Service %s/%s for the table %s, of which there is no usable ControllerRevision, and the present one does not compile", service.Namespace, service.Name, armed))
		s.ready = no("RevisionMissing", fmt.Sprintf("no replica of serve that starts from now on can answer for the table %s that the CRD is armed with, because its ControllerRevision is gone: do not restart serve, but mend the table at once: %s", armed, s.compiled.message))
	}
}

// report says in the status how it stands.
func (r *reconciler) report(ctx context.Context, t *cluster.Table, s standing) error {
	was := t.Crosswalk
	next := was.DeepCopy()
	status := &next.Status
	status.ObservedGeneration = was.Generation
	status.Fingerprint = s.fingerprint
	status.Kind, status.VersionNames = "", strings.Join(t.Versions(), ",")
	if t.CRD != nil {
		status.Kind = t.CRD.Spec.Names.Kind
	}
	r.setCondition(was, status, v1alpha1.ConditionCompiled, s.compiled)
	r.setCondition(was, status, v1alpha1.ConditionArmed, s.armed)
	r.setCondition(was, status, v1alpha1.ConditionReady, s.ready)
	return r.writeStatus(ctx, was, next)
}

// reportFailure says what the API server has refused. The other conditions stay as
// they are. Where the API server is away or busy, nothing is said: what is there
// stays as it is.
func (r *reconciler) reportFailure(ctx context.Context, t *cluster.Table, failure error) error {
	var refusal apierrors.APIStatus
	if ctx.Err() != nil || !errors.As(failure, &refusal) || apierrors.IsTooManyRequests(failure) ||
		apierrors.IsServiceUnavailable(failure) || apierrors.IsTimeout(failure) || apierrors.IsServerTimeout(failure) {
		return nil
	}
	next := t.Crosswalk.DeepCopy()
	next.Status.ObservedGeneration = t.Crosswalk.Generation
	r.setCondition(t.Crosswalk, &next.Status, v1alpha1.ConditionReady,
		no("Refused", fmt.Sprintf("the API server refuses what crosswalk manage has to do, which tries again: %v", failure)))
	return r.writeStatus(ctx, t.Crosswalk, next)
}

func (r *reconciler) setCondition(was *v1alpha1.Crosswalk, status *v1alpha1.CrosswalkStatus, kind string, v verdict) {
	condition := metav1.Condition{
		Type: kind, Status: metav1.ConditionFalse, Reason: v.reason, Message: shorten(v.message),
		ObservedGeneration: was.Generation,
	}
	if v.ok {
		condition.Status = metav1.ConditionTrue
	}
	before := meta.FindStatusCondition(was.Status.Conditions, kind)
	if before == nil || before.Status != condition.Status {
		condition.LastTransitionTime = metav1.NewTime(r.Now())
	}
	meta.SetStatusCondition(&status.Conditions, condition)
}

// writeStatus writes a status, where it has changed, and announces what has been written:
// what was found while this process ends is not.
func (r *reconciler) writeStatus(ctx context.Context, was, next *v1alpha1.Crosswalk) error {
	if equality.Semantic.DeepEqual(was.Status, next.Status) {
		return nil
	}
	err := r.writer.Status().Patch(ctx, next, client.MergeFromWithOptions(was, client.MergeFromWithOptimisticLock{}), client.FieldOwner(FieldManager))
	if err != nil {
		return client.IgnoreNotFound(err)
	}
	for _, condition := range next.Status.Conditions {
		r.announce(was, meta.FindStatusCondition(was.Status.Conditions, condition.Type), condition)
	}
	return nil
}

// announce makes an event of a condition that has changed, and of a new reason
// why one is not true.
func (r *reconciler) announce(about *v1alpha1.Crosswalk, before *metav1.Condition, now metav1.Condition) {
	if before != nil && before.Status == now.Status && before.Reason == now.Reason {
		return
	}
	r.Logger.Info("condition", "crd", about.Name, "condition", now.Type, "status", now.Status, "reason", now.Reason, "message", now.Message)
	passing := []string{"Settling", "Deleting"}
	if now.Status == metav1.ConditionFalse && now.Type == v1alpha1.ConditionReady && !slices.Contains(passing, now.Reason) {
		r.Events.Eventf(about, nil, "Warning", now.Reason, "Reconcile", "%s", excerpt(now.Message))
	}
	if now.Status == metav1.ConditionTrue && now.Type == v1alpha1.ConditionReady {
		r.Events.Eventf(about, nil, "Normal", now.Reason, "Reconcile", "%s", excerpt(now.Message))
	}
}

// shorten keeps a message within what a condition holds.
func shorten(message string) string { return cut(message, 32768) } // metav1.Condition: MaxLength

// excerpt keeps a message within what an event holds.
func excerpt(message string) string { return cut(message, 1024) } // events/v1: note

func cut(message string, most int) string {
	if len(message) <= most {
		return message
	}
	const more = " ..."
	return strings.ToValidUTF8(message[:most-len(more)], "") + more
}
