package harness

import (
	"net"
	"testing"
)

// A port is nobody else's from the moment that it is given, though nobody listens
// on it yet.
func TestFreePortIsReserved(t *testing.T) {
	port, err := FreePort()
	if err != nil {
		t.Fatal(err)
	}
	if other, err := net.ListenPacket("udp", loopback(port)); err == nil {
		other.Close()
		t.Errorf("port %d can be given again", port)
	}
	l, err := net.Listen("tcp", loopback(port))
	if err != nil {
		t.Fatalf("port %d cannot be used: %v", port, err)
	}
	l.Close()
}
