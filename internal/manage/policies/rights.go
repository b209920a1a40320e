package policies

import (
	"fmt"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crosswalk-dev/crosswalk/internal/manage/webhooks"
)

// rights are the rights that serve needs for a policy, as of the last answer.
type rights struct {
	needed bool
	at     time.Time // zero before the first answer
	known  bool
	lacks  []string
}

// How long an answer is valid: somebody who sees that a right is missing is about to grant it,
// and rights are seldom revoked.
const (
	lackingFor   = 15 * time.Second
	permittedFor = 5 * time.Minute
)

// due returns when serve must be asked for the rights.
func (r *rights) due() time.Time {
	switch {
	case r.at.IsZero():
		return r.at
	case r.known && len(r.lacks) == 0:
		return r.at.Add(permittedFor)
	}
	return r.at.Add(lackingFor)
}

func (r *rights) areDue(now time.Time) bool { return r.needed && !now.Before(r.due()) }

// hear stores serve's answer.
func (r *rights) hear(q *webhooks.Question, now time.Time) {
	r.at, r.known, r.lacks = now, !q.Unchecked, q.Lacks
}

// heard reports whether there is an answer, or none is needed.
func (r *rights) heard() bool { return !r.needed || !r.at.IsZero() }

// verdict returns the condition about the rights, or nil if none are needed.
func (r *rights) verdict(policy string) *verdict {
	var v verdict
	switch {
	case !r.needed:
		return nil
	case len(r.lacks) > 0:
		v = no("MissingRights", missing(policy, r.lacks))
	case !r.known:
		v = verdict{unknown: true, reason: "NotChecked", message: "crosswalk serve could not ask the API server for its rights, and tries again"}
	default:
		v = yes("Permitted", "crosswalk serve may read what the policy needs")
	}
	return &v
}

// missing explains which rights serve lacks, and how to grant them.
func missing(policy string, lacks []string) string {
	var rules, excluded []string
	for _, lack := range lacks {
		verb, resource, _ := strings.Cut(lack, " ")
		of := schema.ParseGroupResource(resource)
		rules = append(rules, fmt.Sprintf("{apiGroups: [%q], resources: [%q], verbs: [%s]}", of.Group, of.Resource, verb))
		excluded = append(excluded, of.Resource+"/"+scale)
	}
	return fmt.Sprintf("crosswalk serve may not %s, so scaling follows the failurePolicy. Apply this, or exclude %s from the policy with excludeResourceRules: "+
		`{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: crosswalk-serve-%s, labels: {crosswalk.dev/aggregate-to-serve: "true"}}, rules: [%s]}`,
		strings.Join(lacks, ", "), strings.Join(excluded, ", "), policy, strings.Join(rules, ", "))
}
