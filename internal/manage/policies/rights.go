package policies

import (
	"fmt"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crosswalk-dev/crosswalk/internal/manage/webhooks"
)

// rights are those that serve needs for a policy, as it was last heard to have them.
type rights struct {
	needed bool
	at     time.Time // zero before anybody was asked
	known  bool
	lacks  []string
}

// How long the answer is believed: somebody who is told that a right is missing is about
// to grant it, and few are ever taken away.
const (
	lackingFor   = 15 * time.Second
	permittedFor = 5 * time.Minute
)

// due is when serve is to be asked for those that are needed.
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

// hear takes what serve has answered.
func (r *rights) hear(q *webhooks.Question, now time.Time) {
	r.at, r.known, r.lacks = now, !q.Unchecked, q.Lacks
}

// heard reports whether there is anything new to say of them.
func (r *rights) heard() bool { return !r.needed || !r.at.IsZero() }

// verdict is what a condition says of them; nil where none are needed.
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

// missing tells of rights that serve lacks, with what gives them to it.
func missing(policy string, lacks []string) string {
	var rules, excluded []string
	for _, lack := range lacks {
		verb, resource, _ := strings.Cut(lack, " ")
		of := schema.ParseGroupResource(resource)
		rules = append(rules, fmt.Sprintf("{apiGroups: [%q], resources: [%q], verbs: [%s]}", of.Group, of.Resource, verb))
		excluded = append(excluded, of.Resource+"/"+scale)
	}
	return fmt.Sprintf("crosswalk serve may not %s, so that scaling follows the failurePolicy. Apply this, or take %s out of the policy with excludeResourceRules: "+
		`{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: crosswalk-serve-%s, labels: {crosswalk.dev/aggregate-to-serve: "true"}}, rules: [%s]}`,
		strings.Join(lacks, ", "), strings.Join(excluded, ", "), policy, strings.Join(rules, ", "))
}
