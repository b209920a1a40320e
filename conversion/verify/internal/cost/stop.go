package cost

import (
	"fmt"
	"os"
	"strings"
	"syscall"
)

// StopTheWorld starts the program anew with a garbage collector that stops all other work while it
// marks, unless that is so already. Another collector takes for alive what is allocated meanwhile.
// Call it first in main: what was done before is done again.
func StopTheWorld() error {
	const variable, setting = "GODEBUG", "gcstoptheworld=1"
	others := os.Getenv(variable)
	if strings.HasSuffix(others, setting) {
		return nil
	}
	program, err := os.Executable()
	if err == nil {
		err = os.Setenv(variable, strings.TrimPrefix(others+","+setting, ","))
	}
	if err == nil {
		err = syscall.Exec(program, os.Args, os.Environ())
	}
	return fmt.Errorf("start the program anew: %w", err)
}
