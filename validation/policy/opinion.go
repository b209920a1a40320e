package policy

// Observe receives the opinion of a policy for each request that it matches.
type Observe func(p *Policy, o Opinion)

// Opinion is the result of a policy for a request.
type Opinion struct {
	// Denied reports that the policy is against the request, whatever happens with that.
	Denied bool
	// Failed reports that a part of the policy could not be evaluated, whatever its
	// failurePolicy is.
	Failed bool
}

// opinions are the opinions of the policies that a request matches.
type opinions []struct {
	policy *Policy
	Opinion
}

// of returns the opinion of a policy, which it adds if there is none yet. The pointer must not
// be kept.
func (all *opinions) of(p *Policy) *Opinion {
	for i := len(*all) - 1; i >= 0; i-- {
		if (*all)[i].policy == p {
			return &(*all)[i].Opinion
		}
	}
	*all = append(*all, struct {
		policy *Policy
		Opinion
	}{policy: p})
	return &(*all)[len(*all)-1].Opinion
}

// take records the result of a policy.
func (all *opinions) take(p *Policy, out *outcome) {
	o := all.of(p)
	o.Failed = o.Failed || out.failed
	for i := range out.findings {
		o.Denied = o.Denied || out.findings[i].rule != nil
	}
}

func (all *opinions) tell(observe Observe) {
	if observe == nil {
		return
	}
	for _, o := range *all {
		observe(o.policy, o.Opinion)
	}
}
