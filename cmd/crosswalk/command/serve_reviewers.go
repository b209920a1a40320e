package command

import (
	"maps"
	"path"

	"github.com/crosswalk-dev/crosswalk/conversion"
	"github.com/crosswalk-dev/crosswalk/internal/cluster"
	"github.com/crosswalk-dev/crosswalk/internal/manage/arming"
	"github.com/crosswalk-dev/crosswalk/internal/manage/registration"
	"github.com/crosswalk-dev/crosswalk/internal/ownkinds"
	"github.com/crosswalk-dev/crosswalk/validation"
	"github.com/crosswalk-dev/crosswalk/webhook"
)

// reviewers holds the reviewers of writes, under the names with which crosswalk manage
// registers them.
type reviewers struct {
	validators, mutators map[string]validation.Reviewer
}

// tableReviewers returns the reviewers for objects of kinds with a table.
func tableReviewers(tables *webhook.Tables) reviewers {
	return reviewers{
		map[string]validation.Reviewer{path.Base(registration.StrictPath): webhook.StrictWrites(tables)},
		map[string]validation.Reviewer{path.Base(registration.GuardPath): webhook.Guard(tables)},
	}
}

// clusterReviewers returns the reviewers for the CRDs and tables of a cluster.
func clusterReviewers(service cluster.Service, finder cluster.Finder, types ownkinds.TypeChecker, compiling conversion.Option) reviewers {
	return reviewers{
		map[string]validation.Reviewer{path.Base(registration.ConfigurationPath): validation.Each(ownkinds.Crosswalks(finder, compiling), ownkinds.Policies(finder, types))},
		map[string]validation.Reviewer{path.Base(registration.KeepConversionPath): ownkinds.KeepConversion{
			Service: service, Armer: arming.FieldManager, Crosswalks: finder,
		}},
	}
}

// and adds other reviewers, if there are any.
func (r reviewers) and(others reviewers) reviewers {
	maps.Copy(r.validators, others.validators)
	maps.Copy(r.mutators, others.mutators)
	return r
}
