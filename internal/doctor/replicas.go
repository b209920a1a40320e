package doctor

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/utils/ptr"
)

// checkServe looks at the replicas of serve.
func (d *doctor) checkServe(ctx context.Context, c *Check) {
	if d.outside() {
		c.Detail = "runs outside of the cluster: see conversion"
		return
	}
	d.checkReplicas(ctx, c, serveRole)
}

// checkReplicas looks at the Deployment and the Pods of a role.
func (d *doctor) checkReplicas(ctx context.Context, c *Check, role string) {
	deployment := d.deployments[role]
	if d.pods == nil {
		c.skip("the Pods of crosswalk " + role + ": see Service")
		return
	}
	if deployment == nil && len(d.pods[role]) == 0 {
		c.find(Problem, "crosswalk "+role, fmt.Sprintf("there is no Deployment with the label %s=%s in %s", labelComponent, role, d.Service.Namespace), d.reinstall())
		return
	}
	ready := 0
	for i := range d.pods[role] {
		pod := &d.pods[role][i]
		cause, command := d.diagnose(ctx, c, pod, role)
		switch {
		case cause != "":
			c.find(Problem, d.in("pod", pod.Name), cause, command)
		case isReady(pod):
			ready++
		}
	}
	c.Detail = fmt.Sprintf("%d of %d replicas ready", ready, len(d.pods[role]))
	if deployment == nil {
		return
	}
	wanted := int(ptr.Deref(deployment.Spec.Replicas, 1))
	c.Detail = fmt.Sprintf("%d of %d replicas ready", ready, wanted)
	object := d.in("deployment", deployment.Name)
	switch {
	case wanted == 0:
		c.find(Problem, object, "it has no replicas", d.start(role))
	case len(d.pods[role]) < wanted:
		c.find(Problem, object, fmt.Sprintf("%d of %d Pods exist%s", len(d.pods[role]), wanted, failure(deployment)),
			fmt.Sprintf("kubectl -n %s describe deployment,replicaset -l %s=%s", d.Service.Namespace, labelComponent, role))
	case ready < wanted && len(c.Findings) == 0:
		c.find(Advice, object, fmt.Sprintf("%d of %d Pods are ready yet", ready, wanted),
			fmt.Sprintf("kubectl -n %s rollout status deployment/%s --timeout=2m", d.Service.Namespace, deployment.Name))
	}
}

// failure returns why a Deployment has no Pods, such as a quota.
func failure(deployment *appsv1.Deployment) string {
	for _, c := range deployment.Status.Conditions {
		if c.Type == appsv1.DeploymentReplicaFailure && c.Status == corev1.ConditionTrue {
			return ": " + c.Message
		}
	}
	return ""
}

// recently is how long a container that was restarted is worth a finding.
const recently = time.Hour

// diagnose returns why a Pod does not work, or did not a while ago, and a command that shows
// more.
func (d *doctor) diagnose(ctx context.Context, c *Check, pod *corev1.Pod, role string) (cause, command string) {
	describe := fmt.Sprintf("kubectl -n %s describe pod %s", pod.Namespace, pod.Name)
	logs := fmt.Sprintf("kubectl -n %s logs %s -c %s", pod.Namespace, pod.Name, role)
	for _, condition := range pod.Status.Conditions {
		if condition.Type == corev1.PodScheduled && condition.Status == corev1.ConditionFalse {
			return "no node has room for it: " + condition.Message, describe
		}
	}
	for _, container := range pod.Status.ContainerStatuses {
		if w := container.State.Waiting; w != nil && w.Reason != "ContainerCreating" && w.Reason != "PodInitializing" {
			if container.RestartCount > 0 {
				return strings.TrimSpace(w.Reason + ended(container) + ": " + w.Message), logs + " --previous"
			}
			return w.Reason + ": " + w.Message, describe
		}
	}
	if pod.Status.Phase != corev1.PodRunning {
		return "", ""
	}
	if failing, err := d.readiness(ctx, pod, role); len(failing) > 0 {
		return "it is not ready: " + strings.Join(failing, "; "), logs
	} else if err != nil {
		if apierrors.IsForbidden(err) {
			c.failed("", err)
		} else {
			return fmt.Sprintf("its readiness cannot be asked for: %v", err), logs
		}
	}
	for _, container := range pod.Status.ContainerStatuses {
		if last := container.LastTerminationState.Terminated; last != nil && d.time().Sub(last.FinishedAt.Time) < recently {
			return "it was restarted " + count(int(container.RestartCount), "time") + ended(container), describe
		}
	}
	return "", ""
}

// ended returns how a container ended the last time.
func ended(container corev1.ContainerStatus) string {
	last := container.LastTerminationState.Terminated
	if last == nil {
		return ""
	}
	if last.Reason == "OOMKilled" {
		return ", because it needed more memory than its limit; raise the limit and, if it is set, GOMEMLIMIT"
	}
	return fmt.Sprintf(", the last time with exit code %d", last.ExitCode)
}

// readiness returns the readiness checks of a Pod that fail, with their reasons. It asks
// through the API server, which reaches every Pod.
func (d *doctor) readiness(ctx context.Context, pod *corev1.Pod, role string) ([]string, error) {
	port := 8081
	for _, container := range pod.Spec.Containers {
		i := slices.IndexFunc(container.Ports, func(p corev1.ContainerPort) bool { return p.Name == "health" })
		if container.Name == role && i >= 0 {
			port = int(container.Ports[i].ContainerPort)
		}
	}
	path := fmt.Sprintf("/api/v1/namespaces/%s/pods/%s:%d/proxy/readyz", pod.Namespace, pod.Name, port)
	text, err := d.http.Get().AbsPath(path).Param("verbose", "").MaxRetries(0).Do(ctx).Raw()
	var failing []string
	for line := range strings.Lines(string(text)) {
		if check, ok := strings.CutPrefix(strings.TrimSpace(line), "[-]"); ok {
			failing = append(failing, check)
		}
	}
	return failing, err
}
