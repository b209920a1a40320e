package offline

import (
	"cmp"
	"slices"

	"github.com/crosswalk-dev/crosswalk/internal/manifest"
)

// orderLike puts the members of maps in the order in which the source has them;
// a new one stays behind the member that it came after. The order means nothing
// to a machine; people read YAML, and see what has changed only where the rest
// has not moved.
func orderLike(n, source *manifest.Node) {
	if n == nil || source == nil {
		return
	}
	type placed struct {
		manifest.Member
		at int
	}
	members := make([]placed, len(n.Members))
	at := -1
	for i, member := range n.Members {
		if known := slices.IndexFunc(source.Members, func(m manifest.Member) bool { return m.Key == member.Key }); known >= 0 {
			at = known
		}
		members[i] = placed{member, at}
	}
	slices.SortStableFunc(members, func(a, b placed) int { return cmp.Compare(a.at, b.at) })
	for i, member := range members {
		n.Members[i] = member.Member
		orderLike(member.Value, source.Get(member.Key))
	}
	for i, item := range n.Items {
		if i < len(source.Items) {
			orderLike(item, source.Items[i])
		}
	}
}
