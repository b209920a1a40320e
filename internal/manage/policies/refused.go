package policies

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/crosswalk-dev/crosswalk/internal/manage/reach"
	"github.com/crosswalk-dev/crosswalk/internal/manage/webhooks"
)

// refused is what an API server has said of a policy's webhook that it does not take,
// for example because it is older than a function in a match condition. The policy is
// left out for a while, so that others need not wait for it.
type refused struct {
	message string
	at      time.Time
}

// refusedFor is how long it takes until the API server is told once more.
const refusedFor = time.Minute

func (r refused) lasts(now time.Time) bool { return r.message != "" && now.Sub(r.at) < refusedFor }

// blame finds whose webhooks the API server finds invalid, and reports whether there is
// anybody: then the rest can be written without them. Conditions that it does not take
// are left to serve from now on, which looks at them in any case.
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
				continue // it is there as it is, and has been taken before
			case k.policy.Push:
				r.Logger.Warn("the API server does not take the matchConditions of a policy; serve alone looks at them", "kind", k.kind, "policy", name, "error", err)
				k.policy.Push = false
			default:
				k.refused = refused{refusal(err).Message, r.Now()}
			}
			blamed = true
		}
	}
	return blamed
}

func refusal(err error) *reach.Obstacle {
	return &reach.Obstacle{Reason: "Refused", Message: fmt.Sprintf("the API server refuses what crosswalk manage has to do, which tries again: %v", err)}
}

func find(all []*known, side int, name string) *known {
	i := slices.IndexFunc(all, func(k *known) bool { return k.side == side && k.object.GetName() == name })
	if i < 0 {
		return nil
	}
	return all[i]
}

var webhookField = regexp.MustCompile(`^webhooks\[(\d+)\]`)

// invalid are the numbers of the webhooks that an answer of the API server is about.
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
