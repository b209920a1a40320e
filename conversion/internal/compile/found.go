package compile

import "github.com/crosswalk-dev/crosswalk/conversion/internal/diagnose"

// found is what the scopes of a plan have found together.
type found struct {
	*diagnose.Collector
	private []Private
	// used are the tables that rows use.
	used map[string]bool
	// present has the titles of rows of named tables whose fields some version has, wherever the table is
	// used. missing reports rows that no use has made present.
	present map[string]bool
	missing map[string]emptyUse
	// kinds are the types of the fields that rows of named tables name.
	kinds *kinds
	// parameters are the names of those that rows use.
	parameters []string
	// deferred are the checks of Built.Check.
	deferred []func()
	// last are those of Built.Finish.
	last []func()
}

func newFound(kinds *kinds) *found {
	return &found{Collector: diagnose.NewCollector(), kinds: kinds, used: map[string]bool{}, present: map[string]bool{}, missing: map[string]emptyUse{}}
}
