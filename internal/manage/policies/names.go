package policies

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
)

// The API server shows the names of its webhooks in denials, in its metrics and in audit
// annotations. For a matchCondition that fails it shows only the expression. So both contain
// the names of their policies.

// longest is how long the name of a webhook may be: a DNS subdomain.
const longest = 253

// webhookName names a webhook after its policies, so that the name is unique in its
// configuration: NAME.validationpolicy.crosswalk.dev, or for several policies
// NAME-and-2-more.validationpolicies.crosswalk.dev. The webhook for scaling is
// NAME.validationpolicy-scale.crosswalk.dev.
func webhookName(kind string, policies []string, aspect string) string {
	end := "." + strings.ToLower(kind)
	if more := len(policies) - 1; more > 0 {
		end = fmt.Sprintf("-and-%d-more.%sies", more, strings.TrimSuffix(strings.ToLower(kind), "y"))
	}
	end += aspect + "." + v1alpha1.GroupName
	first := policies[0]
	if room := longest - len(end); len(first) > room {
		sum := sha256.Sum256([]byte(first))
		hash := "-" + hex.EncodeToString(sum[:4])
		first = strings.TrimRight(first[:room-len(hash)], "-.") + hash
	}
	return first + end
}

// aboutScaling is the aspect of the webhook for scaling.
const aboutScaling = "-scale"

func isAboutScaling(webhook string) bool {
	return strings.HasSuffix(webhook, aboutScaling+"."+v1alpha1.GroupName)
}

// mostNamed is how many policies are named after a condition.
const mostNamed = 3

// named appends to each matchCondition the names of its policies, as a comment of CEL.
func named(conditions []admissionregistrationv1.MatchCondition, kind string, policies []string) []admissionregistrationv1.MatchCondition {
	quoted := make([]string, 0, mostNamed)
	for _, name := range policies[:min(len(policies), mostNamed)] {
		quoted = append(quoted, fmt.Sprintf("%q", name))
	}
	comment := comment(kind) + strings.Join(quoted, ", ")
	if more := len(policies) - len(quoted); more > 0 {
		comment += fmt.Sprintf(" and %d more", more)
	}
	conditions = slices.Clone(conditions)
	for i := range conditions {
		if conditions[i].Name != neverName {
			conditions[i].Expression += comment
		}
	}
	return conditions
}

// unnamed is the inverse of named.
func unnamed(conditions []admissionregistrationv1.MatchCondition, kind string) []admissionregistrationv1.MatchCondition {
	conditions = slices.Clone(conditions)
	for i, c := range conditions {
		if at := strings.LastIndex(c.Expression, comment(kind)); at >= 0 && c.Name != neverName {
			conditions[i].Expression = c.Expression[:at]
		}
	}
	return conditions
}

func comment(kind string) string { return " // " + strings.ToLower(kind) + " " }
