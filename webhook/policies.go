package webhook

import "github.com/crosswalk-dev/crosswalk/validation/policy"

// Table gives policies the conversion table of a kind, for those that are written
// for its hub version. Where the present table does not compile, it is the older
// one that converts. It implements [policy.Tables].
func (s *Tables) Table(group, kind string) (policy.Table, bool) {
	kinds := s.snapshot().find([]byte(group), []byte(kind))
	if kinds == nil {
		return nil, false
	}
	table, ok := kinds.all()[0].Converter.(policy.Table)
	return table, ok
}

var _ policy.Tables = (*Tables)(nil)
