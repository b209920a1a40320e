package manifest

import "go.yaml.in/yaml/v3"

// merge adds to a map the members of a merge key (<<) that the map does not have itself. keys
// are the keys that the map has.
//
// The members are added directly to the outermost map, however many merges they come through.
// If each merge made its own map, the innermost members would be copied once for each merge
// around them. So a merge costs as much as its values, which charge bounds.
func (r *yamlReader) merge(node *Node, keys map[string]int, value *yaml.Node) error {
	return r.follow(value, func(target *yaml.Node) error {
		sources := []*yaml.Node{target}
		if target.Kind == yaml.SequenceNode {
			sources = target.Content
		}
		for _, source := range sources {
			if err := r.follow(source, func(source *yaml.Node) error {
				if source.Kind != yaml.MappingNode {
					return r.fail(value, "a merge key (<<) needs a map or a list of maps")
				}
				return r.mergeMap(node, keys, source)
			}); err != nil {
				return err
			}
		}
		return nil
	})
}

// mergeMap adds the members of one map, and after them those of its own merge keys.
func (r *yamlReader) mergeMap(node *Node, keys map[string]int, source *yaml.Node) error {
	if err := r.charge(source); err != nil {
		return err
	}
	merges, _, err := r.members(source, func(m Member) {
		if _, taken := keys[m.Key]; !taken {
			keys[m.Key] = m.Line
			node.Members = append(node.Members, m)
		}
	})
	if err != nil {
		return err
	}
	for _, merge := range merges {
		if err := r.merge(node, keys, merge); err != nil {
			return err
		}
	}
	return nil
}
