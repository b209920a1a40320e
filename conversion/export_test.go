package conversion

// BytesToRenew is how many bytes of work it takes to renew the stashes of an object.
func (c *Converter) BytesToRenew(object []byte, version string) int {
	r := c.renewing()
	r.renewed(object, version, "")
	return r.spent
}
