package doctor

import (
	"context"
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/crosswalk-dev/crosswalk/internal/manage/policies"
	"github.com/crosswalk-dev/crosswalk/internal/manage/registration"
	"github.com/crosswalk-dev/crosswalk/internal/manage/webhooks"
)

// configuration is one of Crosswalk's webhook configurations.
type configuration struct {
	webhooks.Side
	kind, name string
	// names are the webhooks that it must have. Of policies they depend on the policies.
	names []string
}

func (c configuration) object() string { return strings.ToLower(c.kind) + " " + c.name }

// configurations returns Crosswalk's webhook configurations. One that does not exist has no
// resource version.
func (d *doctor) configurations(ctx context.Context) ([]configuration, error) {
	return d.configurationsOnce.get(func() ([]configuration, error) {
		var all []configuration
		planned := registration.Plan(registration.Desired{}).Sides()
		for _, names := range []webhooks.Names{registration.Names(), policies.Names()} {
			sides, err := webhooks.Read(ctx, d.client, names)
			if err != nil {
				return nil, err
			}
			for i, side := range sides {
				c := configuration{Side: side, kind: "MutatingWebhookConfiguration", name: names.Mutating}
				if i == 1 {
					c.kind, c.name = "ValidatingWebhookConfiguration", names.Validating
				}
				if names == registration.Names() {
					for _, w := range planned[i].Webhooks {
						c.names = append(c.names, w.Name)
					}
				}
				all = append(all, c)
			}
		}
		return all, nil
	})
}

// checkWebhooks checks that the webhook configurations exist, have their webhooks, and name the
// Service, or the API server itself where callers are identified.
func (d *doctor) checkWebhooks(ctx context.Context, c *Check) {
	all, err := d.configurations(ctx)
	if err != nil {
		c.failed("webhook configurations", err)
		return
	}
	n := 0
	for _, configuration := range all {
		object, command := configuration.object(), d.restore("kubectl describe crosswalks")
		if configuration.Object.GetResourceVersion() == "" {
			c.find(Problem, object, "it does not exist, so the API server does not ask Crosswalk about writes", d.restore(d.reinstall()))
			continue
		}
		for _, name := range configuration.names {
			if configuration.Webhook(name) == nil {
				c.find(Problem, object, "the webhook "+name+" is missing, so the API server does not ask Crosswalk about these writes", command)
			}
		}
		for _, w := range configuration.Ours() {
			n++
			s := w.Client.Service
			if s == nil || (s.Namespace != d.Service.Namespace || s.Name != d.Service.Name) && (s.Namespace != metav1.NamespaceDefault || s.Name != "kubernetes") {
				c.find(Problem, object, fmt.Sprintf("the webhook %s does not name the Service %s/%s", w.Name, d.Service.Namespace, d.Service.Name), command)
			}
		}
	}
	c.Detail = count(n, "webhook") + " in " + count(len(all), "configuration")
	d.checkAPIServices(ctx, c)
}
