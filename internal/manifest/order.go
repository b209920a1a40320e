package manifest

import (
	"cmp"
	"slices"
)

// OrderLike sorts the members of maps as they are sorted in the source. A new member stays
// behind the member that it follows. The order means nothing to a machine, but people see a
// change in YAML only if the rest has not moved.
func OrderLike(n, source *Node) {
	if n == nil || source == nil {
		return
	}
	type placed struct {
		Member
		at int
	}
	places := make(map[string]int, len(source.Members))
	for i, member := range source.Members {
		places[member.Key] = i
	}
	members := make([]placed, len(n.Members))
	at := -1
	for i, member := range n.Members {
		if known, found := places[member.Key]; found {
			at = known
			OrderLike(member.Value, source.Members[known].Value)
		}
		members[i] = placed{member, at}
	}
	slices.SortStableFunc(members, func(a, b placed) int { return cmp.Compare(a.at, b.at) })
	for i, member := range members {
		n.Members[i] = member.Member
	}
	for i, item := range n.Items {
		if i < len(source.Items) {
			OrderLike(item, source.Items[i])
		}
	}
}
