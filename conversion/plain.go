package conversion

import (
	"github.com/crosswalk-dev/crosswalk/conversion/internal/object"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
)

// root is the schema of a version.
func (c *Converter) root(version string) *schema.Schema {
	if version != c.hub {
		return c.plans[version].Root.Nodes[plan.Spoke][0].Schema
	}
	for _, spoke := range c.versions {
		if p := c.plans[spoke]; p != nil {
			return p.Root.Nodes[plan.Hub][0].Schema
		}
	}
	return nil
}

// plainHub is plain in the hub.
func (c *renewal) plainHub(text []byte, version string) []byte {
	there, _, err := c.way(text, version, c.hub)
	if err != nil {
		return nil
	}
	return c.plain(there, c.hub)
}

// whole is an object without stashes, in a form in which equal ones are equal: with
// all defaults, since what holds its default holds a value.
func (c *Converter) whole(text []byte, version string) []byte {
	out, err := object.Strip(nil, text)
	if err != nil {
		return nil
	}
	return schema.Complete(nil, out, c.root(version))
}

// plain is whole without what some table drops, which may be gone after any trip.
func (c *Converter) plain(text []byte, version string) []byte {
	whole := c.whole(text, version)
	if whole == nil {
		return nil
	}
	plain, dropped := schema.LeavingOut(nil, whole, c.root(version))
	if len(dropped) == 0 {
		return whole
	}
	return schema.Complete(nil, plain, c.root(version))
}
