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

// The API server names its webhooks in denials, in its metrics and in audit
// annotations, and of a matchCondition that fails it shows the expression and nothing
// else. So both name the policies that they are there for.

// longest is how long the name of a webhook may be: that of a DNS subdomain.
const longest = 253

// webhookName names a webhook by the policies that it asks for, which no other webhook
// of its configuration does: NAME.validationpolicy.crosswalk.dev, or with more than one
// NAME-and-2-more.validationpolicies.crosswalk.dev. The one about what they say of
// scaling is NAME.validationpolicy-scale.crosswalk.dev.
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

// aboutScaling is the aspect of a webhook about that.
const aboutScaling = "-scale"

func isAboutScaling(webhook string) bool {
	return strings.HasSuffix(webhook, aboutScaling+"."+v1alpha1.GroupName)
}

// mostNamed is how many policies stand behind a condition.
const mostNamed = 3

// named are matchConditions, each with the policies that have it in a comment of CEL.
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

// unnamed is what named has been made of.
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
