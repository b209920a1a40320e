package reach

import (
	"context"
	"errors"
	"fmt"
	"net"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/crosswalk-dev/crosswalk/certs"
	"github.com/crosswalk-dev/crosswalk/internal/cluster"
)

// Serve is crosswalk serve as its callers see it.
type Serve struct {
	// Service is its Service, and Port the port of that.
	Service cluster.Service
	Port    int32
	// Replicas are the addresses, HOST:PORT, of all replicas. If it is empty, the Service's
	// EndpointSlices are used.
	Replicas []string
	// Certs has the CA bundle.
	Certs certs.Source
	// CertManagerCertificate is the name of the Certificate, in the Service's namespace, that
	// the bundle comes from. It is empty if cert-manager is not used.
	CertManagerCertificate string
	// Live asks the API server. Cached has the EndpointSlices.
	Live, Cached client.Reader
	// Dial connects to servers. The default is net.Dialer's.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
	// Now is the clock.
	Now func() time.Time

	pulse State // the last result of Follow
}

// Obstacle prevents serve from being called, or from answering. It has a reason for a
// condition, and a message with cause and remedy.
type Obstacle struct{ Reason, Message string }

// Ask sends a request to the server at an address, HOST:PORT. It returns an error if there is
// no good answer.
type Ask func(ctx context.Context, address string) error

// AskAll asks every ready replica, and then the Service. It returns an error if the API server
// did not answer which replicas there are. If serve does not answer at all, that is known from
// [Serve.Follow], and nobody is asked.
func (s *Serve) AskAll(ctx context.Context, ask Ask) (*Obstacle, error) {
	if problem := s.Obstacle(); problem != nil {
		return problem, nil
	}
	return s.askEverybody(ctx, ask)
}

func (s *Serve) askEverybody(ctx context.Context, ask Ask) (*Obstacle, error) {
	if problem, err := s.AskReplicas(ctx, ask); problem != nil || err != nil {
		return problem, err
	}
	return s.AskService(ctx, ask)
}

// AskReplicas asks every ready replica. A replica that was named by its address and does not
// run is skipped, as long as another one answers.
func (s *Serve) AskReplicas(ctx context.Context, ask Ask) (*Obstacle, error) {
	replicas, err := s.replicas(ctx)
	if err != nil {
		return nil, err
	}
	answered := 0
	for _, replica := range replicas {
		err := ask(ctx, replica.address)
		switch {
		case err == nil:
			answered++
		case replica.mayBeDown && refused(err):
		default:
			return &Obstacle{"WaitingForReplicas", fmt.Sprintf("the replica %s does not answer: %v", replica.name, err)}, nil
		}
	}
	if answered == 0 {
		return &Obstacle{"NoReplicas", fmt.Sprintf("no replica of serve is ready behind the Service %[1]s/%[2]s; see kubectl -n %[1]s get deployments,pods",
			s.Service.Namespace, s.Service.Name)}, nil
	}
	return nil, nil
}

// AskService asks whatever answers for the Service.
func (s *Serve) AskService(ctx context.Context, ask Ask) (*Obstacle, error) {
	address, err := s.serviceAddress(ctx)
	switch {
	case err == nil:
		err = ask(ctx, address)
	case !apierrors.IsNotFound(err) && !errors.Is(err, errHeadless):
		return nil, err // the API server did not answer
	}
	if err != nil {
		return &Obstacle{"ServiceUnreachable", fmt.Sprintf("the Service %s/%s does not answer: %v", s.Service.Namespace, s.Service.Name, err)}, nil
	}
	return nil, nil
}
