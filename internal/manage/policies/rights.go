package policies

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crosswalk-dev/crosswalk/internal/manage/webhooks"
	"github.com/crosswalk-dev/crosswalk/validation/policy"
)

// rights are the rights that serve needs for a policy, as of the last answer.
type rights struct {
	needed bool
	at     time.Time // zero before the first answer
	known  bool
	lacks  []lack
}

// lack is a right that serve needs for a policy and does not have.
type lack struct {
	verb     string
	resource schema.GroupResource
	// into is the variable that the right is for. It is "" for scaled objects.
	into string
}

// lackOf parses a right in the form of [validation.Collection].
func lackOf(text string) lack {
	verb, rest, _ := strings.Cut(text, " ")
	resource, purpose, _ := strings.Cut(rest, " ")
	one := lack{verb: verb, resource: schema.ParseGroupResource(resource)}
	if purpose != policy.ForScaling {
		one.into = purpose
	}
	return one
}

// rightsFor is how long an answer is valid. Nobody is notified when a role changes.
const rightsFor = 5 * time.Second

// due returns when serve must be asked for the rights.
func (r *rights) due() time.Time {
	if r.at.IsZero() {
		return r.at
	}
	return r.at.Add(rightsFor)
}

func (r *rights) areDue(now time.Time) bool { return r.needed && !now.Before(r.due()) }

// hear stores serve's answer.
func (r *rights) hear(q *webhooks.Question, now time.Time) {
	r.at, r.known, r.lacks = now, !q.Unchecked, nil
	for _, text := range q.Lacks {
		r.lacks = append(r.lacks, lackOf(text))
	}
}

// blocks reports whether a right is missing without which requests cannot be evaluated. Without
// the right to read scaled objects, only scaling cannot.
func (r *rights) blocks() bool {
	return slices.ContainsFunc(r.lacks, func(l lack) bool { return l.into != "" })
}

// heard reports whether there is an answer, or none is needed.
func (r *rights) heard() bool { return !r.needed || !r.at.IsZero() }

// verdict returns the condition about the rights, or nil if none are needed.
func (r *rights) verdict(name string) *verdict {
	var v verdict
	switch {
	case !r.needed:
		return nil
	case len(r.lacks) > 0:
		v = no("MissingRights", missing(name, r.lacks))
	case !r.known:
		v = verdict{unknown: true, reason: "NotChecked", message: "crosswalk serve could not ask the API server for its rights, and tries again"}
	default:
		v = yes("Permitted", "crosswalk serve has the rights that the policy needs")
	}
	return &v
}

// missing explains which rights serve lacks, and how to grant them.
func missing(name string, lacks []lack) string {
	var texts, rules, excluded []string
	reads := false
	for _, resource := range resourcesOf(lacks) {
		var verbs, into []string
		for _, l := range lacks {
			switch {
			case l.resource != resource:
				continue
			case l.into == "":
				excluded = append(excluded, resource.Resource+"/"+scale)
			case !slices.Contains(into, l.into):
				into = append(into, l.into)
			}
			if !slices.Contains(verbs, l.verb) {
				verbs = append(verbs, l.verb)
			}
		}
		text := list(verbs) + " " + resource.String()
		if len(into) > 0 {
			reads = true
			text += " for " + list(into)
		}
		texts = append(texts, text)
		rules = append(rules, fmt.Sprintf("{apiGroups: [%q], resources: [%q], verbs: [%s]}", resource.Group, resource.Resource, strings.Join(verbs, ", ")))
	}
	affected, remedy := "scaling follows", "Apply this, or exclude "+strings.Join(excluded, ", ")+" from the policy with excludeResourceRules"
	if reads {
		affected, remedy = "requests follow", "Apply this"
	}
	return fmt.Sprintf("crosswalk serve may not %s, so %s the failurePolicy. %s: "+
		`{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: crosswalk-serve-%s, labels: {crosswalk.dev/aggregate-to-serve: "true"}}, rules: [%s]}`,
		strings.Join(texts, "; "), affected, remedy, name, strings.Join(rules, ", "))
}

// resourcesOf returns the resources of rights, each once.
func resourcesOf(lacks []lack) []schema.GroupResource {
	var all []schema.GroupResource
	for _, l := range lacks {
		if !slices.Contains(all, l.resource) {
			all = append(all, l.resource)
		}
	}
	return all
}
