package compile

import "github.com/crosswalk-dev/crosswalk/conversion/internal/plan"

// finish sets what follows from the nodes: fills, indexes and keys.
func (b *builder) finish() {
	b.found.deferred = append(b.found.deferred, b.out.SetFollows)
	b.checkPrivate()
	b.found.last = append(b.found.last, b.out.SetFades)
	var keys [2][]plan.KeyNodes
	for _, side := range [...]plan.Side{plan.Spoke, plan.Hub} {
		for _, key := range b.keys {
			at, there := b.find(side, key[side]), b.find(side.Other(), key[side.Other()])
			if len(key[side]) > 0 && at != plan.None { // otherwise its mistake has been reported
				keys[side] = append(keys[side], plan.KeyNodes{At: at, There: there})
			}
		}
	}
	b.out.Finish(keys)
}
