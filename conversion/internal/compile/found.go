package compile

import "github.com/crosswalk-dev/crosswalk/conversion/internal/diagnose"

// found is what the scopes of a plan have found together.
type found struct {
	*diagnose.Collector
	private []Private
	// used are the tables that rows use.
	used map[string]bool
	// present are the rows of named tables, by their titles, that name something in one
	// of the versions, and missing reports those that do not.
	present map[string]bool
	missing map[string]missing
	// kinds are what stands at the places of the rows of named tables.
	kinds *kinds
	// parameters are those that rows use.
	parameters []string
	// deferred are the checks of Built.Check.
	deferred []func()
	// last are those of Built.Finish.
	last []func()
}

func newFound(kinds *kinds) *found {
	return &found{Collector: diagnose.NewCollector(), kinds: kinds, used: map[string]bool{}, present: map[string]bool{}, missing: map[string]missing{}}
}
