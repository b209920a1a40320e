package harness

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"strconv"
	"sync"
	"syscall"
)

// Ports are chosen below those that systems give to outgoing connections (32768
// and up on Linux, 49152 on others): one that a process frees while it restarts
// is then still free.
const firstPort, lastPort = 20000, 32767

// reserved are UDP ports that stay open as long as this process runs. Whoever
// looks for a port in another process, or in this one, takes none of the same
// number: a test may use its port long after it was chosen.
var reserved struct {
	mu    sync.Mutex
	ports []net.PacketConn
}

// FreePort returns a TCP port of 127.0.0.1 that nobody listens on, and that nobody
// else who asks here, or in a control plane, is given while this process runs.
func FreePort() (int, error) {
	for range 100 {
		port := firstPort + rand.IntN(lastPort-firstPort+1)
		reservation, err := net.ListenPacket("udp", loopback(port))
		if err == nil {
			var l net.Listener
			if l, err = net.Listen("tcp", loopback(port)); err == nil {
				reserved.mu.Lock()
				reserved.ports = append(reserved.ports, reservation)
				reserved.mu.Unlock()
				return port, l.Close()
			}
			reservation.Close()
		}
		if !errors.Is(err, syscall.EADDRINUSE) {
			return 0, fmt.Errorf("find a free port on 127.0.0.1: %w", err)
		}
	}
	return 0, fmt.Errorf("find a free port on 127.0.0.1: all that were tried between %d and %d are taken", firstPort, lastPort)
}

func loopback(port int) string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(port)) }
