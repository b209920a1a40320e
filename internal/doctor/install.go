package doctor

import (
	"fmt"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"
)

const (
	serveRole  = "serve"
	manageRole = "manage"
)

// The labels of everything that deploy/base and the chart install.
const (
	labelName      = "app.kubernetes.io/name"
	labelComponent = "app.kubernetes.io/component"
	crosswalk      = "crosswalk"
)

const reinstallBase = "kubectl apply -k deploy/base"

// reinstall returns the command that installs again what is missing or was changed.
func (d *doctor) reinstall() string {
	if d.found != nil {
		if release := d.found.Annotations["meta.helm.sh/release-name"]; release != "" && d.found.Labels["app.kubernetes.io/managed-by"] == "Helm" {
			return fmt.Sprintf("helm get manifest %s --namespace %s | kubectl apply -f -", release, d.Service.Namespace)
		}
	}
	switch {
	case d.manage.CertManagerCertificate != "":
		return "kubectl apply -k deploy/overlays/cert-manager"
	case slices.ContainsFunc(args(d.deployments[serveRole], serveRole), func(arg string) bool { return strings.HasPrefix(arg, "--aggregated-listen") }):
		return "kubectl apply -k deploy/overlays/aggregated"
	}
	return reinstallBase
}

// args returns the arguments of the container of a role.
func args(deployment *appsv1.Deployment, role string) []string {
	if deployment == nil {
		return nil
	}
	for _, container := range deployment.Spec.Template.Spec.Containers {
		if container.Name == role {
			return container.Args
		}
	}
	return nil
}

// outside reports whether the roles run outside of the cluster, as in the demo.
func (d *doctor) outside() bool {
	return d.found != nil && d.found.Spec.Type == corev1.ServiceTypeExternalName
}

// start returns the command that starts a role, or starts it again.
func (d *doctor) start(role string) string {
	deployment := d.deployments[role]
	switch {
	case d.outside():
		return ""
	case deployment == nil:
		return d.reinstall()
	case ptr.Deref(deployment.Spec.Replicas, 1) == 0:
		return fmt.Sprintf("kubectl -n %s scale deployment/%s --replicas=2", d.Service.Namespace, deployment.Name)
	}
	return fmt.Sprintf("kubectl -n %s rollout restart deployment/%s", d.Service.Namespace, deployment.Name)
}

// account returns the name of a role's ServiceAccount.
func (d *doctor) account(role string) string {
	if deployment := d.deployments[role]; deployment != nil && deployment.Spec.Template.Spec.ServiceAccountName != "" {
		return deployment.Spec.Template.Spec.ServiceAccountName
	}
	return "crosswalk-" + role
}

// in returns the name of an object of Crosswalk's namespace.
func (d *doctor) in(kind, name string) string {
	return fmt.Sprintf("%s %s/%s", kind, d.Service.Namespace, name)
}
