package registration

import (
	"fmt"
	"strconv"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
)

// dropsConversion are the conditions under which a write of a CRD is looked at: it
// asks the Service, and no longer would. Names of CRDs would not do: they would
// have to be written before each CRD is armed, and an expression holds 100,000
// characters (github.com/google/cel-go/parser), which is some 2,000 names.
func (d Desired) dropsConversion() []admissionregistrationv1.MatchCondition {
	const service = "oldObject.spec.conversion.webhook.clientConfig.service"
	return []admissionregistrationv1.MatchCondition{
		{
			Name: "armed",
			Expression: fmt.Sprintf("has(oldObject.spec.conversion) && oldObject.spec.conversion.strategy == 'Webhook' && "+
				"has(oldObject.spec.conversion.webhook) && has(oldObject.spec.conversion.webhook.clientConfig) && "+
				"has(%[1]s) && %[1]s.namespace == %[2]s && %[1]s.name == %[3]s",
				service, strconv.Quote(d.Service.Namespace), strconv.Quote(d.Service.Name)),
		},
		{
			Name:       "drops",
			Expression: "!has(object.spec.conversion) || object.spec.conversion.strategy == 'None'",
		},
	}
}

// stashes asks about objects that have a stash, or had one before the write.
func stashes() []admissionregistrationv1.MatchCondition {
	return []admissionregistrationv1.MatchCondition{{
		Name: "stashes",
		Expression: `[object, oldObject].exists(o, o != null && has(o.metadata.annotations) && ` +
			`o.metadata.annotations.exists(name, name.startsWith("stash.crosswalk.dev/") || name == "crosswalk.dev/incomplete"))`,
	}}
}
