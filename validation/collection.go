package validation

import "context"

// Collection is a reviewer that consists of others, each of which has a name. Asked
// as a reviewer, it asks all of them.
type Collection interface {
	Reviewer
	// Only is the reviewer that asks those of certain names, in that order, and no
	// others. A name that nobody has is passed over: who had it is gone, and
	// whoever still asks for it will hear of that.
	Only(names []string) Reviewer
	// Fingerprint tells what has a name now from what had it before.
	Fingerprint(name string) (fingerprint string, found bool)
	// Lacks gives the rights in the cluster that what has a name needs and has not: a
	// verb and a resource each, as in "get crontabs.stable.example.com".
	Lacks(ctx context.Context, name string) ([]string, error)
}

// LacksAnnotation is the audit annotation of an answer to whoever makes sure of a member
// of a collection. It names the rights that the member lacks, with commas between them,
// and is not there where they are not known.
const LacksAnnotation = "lacks"
