package builtin

import (
	"fmt"
	"slices"
	"sync"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// equivalent converts objects between two kinds that represent the same stored objects.
type equivalent struct {
	from, to schema.GroupVersionKind
	convert  func(object any) (runtime.Object, error)
}

// equivalents holds the kinds that the API server serves in two groups or versions.
//
// The sources are the conversion.go of k8s.io/kubernetes/pkg/apis.
var equivalents = sync.OnceValue(func() []equivalent {
	event, newEvent := corev1.SchemeGroupVersion.WithKind("Event"), eventsv1.SchemeGroupVersion.WithKind("Event")
	const name = "HorizontalPodAutoscaler"
	scaler, newScaler := autoscalingv1.SchemeGroupVersion.WithKind(name), autoscalingv2.SchemeGroupVersion.WithKind(name)
	return []equivalent{
		{event, newEvent, func(object any) (runtime.Object, error) { return newEventOf(object.(*corev1.Event)), nil }},
		{newEvent, event, func(object any) (runtime.Object, error) { return eventOf(object.(*eventsv1.Event)), nil }},
		{scaler, newScaler, func(object any) (runtime.Object, error) {
			return newScalerOf(object.(*autoscalingv1.HorizontalPodAutoscaler)), nil
		}},
		{newScaler, scaler, func(object any) (runtime.Object, error) {
			return scalerOf(object.(*autoscalingv2.HorizontalPodAutoscaler))
		}},
	}
})

// Equivalents returns the other kinds in which the API server serves the objects of a kind:
// autoscaling/v2 for a HorizontalPodAutoscaler of autoscaling/v1, for example.
func Equivalents(kind schema.GroupVersionKind) []schema.GroupVersionKind {
	var all []schema.GroupVersionKind
	for _, e := range equivalents() {
		if e.from == kind {
			all = append(all, e.to)
		}
	}
	return all
}

// Convert converts an object, in the form that [Read] returns, to an equivalent kind. An error
// means that the kinds are not equivalent or that the object does not have the type of from.
func Convert(object map[string]any, from, to schema.GroupVersionKind) (map[string]any, error) {
	i := slices.IndexFunc(equivalents(), func(e equivalent) bool { return e.from == from && e.to == to })
	if i < 0 {
		return nil, fmt.Errorf("a %s of %s is not a %s of %s", from.Kind, from.GroupVersion(), to.Kind, to.GroupVersion())
	}
	typed, err := typedOf(from, object)
	if err != nil {
		return nil, err
	}
	converted, err := equivalents()[i].convert(typed)
	if err != nil {
		return nil, err
	}
	converted.GetObjectKind().SetGroupVersionKind(to)
	return runtime.DefaultUnstructuredConverter.ToUnstructured(converted)
}

func newEventOf(e *corev1.Event) *eventsv1.Event {
	return &eventsv1.Event{
		ObjectMeta: e.ObjectMeta, EventTime: e.EventTime, Series: (*eventsv1.EventSeries)(e.Series),
		ReportingController: e.ReportingController, ReportingInstance: e.ReportingInstance,
		Action: e.Action, Reason: e.Reason, Regarding: e.InvolvedObject, Related: e.Related, Note: e.Message, Type: e.Type,
		DeprecatedSource: e.Source, DeprecatedFirstTimestamp: e.FirstTimestamp, DeprecatedLastTimestamp: e.LastTimestamp, DeprecatedCount: e.Count,
	}
}

func eventOf(e *eventsv1.Event) *corev1.Event {
	return &corev1.Event{
		ObjectMeta: e.ObjectMeta, EventTime: e.EventTime, Series: (*corev1.EventSeries)(e.Series),
		ReportingController: e.ReportingController, ReportingInstance: e.ReportingInstance,
		Action: e.Action, Reason: e.Reason, InvolvedObject: e.Regarding, Related: e.Related, Message: e.Note, Type: e.Type,
		Source: e.DeprecatedSource, FirstTimestamp: e.DeprecatedFirstTimestamp, LastTimestamp: e.DeprecatedLastTimestamp, Count: e.DeprecatedCount,
	}
}
