package arming

import (
	"context"
	"log/slog"
	"net"
	"time"

	"k8s.io/client-go/tools/events"

	"github.com/crosswalk-dev/crosswalk/certs"
	"github.com/crosswalk-dev/crosswalk/internal/cluster"
)

// FieldManager owns what this package writes into CRDs.
const FieldManager = "crosswalk-arming"

// Options say how CRDs are armed.
type Options struct {
	// Service is the one that CRDs shall ask, and Port its port.
	Service cluster.Service
	Port    int32
	// Replicas are the addresses, HOST:PORT, of all replicas of serve. Where
	// there are none, they are those of the Service's EndpointSlices.
	Replicas []string
	// Certs has the CA bundle that CRDs shall hold.
	Certs certs.Source
	// CertManagerCertificate is the name of the Certificate, in the Service's
	// namespace, whose CA cainjector keeps in what is armed; empty where
	// cert-manager is not used.
	CertManagerCertificate string
	// Compiler compiles the tables, as those of the replicas do.
	Compiler cluster.Compiler
	// Events gets what an operator should hear of.
	Events events.EventRecorder
	// Logger gets every change that is made.
	Logger *slog.Logger
	// Dial makes connections to replicas. The default is that of net.Dialer.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
	// Now is the clock. The default is time.Now.
	Now func() time.Time
}

const (
	// immediately is when to look again after somebody else was faster, or after
	// the first of two steps.
	immediately = 20 * time.Millisecond
	// What a CRD waits for happens in other processes, which tell nobody: it is
	// looked at again after firstWait, and after twice as long each time until
	// that is longestWait.
	firstWait   = 100 * time.Millisecond
	longestWait = 2 * time.Second
	// later is when a CRD that is ready is looked at again, so that its
	// condition follows replicas that stop answering.
	later = 30 * time.Second
	// settling is how long an API server is given to hear of a change that it
	// has accepted, before the Crosswalk is called ready.
	settling = time.Second
)
