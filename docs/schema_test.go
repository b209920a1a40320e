package docs

import (
	"cmp"
	"slices"
	"strings"

	"github.com/crosswalk-dev/crosswalk/internal/manifest"
)

// schemaOf returns the structural schema that an example object represents.
func schemaOf(n *manifest.Node) *manifest.Node {
	switch n.Kind {
	case manifest.Map:
		properties := &manifest.Node{Kind: manifest.Map}
		for _, member := range n.Members {
			schema := schemaOf(member.Value)
			if member.Key == "metadata" && n.Get("apiVersion") != nil {
				// The API server knows what is in that of the object itself.
				schema = typed("object")
			}
			properties.Members = append(properties.Members, manifest.Member{Key: member.Key, Value: schema})
		}
		return typed("object", manifest.Member{Key: "properties", Value: properties})
	case manifest.List:
		items := typed("string")
		if len(n.Items) > 0 {
			items = schemaOf(merged(n.Items))
		}
		return typed("array", manifest.Member{Key: "items", Value: items})
	case manifest.Boolean:
		return typed("boolean")
	case manifest.Number:
		if strings.ContainsAny(n.Text, ".eE") {
			return typed("number")
		}
		return typed("integer")
	}
	return typed("string")
}

func typed(name string, more ...manifest.Member) *manifest.Node {
	members := []manifest.Member{{Key: "type", Value: &manifest.Node{Kind: manifest.String, Text: name}}}
	return &manifest.Node{Kind: manifest.Map, Members: append(members, more...)}
}

// merged gives values one shape: that of all maps together, of the first list
// that is not empty, or of the first value.
func merged(all []*manifest.Node) *manifest.Node {
	switch all[0].Kind {
	case manifest.Map:
		of := map[string][]*manifest.Node{}
		out := &manifest.Node{Kind: manifest.Map}
		for _, n := range all {
			for _, member := range n.Members {
				if of[member.Key] == nil {
					out.Members = append(out.Members, manifest.Member{Key: member.Key})
				}
				of[member.Key] = append(of[member.Key], member.Value)
			}
		}
		for i := range out.Members {
			out.Members[i].Value = merged(of[out.Members[i].Key])
		}
		return out
	case manifest.List:
		for _, n := range all {
			if len(n.Items) > 0 {
				return n
			}
		}
	}
	return all[0]
}

// sorted writes a value as YAML with its keys in order, to compare two.
func sorted(n *manifest.Node) string {
	sortKeys(n)
	text, err := n.AppendYAML(nil)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

func sortKeys(n *manifest.Node) {
	slices.SortFunc(n.Members, func(a, b manifest.Member) int { return cmp.Compare(a.Key, b.Key) })
	for _, member := range n.Members {
		sortKeys(member.Value)
	}
	for _, item := range n.Items {
		sortKeys(item)
	}
}
