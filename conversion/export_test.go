package conversion

import "context"

// BytesToRenew is how many bytes of work it takes to renew the stashes of an object.
func (c *Converter) BytesToRenew(object []byte, version string) int {
	r := c.renewing(context.Background(), "")
	r.renewed(object, version)
	return r.spent
}

// Renewed is an object with its stashes renewed, on its way to a version, and how many entries
// are unplaced.
func (c *Converter) Renewed(object []byte, version, to string) (renewed []byte, unplaced int) {
	r := c.renewing(context.Background(), to)
	renewed = r.renewed(object, version)
	return renewed, r.allUnplaced()
}
