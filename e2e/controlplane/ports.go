package main

import (
	"fmt"
	"net"
	"strconv"
)

// freePort returns a TCP port of 127.0.0.1 that nobody listens on, preferred if
// it is free and not 0. Somebody else may take the port before it is used, so a
// caller tries again with another one when listening fails.
func freePort(preferred int) (int, error) {
	if preferred != 0 {
		if l, err := net.Listen("tcp", loopback(preferred)); err == nil {
			l.Close()
			return preferred, nil
		}
	}
	l, err := net.Listen("tcp", loopback(0))
	if err != nil {
		return 0, fmt.Errorf("find a free port on 127.0.0.1: %w", err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}

func loopback(port int) string {
	return net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
}
