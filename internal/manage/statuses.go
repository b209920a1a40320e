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

var readyGauge = prometheus.NewDesc("crosswalk_status_ready",
	"1 while the status of a Crosswalk or a policy is Ready for its current generation, 0 otherwise, by kind, name and the condition's reason. Only the leading replica has it.",
	[]string{"kind", "name", "reason"}, nil)

// statuses has gauges for the statuses of Crosswalks and policies. They read the stored
// statuses instead of being set by the controllers that write them, so they also show an object
// that no controller handles.
type statuses struct {
	cache  cache.Cache
	rights reach.Rights
}

// watchStatuses registers the gauges in the process that leads.
func watchStatuses(mgr manager.Manager, rights reach.Rights, registry prometheus.Registerer) error {
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

func (statuses) Describe(descriptions chan<- *prometheus.Desc) { descriptions <- readyGauge }

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
			ready, reason := readiness(&list.Items[i])
			if unknown != nil {
				ready, reason = 0, unknown.Reason
			}
			metrics <- prometheus.MustNewConstMetric(readyGauge, prometheus.GaugeValue, ready, kind, list.Items[i].GetName(), reason)
		}
	}
}

// readiness returns the gauge's value for an object, and its reason: that of the condition
// Ready, or Unseen if none is for the current generation.
func readiness(object *unstructured.Unstructured) (value float64, reason string) {
	var read struct {
		Status struct {
			Conditions []metav1.Condition `json:"conditions"`
		} `json:"status"`
	}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(object.Object, &read); err != nil {
		return 0, "Unseen"
	}
	switch ready := meta.FindStatusCondition(read.Status.Conditions, v1alpha1.ConditionReady); {
	case ready == nil || ready.ObservedGeneration != object.GetGeneration():
		return 0, "Unseen"
	case ready.Status == metav1.ConditionTrue:
		return 1, ready.Reason
	default:
		return 0, ready.Reason
	}
}
