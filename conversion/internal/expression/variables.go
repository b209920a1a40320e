package expression

import (
	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
)

// variables has the variables of an evaluation.
type variables struct {
	p     *Program
	in    [][]byte
	meter *meter
	// self and outside are made when they are first read.
	self, outside ref.Val
}

// Parent implements cel.Activation. There is none.
func (v *variables) Parent() cel.Activation { return nil }

// ResolveName implements cel.Activation.
func (v *variables) ResolveName(name string) (any, bool) {
	switch name {
	case Object:
		if !v.p.atRoot {
			if v.outside == nil {
				v.outside = v.p.outside.root(v.in)
			}
			return v.outside, true
		}
		fallthrough
	case Self:
		if v.self == nil {
			v.self = v.p.self.root(v.in)
		}
		return v.self, true
	case Parameters:
		return v.p.parameters, true
	case meterName:
		return v.meter, true
	}
	return nil, false
}

// branch is a field that a program reads, or that has such fields inside.
type branch struct {
	schema *schema.Schema
	// value and presence are the numbers of reads, or -1.
	value, presence int
	// always says that it is treated as present even if it is empty.
	always bool
	inside map[string]*branch
}

func newBranch(s *schema.Schema) *branch { return &branch{schema: s, value: -1, presence: -1} }

func (b *branch) add(read Read, number int) {
	for _, name := range read.Path {
		next := b.inside[name]
		if next == nil {
			if b.inside == nil {
				b.inside = map[string]*branch{}
			}
			next = newBranch(b.schema.Member(name))
			b.inside[name] = next
		}
		b = next
	}
	if read.Presence {
		b.presence = number
	} else {
		b.value = number
	}
}

// markMetadata marks the metadata of an object, and its maps of labels and annotations, as always
// present: an expression reads single ones, and an object without them has no others.
func (b *branch) markMetadata() {
	metadata := b.inside["metadata"]
	if metadata == nil {
		return
	}
	metadata.always = true
	for _, name := range []string{"labels", "annotations"} {
		if of := metadata.inside[name]; of != nil {
			of.always = true
		}
	}
}

// root returns the value of a variable.
func (b *branch) root(in [][]byte) ref.Val {
	if b.value >= 0 && in[b.value] != nil {
		return decode(in[b.value], b.schema)
	}
	value, _ := b.record(in)
	return value
}

// read returns the value of a branch.
func (b *branch) read(in [][]byte) (ref.Val, bool) {
	if b.value >= 0 {
		if in[b.value] == nil {
			return nil, false
		}
		return decode(in[b.value], b.schema), true
	}
	value, any := b.record(in)
	return value, any || b.always || b.presence >= 0 && in[b.presence] != nil
}

func (b *branch) record(in [][]byte) (ref.Val, bool) {
	members := map[string]ref.Val{}
	fields := b.schema != nil && len(b.schema.Members) > 0
	for name, inside := range b.inside {
		if member, there := inside.read(in); there && !(fields && member == types.NullValue) {
			members[name] = member
		}
	}
	return newRecord(members, fields), len(members) > 0
}
