package validation

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
}
