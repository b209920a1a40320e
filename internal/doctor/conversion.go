package doctor

import (
	"context"
	"fmt"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/crosswalk-dev/crosswalk/internal/cluster"
	"github.com/crosswalk-dev/crosswalk/internal/manage/reach"
)

// checkConversion lets the API server convert an object: a canary, which is created in a dry
// run, in a version that is not stored. The request goes the whole way, from the API server
// through the Service to a replica and back.
func (d *doctor) checkConversion(ctx context.Context, c *Check) {
	const word = "doctor"
	canary := new(unstructured.Unstructured)
	canary.SetGroupVersionKind(cluster.CanaryKind())
	canary.SetNamespace(d.Service.Namespace)
	canary.SetGenerateName("doctor-")
	canary.Object["spec"] = map[string]any{"ping": word}
	err := d.client.Create(ctx, canary, client.DryRunAll)
	if apierrors.IsForbidden(err) {
		c.failed("", err)
		return
	}
	object := "customresourcedefinition " + cluster.CanaryCRD
	if err != nil {
		d.fails = true
		cause, command := d.explain(err)
		c.find(Problem, object, cause, command)
		return
	}
	if ping, _, _ := unstructured.NestedString(canary.Object, "spec", "ping"); ping != word {
		c.find(Problem, object, "the API server does not ask Crosswalk to convert, because spec.conversion of the CRD does not name it", d.restore("kubectl describe crosswalk "+cluster.CanaryCRD))
		return
	}
	c.Detail = "the API server, the Service and a replica convert an object"
}

// explain returns why a request that needs a conversion fails, and a command.
func (d *doctor) explain(err error) (cause, command string) {
	text := reach.Stable(err.Error())
	has := func(parts ...string) bool {
		for _, part := range parts {
			if strings.Contains(text, part) {
				return true
			}
		}
		return false
	}
	switch {
	case has("x509:"):
		cause, command = "the API server does not trust the serving certificate", d.restore("kubectl describe crosswalks")
	case has("connection refused", "no endpoints available", "not found") && has("conversion webhook"):
		cause, command = "no replica of crosswalk serve answers", d.start(serveRole)
	case has("Client.Timeout", "deadline exceeded", "i/o timeout"):
		cause, command = fmt.Sprintf("there is no answer within %v: a replica of crosswalk serve hangs, or a NetworkPolicy or a firewall between the API server and the Pods drops packets", requestTimeout), d.start(serveRole)
	case has("conversion webhook"):
		cause, command = "the conversion fails", fmt.Sprintf("kubectl -n %s logs deployment/crosswalk-serve --all-pods", d.Service.Namespace)
	default:
		cause, command = "the API server rejects the request", "kubectl get mutatingwebhookconfigurations,validatingwebhookconfigurations"
	}
	return cause + ": " + text, command
}
