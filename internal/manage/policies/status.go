package policies

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/internal/manage/tell"
	"github.com/crosswalk-dev/crosswalk/internal/manage/webhooks"
)

// verdict is the content of a condition.
type verdict struct {
	ok              bool
	unknown         bool
	reason, message string
}

func yes(reason, message string) verdict { return verdict{ok: true, reason: reason, message: message} }
func no(reason, message string) verdict  { return verdict{reason: reason, message: message} }

// report writes the status of every policy.
func (r *reconciler) report(ctx context.Context, s *situation, settling bool) error {
	var failed []error
	r.fits.want(s.all)
	unknown := cmp.Or(r.Serve.Obstacle(), r.Rights.Obstacle())
	for _, k := range s.all {
		compiled := yes("Compiled", "every expression compiles")
		if k.problem != "" {
			compiled = no("InvalidPolicy", k.problem)
		}
		ready := yes("Registered", fmt.Sprintf("the API server calls the Service %s/%s for every write that the policy matches", r.Serve.Service.Namespace, r.Serve.Service.Name))
		missing, checked := r.fits.missing(k.object)
		told := false
		if s.told != nil {
			_, told = s.told[k.side][k.object.GetName()]
		}
		switch {
		case k.obstacle != nil && told:
			ready = no(k.obstacle.Reason, k.obstacle.Message+"; until then the previous registration stays")
		case k.obstacle != nil:
			ready = no(k.obstacle.Reason, k.obstacle.Message)
		case unknown != nil:
			ready = no(unknown.Reason, unknown.Message)
		case settling && !k.ready():
			ready = no("Settling", "waiting for the API servers to pick up the change")
		case !checked && !k.ready():
			ready = no("Settling", "looking for the resources and kinds that the policy names")
		case missing != "":
			ready = no("NoSuchResource", missing)
		case k.rights.blocks():
			ready = *k.rights.verdict(k.object.GetName())
		}
		verdicts := map[string]*verdict{v1alpha1.ConditionCompiled: &compiled, v1alpha1.ConditionReady: &ready}
		if s.told != nil {
			verdicts[v1alpha1.ConditionFullAnswers] = k.fullAnswers(s)
		}
		if fits, known := r.fits.verdict(k.object); known {
			verdicts[v1alpha1.ConditionFitsSchemas] = fits
		}
		if k.rights.heard() {
			verdicts[v1alpha1.ConditionPermitted] = k.rights.verdict(k.object.GetName())
		}
		if err := client.IgnoreNotFound(r.say(ctx, k, verdicts)); err != nil {
			failed = append(failed, fmt.Errorf("%v: %w", k, err))
		}
	}
	return errors.Join(failed...)
}

// ready reports whether the status of the policy is Ready for its current form.
func (k *known) ready() bool {
	c := meta.FindStatusCondition(k.status.Conditions, v1alpha1.ConditionReady)
	return c != nil && c.Status == metav1.ConditionTrue && c.ObservedGeneration == k.object.GetGeneration()
}

// say writes the conditions, the actions and the generation, if one has changed. A condition
// without a verdict is removed, and others stay.
func (r *reconciler) say(ctx context.Context, k *known, verdicts map[string]*verdict) error {
	conditions := append([]metav1.Condition(nil), k.status.Conditions...)
	var news []metav1.Condition
	generation := k.object.GetGeneration()
	changed := k.status.Actions != k.actions || k.status.ObservedGeneration != generation
	for _, name := range slices.Sorted(maps.Keys(verdicts)) {
		if verdicts[name] == nil {
			changed = meta.RemoveStatusCondition(&conditions, name) || changed
			continue
		}
		c := r.condition(k, name, *verdicts[name])
		before := meta.FindStatusCondition(conditions, c.Type)
		if before == nil || before.Status != c.Status || before.Reason != c.Reason {
			news = append(news, c)
		}
		changed = meta.SetStatusCondition(&conditions, c) || changed
	}
	if !changed {
		return nil
	}
	status := map[string]any{"observedGeneration": generation, "conditions": conditions}
	if k.actions != "" {
		status["actions"] = k.actions
	}
	patch, err := json.Marshal(map[string]any{
		// The whole list is replaced, so it must still be the one that was read.
		"metadata": map[string]any{"resourceVersion": k.object.GetResourceVersion()},
		"status":   status,
	})
	if err != nil {
		return err
	}
	next := k.object.DeepCopyObject().(client.Object)
	if err := r.writer.Status().Patch(ctx, next, client.RawPatch(types.MergePatchType, patch), client.FieldOwner(webhooks.FieldManager)); err != nil {
		return err
	}
	for _, c := range news {
		r.Logger.Info("condition", "kind", k.kind, "policy", next.GetName(), "condition", c.Type, "status", c.Status, "reason", c.Reason, "message", c.Message)
	}
	return nil
}

func (r *reconciler) condition(k *known, name string, v verdict) metav1.Condition {
	c := metav1.Condition{
		Type: name, Status: metav1.ConditionFalse, Reason: v.reason, Message: tell.Message(v.message), ObservedGeneration: k.object.GetGeneration(),
	}
	switch {
	case v.ok:
		c.Status = metav1.ConditionTrue
	case v.unknown:
		c.Status = metav1.ConditionUnknown
	}
	if before := meta.FindStatusCondition(k.status.Conditions, name); before == nil || before.Status != c.Status {
		c.LastTransitionTime = metav1.NewTime(r.Now())
	}
	return c
}
