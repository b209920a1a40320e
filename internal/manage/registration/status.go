package registration

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/internal/cluster"
	"github.com/crosswalk-dev/crosswalk/internal/manage/reach"
	"github.com/crosswalk-dev/crosswalk/internal/manage/tell"
	"github.com/crosswalk-dev/crosswalk/internal/manage/webhooks"
)

// verdict is the content of the condition.
type verdict struct {
	ok              bool
	reason, message string
}

func yes(reason, message string) verdict { return verdict{true, reason, message} }
func no(reason, message string) verdict  { return verdict{false, reason, message} }

// report writes to the status of every Crosswalk whether its objects are guarded.
func (r *reconciler) report(ctx context.Context, lacking map[string]*reach.Obstacle, settling bool) error {
	var failed []error
	for _, crd := range slices.Sorted(maps.Keys(r.known)) {
		k := r.known[crd]
		v := k.because
		switch problem := lacking[crd]; {
		case crd == cluster.CanaryCRD:
			continue // a canary is never stored, so there is nothing to guard
		case k.because.reason == notArmed && k.unreported():
			continue // arming reports first
		case k.table == nil:
		case problem != nil:
			v = no(problem.Reason, problem.Message)
		case settling && !k.guarded():
			v = no("Settling", "waiting for the API servers to pick up the change")
		default:
			v = yes("Guarded", fmt.Sprintf("the API server calls the Service %s/%s for writes of every version", r.Serve.Service.Namespace, r.Serve.Service.Name))
		}
		err := r.say(ctx, k, v)
		if apierrors.IsConflict(err) {
			// The status has another writer: read its change, and write again.
			var now *unstructured.Unstructured
			if now, err = r.crosswalk(ctx, crd); err == nil {
				k.crosswalk = withoutTable(now)
				err = r.say(ctx, k, v)
			}
		}
		if err = client.IgnoreNotFound(err); err != nil {
			failed = append(failed, fmt.Errorf("crosswalk %s: %w", crd, err))
		}
	}
	return errors.Join(failed...)
}

// guarded reports whether the status of the Crosswalk is Guarded.
func (k *known) guarded() bool {
	status, err := k.status()
	return err == nil && meta.IsStatusConditionTrue(status.Conditions, v1alpha1.ConditionGuarded)
}

// unreported reports whether the status is still empty.
func (k *known) unreported() bool {
	status, err := k.status()
	return err == nil && len(status.Conditions) == 0
}

func (k *known) status() (v1alpha1.CrosswalkStatus, error) {
	var status v1alpha1.CrosswalkStatus
	was, ok := k.crosswalk.Object["status"].(map[string]any)
	if !ok {
		return status, nil
	}
	return status, runtime.DefaultUnstructuredConverter.FromUnstructured(was, &status)
}

// say writes the condition, if it has changed.
func (r *reconciler) say(ctx context.Context, k *known, v verdict) error {
	status, err := k.status()
	if err != nil {
		return err
	}
	condition := metav1.Condition{
		Type: v1alpha1.ConditionGuarded, Status: metav1.ConditionFalse, Reason: v.reason, Message: tell.Message(v.message),
		ObservedGeneration: k.crosswalk.GetGeneration(),
	}
	if v.ok {
		condition.Status = metav1.ConditionTrue
	}
	before := meta.FindStatusCondition(status.Conditions, condition.Type)
	if before == nil || before.Status != condition.Status {
		condition.LastTransitionTime = metav1.NewTime(r.now())
	}
	news := before == nil || before.Status != condition.Status || before.Reason != condition.Reason
	if !meta.SetStatusCondition(&status.Conditions, condition) {
		return nil
	}
	patch, err := json.Marshal(map[string]any{
		// The whole list is replaced, so it must still be the one that was read.
		"metadata": map[string]any{"resourceVersion": k.crosswalk.GetResourceVersion()},
		"status":   map[string]any{"conditions": status.Conditions},
	})
	if err != nil {
		return err
	}
	next := k.crosswalk.DeepCopy()
	if err := r.writer.Status().Patch(ctx, next, client.RawPatch(types.MergePatchType, patch), client.FieldOwner(webhooks.FieldManager)); err != nil {
		return err
	}
	k.crosswalk = withoutTable(next)
	if news {
		r.Logger.Info("condition", "crd", next.GetName(), "condition", condition.Type, "status", condition.Status, "reason", v.reason, "message", v.message)
	}
	return nil
}
