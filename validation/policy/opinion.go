package policy

// Observe is told what a policy says of a request that it is about.
type Observe func(p *Policy, o Opinion)

// Opinion is what a policy says of a request.
type Opinion struct {
	// Denied says that it is against it, whatever becomes of that.
	Denied bool
	// Failed says that something of the policy could not be evaluated, whatever its
	// failurePolicy makes of that.
	Failed bool
}

// opinions are those of the policies that a request is about.
type opinions []struct {
	policy *Policy
	Opinion
}

// of is a policy's, which is made if there is none yet. It must not be kept.
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

// take notes what a policy makes of the request.
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
