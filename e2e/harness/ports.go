package harness

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"strconv"
	"syscall"
)

// Ports are chosen below those that systems give to outgoing connections (32768
// and up on Linux, 49152 on others): one that a process frees while it restarts
// is then still free.
const firstPort, lastPort = 20000, 32767

// FreePort returns a TCP port of 127.0.0.1 that nobody listens on.
func FreePort() (int, error) {
	for range 100 {
		port := firstPort + rand.IntN(lastPort-firstPort+1)
		l, err := net.Listen("tcp", loopback(port))
		if errors.Is(err, syscall.EADDRINUSE) {
			continue
		}
		if err != nil {
			return 0, fmt.Errorf("find a free port on 127.0.0.1: %w", err)
		}
		return port, l.Close()
	}
	return 0, fmt.Errorf("find a free port on 127.0.0.1: all that were tried between %d and %d are taken", firstPort, lastPort)
}

func loopback(port int) string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(port)) }
