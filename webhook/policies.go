package webhook

import "github.com/crosswalk-dev/crosswalk/validation/policy"

// Table returns the conversion table of a kind, for policies that are written against its hub
// version. If the current table does not compile, Table returns the older one that converts. It
// implements [policy.Tables].
func (s *Tables) Table(group, kind string) (policy.Table, bool) {
	kinds := s.snapshot().find([]byte(group), []byte(kind))
	if kinds == nil {
		return nil, false
	}
	table, ok := kinds.all()[0].Converter.(policy.Table)
	return table, ok
}

var _ policy.Tables = (*Tables)(nil)
