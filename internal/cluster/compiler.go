package cluster

import "github.com/crosswalk-dev/crosswalk/conversion"

// Compiler compiles the tables of a cluster. That of a process without Go functions
// is the empty one.
type Compiler struct {
	// Functions are those that tables may call.
	Functions conversion.Functions
}

func (c Compiler) options() conversion.Option { return conversion.WithFunctions(c.Functions) }
