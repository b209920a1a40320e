package validation

import "context"

// Collection is a reviewer that consists of named members. As a reviewer, it asks all of them.
type Collection interface {
	Reviewer
	// Only returns a reviewer that asks the members with these names, in that order. Unknown
	// names are ignored: the member was removed, and whoever still calls it will learn of that.
	Only(names []string) Reviewer
	// Fingerprint identifies the current form of the member with a name.
	Fingerprint(name string) (fingerprint string, found bool)
	// Lacks lists the rights in the cluster that the member with a name needs and does not
	// have: a verb, a resource and what the member reads it for, separated by spaces, such as
	// "get crontabs.stable.example.com scaling" or "list services lookups.service".
	Lacks(ctx context.Context, name string) ([]string, error)
}

// LacksAnnotation is the audit annotation of an answer about a single member of a collection.
// It lists the rights that the member lacks, separated by commas. It is missing if the rights
// are not known.
const LacksAnnotation = "lacks"
