package cost

import (
	"fmt"
	"os"
	"syscall"
)

// StopTheWorld starts the program anew with a garbage collector that stops all other work while it
// marks, unless that is so already. Another collector takes for alive what is allocated meanwhile.
// Call it first in main: what was done before is done again.
func StopTheWorld() error {
	const setting = "gcstoptheworld=1"
	if os.Getenv("GODEBUG") == setting {
		return nil
	}
	program, err := os.Executable()
	if err != nil {
		return fmt.Errorf("start the program anew: %w", err)
	}
	return syscall.Exec(program, os.Args, append(os.Environ(), "GODEBUG="+setting))
}
