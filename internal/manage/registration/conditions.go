package registration

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
)

// dropsConversion returns the match conditions for writes of a CRD that would remove the
// conversion by the Service. The names of the CRDs would be no substitute: they would have to
// be written before each CRD is armed, and an expression has at most 100,000 characters
// (github.com/google/cel-go/parser), which is about 2,000 names.
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

// stashes selects objects that have a stash, or had one before the write. Each stash is looked
// up by its name: iterating over all annotations takes time that grows with the square of their
// number, 6 s for as many as the API server allows (the cost tracker's stack in
// github.com/google/cel-go/interpreter).
func (d Desired) stashes() []admissionregistrationv1.MatchCondition {
	names := []string{"crosswalk.dev/incomplete"}
	for _, t := range d.Tables {
		for _, owner := range t.Owners {
			names = append(names, "stash.crosswalk.dev/"+owner, "stash.crosswalk.dev/"+owner+".status")
		}
	}
	slices.Sort(names)
	var quoted []string
	for _, name := range slices.Compact(names) {
		quoted = append(quoted, strconv.Quote(name))
	}
	return []admissionregistrationv1.MatchCondition{{
		Name: "stashes",
		Expression: "[object, oldObject].exists(o, o != null && has(o.metadata.annotations) && [" +
			strings.Join(quoted, ", ") + "].exists(name, name in o.metadata.annotations))",
	}}
}
