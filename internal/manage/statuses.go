package manage

import (
	"context"
	"fmt"

	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/internal/cluster"
	"github.com/crosswalk-dev/crosswalk/internal/manage/reach"
)

var conditionGauge = prometheus.NewDesc("crosswalk_condition",
	"1 while a condition of a Crosswalk or a policy is True for its current generation, 0 otherwise, by kind, name, the condition's type and its reason. Only the leading replica has it.",
	[]string{"kind", "name", "type", "reason"}, nil)

// statuses has gauges for the statuses of Crosswalks and policies. They read the stored
// statuses instead of being set by the controllers that write them, so they also show an object
// that no controller handles.
type statuses struct {
	cache  cache.Cache
	rights reach.Health
}

// watchStatuses registers the gauges in the process that leads.
func watchStatuses(mgr manager.Manager, rights reach.Health, registry prometheus.Registerer) error {
	own, err := cluster.OwnCache(mgr, statusOnly)
	if err != nil {
		return err
	}
	return mgr.Add(manager.RunnableFunc(func(ctx context.Context) error {
		for _, kind := range statusKinds() {
			// A kind may not be installed yet.
			if _, err := own.GetInformer(ctx, ofKind(kind), cache.BlockUntilSynced(false)); err != nil {
				return err
			}
		}
		return registry.Register(statuses{own, rights})
	}))
}

// statusKinds lists the kinds with a condition Ready.
func statusKinds() []string {
	return []string{v1alpha1.KindCrosswalk, v1alpha1.KindValidationPolicy, v1alpha1.KindMutationPolicy}
}

func ofKind(kind string) *unstructured.Unstructured {
	object := new(unstructured.Unstructured)
	object.SetGroupVersionKind(v1alpha1.GroupVersion().WithKind(kind))
	return object
}

// statusOnly drops the parts that take most of the memory.
func statusOnly(watched any) (any, error) {
	object, ok := watched.(*unstructured.Unstructured)
	if !ok {
		return nil, fmt.Errorf("watched a %T", watched)
	}
	delete(object.Object, "spec")
	object.SetManagedFields(nil)
	object.SetAnnotations(nil)
	return object, nil
}

func (statuses) Describe(descriptions chan<- *prometheus.Desc) { descriptions <- conditionGauge }

// Collect implements [prometheus.Collector].
func (s statuses) Collect(metrics chan<- prometheus.Metric) {
	unknown := s.rights.Obstacle()
	ctx := context.Background() // nothing waits: what has not been read yet is left out
	for _, kind := range statusKinds() {
		informer, err := s.cache.GetInformer(ctx, ofKind(kind), cache.BlockUntilSynced(false))
		if err != nil || !informer.HasSynced() {
			continue
		}
		list := new(unstructured.UnstructuredList)
		list.SetGroupVersionKind(v1alpha1.GroupVersion().WithKind(kind + "List"))
		if err := s.cache.List(ctx, list, client.UnsafeDisableDeepCopy); err != nil {
			continue
		}
		for i := range list.Items {
			for _, c := range Conditions(&list.Items[i]) {
				value := 0.0
				switch {
				case unknown != nil:
					c.Reason = unknown.Reason
				case c.Status == metav1.ConditionTrue:
					value = 1
				}
				metrics <- prometheus.MustNewConstMetric(conditionGauge, prometheus.GaugeValue, value, kind, list.Items[i].GetName(), c.Type, c.Reason)
			}
		}
	}
}

// Conditions returns the conditions of a Crosswalk or a policy. One that is not for the current
// generation is Unseen, and so is Ready if there is none.
func Conditions(object *unstructured.Unstructured) []metav1.Condition {
	var read struct {
		Status struct {
			Conditions []metav1.Condition `json:"conditions"`
		} `json:"status"`
	}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(object.Object, &read); err != nil {
		read.Status.Conditions = nil
	}
	all := read.Status.Conditions
	for i, c := range all {
		if c.ObservedGeneration != object.GetGeneration() {
			all[i].Status, all[i].Reason = metav1.ConditionUnknown, Unseen
		}
	}
	if meta.FindStatusCondition(all, v1alpha1.ConditionReady) == nil {
		all = append(all, metav1.Condition{Type: v1alpha1.ConditionReady, Status: metav1.ConditionUnknown, Reason: Unseen})
	}
	return all
}

// Unseen is the reason of a condition that is not for the current generation.
const Unseen = "Unseen"
