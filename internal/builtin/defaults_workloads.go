package builtin

import (
	"math"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

func ofWorkloads() []change {
	return []change{
		in(func(d *appsv1.Deployment) {
			pointer(&d.Spec.Replicas, 1)
			value(&d.Spec.Strategy.Type, appsv1.RollingUpdateDeploymentStrategyType)
			if s := &d.Spec.Strategy; s.Type == appsv1.RollingUpdateDeploymentStrategyType {
				pointer(&s.RollingUpdate, appsv1.RollingUpdateDeployment{})
				pointer(&s.RollingUpdate.MaxUnavailable, intstr.FromString("25%"))
				pointer(&s.RollingUpdate.MaxSurge, intstr.FromString("25%"))
			}
			pointer(&d.Spec.RevisionHistoryLimit, 10)
			pointer(&d.Spec.ProgressDeadlineSeconds, 600)
		}),
		in(func(d *appsv1.DaemonSet) {
			value(&d.Spec.UpdateStrategy.Type, appsv1.RollingUpdateDaemonSetStrategyType)
			if s := &d.Spec.UpdateStrategy; s.Type == appsv1.RollingUpdateDaemonSetStrategyType {
				pointer(&s.RollingUpdate, appsv1.RollingUpdateDaemonSet{})
				pointer(&s.RollingUpdate.MaxUnavailable, intstr.FromInt32(1))
				pointer(&s.RollingUpdate.MaxSurge, intstr.FromInt32(0))
			}
			pointer(&d.Spec.RevisionHistoryLimit, 10)
		}),
		in(func(s *appsv1.StatefulSet) {
			value(&s.Spec.PodManagementPolicy, appsv1.OrderedReadyPodManagement)
			strategy := &s.Spec.UpdateStrategy
			if strategy.Type == "" {
				strategy.Type = appsv1.RollingUpdateStatefulSetStrategyType
				pointer(&strategy.RollingUpdate, appsv1.RollingUpdateStatefulSetStrategy{})
			}
			if strategy.Type == appsv1.RollingUpdateStatefulSetStrategyType && strategy.RollingUpdate != nil {
				pointer(&strategy.RollingUpdate.Partition, 0)
			}
			pointer(&s.Spec.PersistentVolumeClaimRetentionPolicy, appsv1.StatefulSetPersistentVolumeClaimRetentionPolicy{})
			value(&s.Spec.PersistentVolumeClaimRetentionPolicy.WhenDeleted, appsv1.RetainPersistentVolumeClaimRetentionPolicyType)
			value(&s.Spec.PersistentVolumeClaimRetentionPolicy.WhenScaled, appsv1.RetainPersistentVolumeClaimRetentionPolicyType)
			pointer(&s.Spec.Replicas, 1)
			pointer(&s.Spec.RevisionHistoryLimit, 10)
		}),
		in(func(s *appsv1.ReplicaSet) { pointer(&s.Spec.Replicas, 1) }),
		in(job),
		in(func(c *batchv1.CronJob) {
			value(&c.Spec.ConcurrencyPolicy, batchv1.AllowConcurrent)
			pointer(&c.Spec.Suspend, false)
			pointer(&c.Spec.SuccessfulJobsHistoryLimit, 3)
			pointer(&c.Spec.FailedJobsHistoryLimit, 1)
		}),
		in(func(p *batchv1.PodFailurePolicyOnPodConditionsPattern) { value(&p.Status, corev1.ConditionTrue) }),
		in(func(h *autoscalingv1.HorizontalPodAutoscaler) { pointer(&h.Spec.MinReplicas, 1) }),
		in(func(h *autoscalingv2.HorizontalPodAutoscaler) {
			pointer(&h.Spec.MinReplicas, 1)
			if len(h.Spec.Metrics) == 0 {
				utilization := int32(80)
				h.Spec.Metrics = []autoscalingv2.MetricSpec{{Type: autoscalingv2.ResourceMetricSourceType, Resource: &autoscalingv2.ResourceMetricSource{
					Name: corev1.ResourceCPU, Target: autoscalingv2.MetricTarget{Type: autoscalingv2.UtilizationMetricType, AverageUtilization: &utilization},
				}}}
			}
			if b := h.Spec.Behavior; b != nil {
				pods := autoscalingv2.HPAScalingPolicy{Type: autoscalingv2.PodsScalingPolicy, Value: 4, PeriodSeconds: 15}
				all := autoscalingv2.HPAScalingPolicy{Type: autoscalingv2.PercentScalingPolicy, Value: 100, PeriodSeconds: 15}
				scale(&b.ScaleUp, pods, all)
				pointer(&b.ScaleUp.StabilizationWindowSeconds, 0)
				scale(&b.ScaleDown, all)
			}
		}),
	}
}

func job(j *batchv1.Job) {
	if j.Spec.Completions == nil && j.Spec.Parallelism == nil {
		pointer(&j.Spec.Completions, 1)
	}
	pointer(&j.Spec.Parallelism, 1)
	if j.Spec.BackoffLimitPerIndex != nil {
		pointer(&j.Spec.BackoffLimit, math.MaxInt32)
	}
	pointer(&j.Spec.BackoffLimit, 6)
	if labels := j.Spec.Template.Labels; labels != nil && len(j.Labels) == 0 {
		j.Labels = labels
	}
	pointer(&j.Spec.CompletionMode, batchv1.NonIndexedCompletion)
	pointer(&j.Spec.Suspend, false)
	if j.Spec.PodFailurePolicy != nil {
		pointer(&j.Spec.PodReplacementPolicy, batchv1.Failed)
	}
	pointer(&j.Spec.PodReplacementPolicy, batchv1.TerminatingOrFailed)
	pointer(&j.Spec.ManualSelector, false)
}

func scale(rules **autoscalingv2.HPAScalingRules, policies ...autoscalingv2.HPAScalingPolicy) {
	pointer(rules, autoscalingv2.HPAScalingRules{})
	pointer(&(*rules).SelectPolicy, autoscalingv2.MaxChangePolicySelect)
	if (*rules).Policies == nil {
		(*rules).Policies = policies
	}
}
