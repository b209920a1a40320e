package main

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

// freePort returns a TCP port of 127.0.0.1 that nobody listens on, preferred if
// it is free and not 0. Somebody else may take the port before it is used, so a
// caller tries again with another one when listening fails. A UDP port of the same
// number says that a test has chosen it for later: see harness.FreePort.
func freePort(preferred int) (int, error) {
	port := preferred
	for range 100 {
		if port == 0 {
			port = firstPort + rand.IntN(lastPort-firstPort+1)
		}
		reservation, err := net.ListenPacket("udp", loopback(port))
		if err == nil {
			defer reservation.Close()
		}
		var l net.Listener
		if err == nil {
			l, err = net.Listen("tcp", loopback(port))
		}
		if errors.Is(err, syscall.EADDRINUSE) {
			port = 0
			continue
		}
		if err != nil {
			return 0, fmt.Errorf("find a free port on 127.0.0.1: %w", err)
		}
		return port, l.Close()
	}
	return 0, fmt.Errorf("find a free port on 127.0.0.1: all that were tried between %d and %d are taken", firstPort, lastPort)
}

func loopback(port int) string {
	return net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
}
