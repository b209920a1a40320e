package plan

import "github.com/crosswalk-dev/crosswalk/conversion/internal/schema"

// OfCode returns the plan of two versions between which Go code converts: the code may compute any field of one
// version from any fields of the other.
func OfCode(versions [2]string, schemas [2]*schema.Schema, mark string) *Plan {
	root := &Scope{Root: None, IsCode: true}
	for side, of := range schemas {
		metadata := of.Members["metadata"]
		nodes := []Node{
			{Kind: Container, Schema: of, Parent: None, Children: []int32{1, Metadata}},
			{Name: "apiVersion", Kind: APIVersion, Schema: of.Members["apiVersion"]},
			{Name: "metadata", Kind: Container, Schema: metadata, Children: []int32{Annotations, Annotations + 1}},
			{Name: "annotations", Kind: Container, Schema: metadata.Members["annotations"], Parent: Metadata, Annotations: true},
			{Name: "labels", Kind: Container, Schema: metadata.Members["labels"], Parent: Metadata},
		}
		for id := range nodes {
			nodes[id].Twin, nodes[id].Row = int32(id), None
		}
		root.Nodes[side] = nodes
	}
	return &Plan{Versions: versions, Root: root, Mark: mark}
}
