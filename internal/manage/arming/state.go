package arming

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/internal/cluster"
	"github.com/crosswalk-dev/crosswalk/internal/manage/reach"
	"github.com/crosswalk-dev/crosswalk/internal/manage/tell"
)

// verdict is the content of a condition.
type verdict struct {
	ok              bool
	reason, message string
}

func yes(reason, message string) verdict { return verdict{true, reason, message} }
func no(reason, message string) verdict  { return verdict{false, reason, message} }

// state is the state of one Crosswalk.
type state struct {
	compiled, armed, ready verdict
	placed                 *verdict      // nil if it is not known
	fingerprint            string        // of the table that the CRD is armed with
	again                  time.Duration // when to look again
	waiting                bool          // others must act first: look again soon, then less often
	silent                 bool          // there is nothing to report: it is deleted, or looked at again at once
}

// judge sets armed and ready. armed is the fingerprint that the CRD requests, if it names the
// Service.
func (s *state) judge(goal *target, armed string, asks bool, problem *reach.Obstacle, service cluster.Service) {
	name := service.Namespace + "/" + service.Name
	switch {
	case asks && armed == goal.Fingerprint() && goal.older:
		s.armed = yes("LastGoodTable", fmt.Sprintf("spec.conversion names the Service %s and the last good table, %s, because the current one does not compile", name, armed))
	case asks && armed == goal.Fingerprint():
		s.armed = yes("Armed", fmt.Sprintf("spec.conversion names the Service %s and this table, %s", name, armed))
	case asks && problem != nil:
		s.armed = yes("OlderTable", fmt.Sprintf("spec.conversion still names the Service %s and the table %s; the current one waits: %s", name, armed, problem.Message))
	case problem != nil:
		s.armed = no(problem.Reason, problem.Message)
	}
	switch {
	case problem != nil:
		s.ready = no(problem.Reason, problem.Message)
		s.waiting = true
	case !s.compiled.ok:
		s.ready = no(s.compiled.reason, s.compiled.message)
	default:
		s.ready = yes("Ready", "objects are converted by this table")
	}
}

// judgeWithout is judge if there is no table to arm a CRD with. The CRD may be nil. kept
// reports that the revision of the table that it is armed with exists: then this process cannot
// compile it, because it lacks a Go function or is an older release.
func (s *state) judgeWithout(crd *apiextensionsv1.CustomResourceDefinition, service cluster.Service, kept bool) {
	s.armed = no(s.compiled.reason, "the CRD is not armed: see the condition Compiled")
	s.ready = no(s.compiled.reason, s.compiled.message)
	if crd == nil {
		return
	}
	armed, asks := service.ArmedWith(crd)
	switch {
	case asks && kept:
		s.armed = yes("OtherBuild", fmt.Sprintf("spec.conversion names the Service %s/%s and the table %s; this build of crosswalk can compile neither that table nor the current one", service.Namespace, service.Name, armed))
		s.ready = no("OtherBuild", fmt.Sprintf("replicas of serve of this build that start from now on cannot answer for the table %s that the CRD is armed with: run the build that armed it, in serve and manage, or fix the table: %s", armed, s.compiled.message))
	case asks:
		s.armed = yes("RevisionMissing", fmt.Sprintf("spec.conversion names the Service %s/%s and the table %s, which has no usable ControllerRevision, and the current table does not compile", service.Namespace, service.Name, armed))
		s.ready = no("RevisionMissing", fmt.Sprintf("no replica of serve that starts from now on can answer for the table %s that the CRD is armed with, because its ControllerRevision is missing: do not restart serve, and fix the table at once: %s", armed, s.compiled.message))
	}
}

// placed returns the verdict about values that earlier tables have kept.
func placed(unplaced bool) *verdict {
	v := yes("Placed", "the running replicas have converted no object within the last hour with a kept value that has no place in this table")
	if unplaced {
		v = no("ValuesNotShown", "objects have values that were kept under an earlier table and that have no place in this one, so their versions do not show them; they are still stored. "+
			"crosswalk audit lists them; change the table so that it has a place for them, or write them in their version")
	}
	return &v
}

// report writes the state to the status.
func (r *reconciler) report(ctx context.Context, t *cluster.Table, s state) error {
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
	if s.ready.ok && r.Authority != nil {
		if o := r.Authority.Obstacle(); o != nil {
			s.ready = yes(o.Reason, s.ready.message+"; but "+o.Message)
		}
	}
	r.setCondition(was, status, v1alpha1.ConditionReady, s.ready)
	if s.placed == nil {
		meta.RemoveStatusCondition(&status.Conditions, v1alpha1.ConditionPlaced)
	} else {
		r.setCondition(was, status, v1alpha1.ConditionPlaced, *s.placed)
	}
	r.setRenewable(was, status)
	return r.writeStatus(ctx, was, next)
}

// setRenewable sets whether the serving certificate can be renewed. Until that is known, the
// condition stays as it is.
func (r *reconciler) setRenewable(was *v1alpha1.Crosswalk, status *v1alpha1.CrosswalkStatus) {
	switch {
	case r.Authority == nil:
		meta.RemoveStatusCondition(&status.Conditions, v1alpha1.ConditionRenewable)
	case r.Authority.Obstacle() != nil:
		o := r.Authority.Obstacle()
		r.setCondition(was, status, v1alpha1.ConditionRenewable, no(o.Reason, o.Message))
	case r.Authority.Known():
		r.setCondition(was, status, v1alpha1.ConditionRenewable, yes("Renewable", "the built-in authority renews the serving certificate"))
	}
}

// reportFailure writes that the API server rejected a request. The other conditions stay.
func (r *reconciler) reportFailure(ctx context.Context, t *cluster.Table, failure error) error {
	refusal := reach.Refused(failure)
	if ctx.Err() != nil || refusal == nil {
		return nil
	}
	next := t.Crosswalk.DeepCopy()
	next.Status.ObservedGeneration = t.Crosswalk.Generation
	r.setCondition(t.Crosswalk, &next.Status, v1alpha1.ConditionReady, no(refusal.Reason, refusal.Message))
	return r.writeStatus(ctx, t.Crosswalk, next)
}

func (r *reconciler) setCondition(was *v1alpha1.Crosswalk, status *v1alpha1.CrosswalkStatus, kind string, v verdict) {
	condition := metav1.Condition{
		Type: kind, Status: metav1.ConditionFalse, Reason: v.reason, Message: tell.Message(v.message),
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

// writeStatus writes a status if it has changed, and emits Events for what was written. A
// process that is ending writes nothing.
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

// announce emits an Event for a condition that has changed, and for a new reason why one is not
// true.
func (r *reconciler) announce(about *v1alpha1.Crosswalk, before *metav1.Condition, now metav1.Condition) {
	if before != nil && before.Status == now.Status && before.Reason == now.Reason {
		return
	}
	r.Logger.Info("condition", "crd", about.Name, "condition", now.Type, "status", now.Status, "reason", now.Reason, "message", now.Message)
	passing := []string{"Settling", "Deleting"}
	causes := []string{v1alpha1.ConditionReady, v1alpha1.ConditionRenewable, v1alpha1.ConditionPlaced} // the others have the same
	if now.Status == metav1.ConditionFalse && slices.Contains(causes, now.Type) && !slices.Contains(passing, now.Reason) {
		r.Events.Eventf(about, nil, "Warning", now.Reason, "Reconcile", "%s", tell.Note(now.Message))
	}
	became := before == nil || before.Status != metav1.ConditionTrue
	if now.Status == metav1.ConditionTrue && now.Type == v1alpha1.ConditionReady && became {
		r.Events.Eventf(about, nil, "Normal", now.Reason, "Reconcile", "%s", tell.Note(now.Message))
	}
}
