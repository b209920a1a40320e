package cluster

import "github.com/crosswalk-dev/crosswalk/conversion"

// Compiler compiles the tables of a cluster. That of a process without Go functions
// is the empty one.
type Compiler struct {
	// Options say how, such as with which Go functions.
	Options []conversion.Option
}
