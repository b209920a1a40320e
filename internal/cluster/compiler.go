package cluster

import "github.com/crosswalk-dev/crosswalk/conversion"

// Compiler compiles the tables of a cluster. The zero Compiler is for a process without Go
// functions.
type Compiler struct {
	// Options configure compiling, for example with Go functions.
	Options []conversion.Option
}
