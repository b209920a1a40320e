package doctor

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/crosswalk-dev/crosswalk/internal/cluster"
)

// checkService finds the Service of serve, and reads what was installed beside it. The Service
// must lead to the Pods.
func (d *doctor) checkService(ctx context.Context, c *Check) {
	d.findService(ctx, c)
	name := client.ObjectKey(d.Service)
	service := new(corev1.Service)
	err := d.client.Get(ctx, name, service)
	if err == nil {
		d.found = service
	}
	d.readRoles(ctx, c)
	object := d.in("service", d.Service.Name)
	switch {
	case apierrors.IsNotFound(err):
		c.find(Problem, object, "it does not exist, so the API server cannot call Crosswalk", d.reinstall())
		return
	case err != nil:
		c.failed("the Service "+name.String(), err)
		return
	}
	c.Detail = name.String()
	if d.outside() {
		c.Detail += ", which leads to " + service.Spec.ExternalName + ", outside of the cluster"
		return
	}
	if ip := service.Spec.ClusterIP; ip == "" || ip == corev1.ClusterIPNone {
		c.find(Problem, object, "it has no clusterIP, so the API server cannot call it", d.replaceService())
		return
	}
	d.checkSelector(ctx, c, object)
}

// replaceService returns the command that makes the Service anew, because its clusterIP cannot
// be changed.
func (d *doctor) replaceService() string {
	return fmt.Sprintf("kubectl -n %s delete service %s && %s", d.Service.Namespace, d.Service.Name, d.reinstall())
}

// findService finds the Service by its labels, unless it was named.
func (d *doctor) findService(ctx context.Context, c *Check) {
	asked := d.Service
	d.Service = cluster.Service{Namespace: cmp.Or(asked.Namespace, cluster.Namespace()), Name: cmp.Or(asked.Name, crosswalk)}
	if asked.Namespace != "" && asked.Name != "" {
		return
	}
	var list corev1.ServiceList
	err := d.client.List(ctx, &list, client.InNamespace(asked.Namespace), client.MatchingLabels{labelName: crosswalk, labelComponent: serveRole})
	if err != nil {
		return // the default may be right, and is read next
	}
	var names []string
	for _, s := range list.Items {
		// A headless Service beside it is for metrics.
		if s.Spec.ClusterIP == corev1.ClusterIPNone || asked.Name != "" && s.Name != asked.Name {
			continue
		}
		if len(names) == 0 {
			d.Service = cluster.Service{Namespace: s.Namespace, Name: s.Name}
		}
		names = append(names, s.Namespace+"/"+s.Name)
	}
	if len(names) > 1 {
		c.find(Problem, "services "+strings.Join(names, ", "),
			"Crosswalk is installed more than once, and both installations write the same objects; remove one. Only the first is checked", "kubectl get services --all-namespaces -l "+labelName+"="+crosswalk)
	}
}

// readRoles reads the Deployments and Pods of both roles.
func (d *doctor) readRoles(ctx context.Context, c *Check) {
	d.deployments, d.pods = map[string]*appsv1.Deployment{}, map[string][]corev1.Pod{}
	here := []client.ListOption{client.InNamespace(d.Service.Namespace), client.MatchingLabels{labelName: crosswalk}}
	var deployments appsv1.DeploymentList
	if err := d.client.List(ctx, &deployments, here...); err != nil {
		c.failed("Deployments", err)
	}
	for i := range deployments.Items {
		deployment := &deployments.Items[i]
		d.deployments[deployment.Labels[labelComponent]] = deployment
	}
	var pods corev1.PodList
	if err := d.client.List(ctx, &pods, here...); err != nil {
		c.failed("Pods", err)
		d.pods = nil
		return
	}
	for _, pod := range pods.Items {
		if pod.DeletionTimestamp == nil {
			role := pod.Labels[labelComponent]
			d.pods[role] = append(d.pods[role], pod)
		}
	}
}

// checkSelector checks that the Service has the Pods that are ready as its endpoints.
func (d *doctor) checkSelector(ctx context.Context, c *Check, object string) {
	var selected, prepared int
	for _, pod := range d.pods[serveRole] {
		if !labels.SelectorFromSet(d.found.Spec.Selector).Matches(labels.Set(pod.Labels)) {
			continue
		}
		selected++
		if isReady(&pod) {
			prepared++
		}
	}
	if selected == 0 && len(d.pods[serveRole]) > 0 {
		c.find(Problem, object, fmt.Sprintf("its selector %s selects no Pod of crosswalk serve", labels.FormatLabels(d.found.Spec.Selector)), d.reinstall())
		return
	}
	var list discoveryv1.EndpointSliceList
	err := d.client.List(ctx, &list, client.InNamespace(d.Service.Namespace), client.MatchingLabels{discoveryv1.LabelServiceName: d.Service.Name})
	if err != nil {
		c.failed("EndpointSlices", err)
		return
	}
	endpoints := 0
	for _, s := range list.Items {
		if len(s.Ports) == 0 {
			continue // the port has another name in the Pods
		}
		endpoints += len(slices.DeleteFunc(slices.Clone(s.Endpoints), func(e discoveryv1.Endpoint) bool { return !ptr.Deref(e.Conditions.Ready, true) }))
	}
	if prepared > 0 && endpoints == 0 {
		c.find(Problem, object, fmt.Sprintf("it has no endpoint, although %d of its Pods are ready: its targetPort may be wrong", prepared), d.reinstall())
	}
	c.Detail += fmt.Sprintf(", %d ready", endpoints)
}

func isReady(pod *corev1.Pod) bool {
	return slices.ContainsFunc(pod.Status.Conditions, func(c corev1.PodCondition) bool {
		return c.Type == corev1.PodReady && c.Status == corev1.ConditionTrue
	})
}
