package config

import (
	"fmt"
	"slices"
	"strings"

	"github.com/crosswalk-dev/crosswalk/internal/manifest"
)

// checkCRD finds words without quotes that YAML does not read as text, where a
// CustomResourceDefinition needs text: names of fields, required names, and the values of a
// string.
func checkCRD(node *manifest.Node) []problem {
	var c checker
	c.words("", node)
	return c.problems
}

func (c *checker) words(path string, n *manifest.Node) {
	for i, item := range n.Items {
		c.words(fmt.Sprintf("%s[%d]", path, i), item)
	}
	for _, m := range n.Members {
		at := path + "." + m.Key
		c.key(path, m)
		if (m.Key == "default" || m.Key == "example") && !strings.HasSuffix(path, ".properties") {
			continue // data, which may be of any type
		}
		texts := m.Key == "required" || m.Key == "x-kubernetes-list-map-keys" || m.Key == "enum" && n.GetString("type") == "string"
		if texts && m.Value.Kind == manifest.List && !slices.ContainsFunc(m.Value.Items, func(item *manifest.Node) bool { return item.Kind == manifest.Map || item.Kind == manifest.List }) {
			for i, item := range m.Value.Items {
				if item.Kind != manifest.String && item.Kind != manifest.Null {
					c.fail(item.Line, fmt.Sprintf("%s[%d]", at, i), "must be a string, and YAML reads it as %s; put it in quotes", item.Text)
				}
			}
			continue
		}
		c.words(at, m.Value)
	}
}
