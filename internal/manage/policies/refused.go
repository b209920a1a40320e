package policies

import (
	"errors"
	"regexp"
	"slices"
	"strconv"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/crosswalk-dev/crosswalk/internal/manage/reach"
	"github.com/crosswalk-dev/crosswalk/internal/manage/webhooks"
)

// refused is the error with which an API server has rejected a policy's webhook, for example
// because the API server is older than a function in a match condition. The policy is left out
// for a while, so that others need not wait for it.
type refused struct {
	message string
	at      time.Time
}

// refusedFor is how long it takes until the webhook is tried again.
const refusedFor = time.Minute

func (r refused) lasts(now time.Time) bool { return r.message != "" && now.Sub(r.at) < refusedFor }

// blame finds the policies whose webhooks the API server rejected, and reports whether it found
// any: then the others can be written without them. Match conditions that the API server does
// not accept are left out. serve evaluates them in any case.
func (r *reconciler) blame(err error, should webhooks.Side, side int, all []*known) bool {
	blamed := false
	for _, i := range invalid(err) {
		if i >= len(should.Webhooks) {
			continue
		}
		for _, name := range namesIn(should.Webhooks[i].Client, paths()[side]) {
			k := find(all, side, name)
			switch {
			case k == nil || k.obstacle != nil:
				continue // it is registered unchanged, and was accepted before
			case k.policy.Push:
				r.Logger.Warn("the API server rejects the matchConditions of a policy; only serve evaluates them", "kind", k.kind, "policy", name, "error", err)
				k.policy.Push = false
			default:
				k.refused = refused{reach.Refused(err).Message, r.Now()}
			}
			blamed = true
		}
	}
	return blamed
}

func find(all []*known, side int, name string) *known {
	i := slices.IndexFunc(all, func(k *known) bool { return k.side == side && k.object.GetName() == name })
	if i < 0 {
		return nil
	}
	return all[i]
}

var webhookField = regexp.MustCompile(`^webhooks\[(\d+)\]`)

// invalid returns the numbers of the webhooks in an error of the API server.
func invalid(err error) []int {
	var status apierrors.APIStatus
	if !apierrors.IsInvalid(err) || !errors.As(err, &status) || status.Status().Details == nil {
		return nil
	}
	var numbers []int
	for _, cause := range status.Status().Details.Causes {
		if match := webhookField.FindStringSubmatch(cause.Field); match != nil {
			if n, err := strconv.Atoi(match[1]); err == nil {
				numbers = append(numbers, n)
			}
		}
	}
	return slices.Compact(slices.Sorted(slices.Values(numbers)))
}
