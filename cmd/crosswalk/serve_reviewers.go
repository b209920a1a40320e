package main

import (
	"github.com/crosswalk-dev/crosswalk/validation"
	"github.com/crosswalk-dev/crosswalk/webhook"
)

// reviewersOf are who decides about writes to what has a table: crosswalk manage
// registers them under these names.
func reviewersOf(tables *webhook.Tables, metrics *webhook.Metrics) (*webhook.Reviewers, error) {
	reviewers := webhook.NewReviewers(metrics)
	return reviewers, reviewers.Replace(
		map[string]validation.Reviewer{"strict": webhook.StrictWrites(tables)},
		map[string]validation.Reviewer{"guard": webhook.Guard(tables)},
	)
}
