package arming

import (
	"context"

	"github.com/crosswalk-dev/crosswalk/certs/inject"
	"github.com/crosswalk-dev/crosswalk/internal/manage/reach"
)

// serve returns the server that armed CRDs name.
func (r *reconciler) serve() *reach.Serve {
	return &reach.Serve{
		Service: r.Service, Port: r.Port, Replicas: r.Replicas,
		Certs: r.Certs, CertManagerCertificate: r.CertManagerCertificate,
		Live: r.live, Cached: r.cached, Dial: r.Dial, Now: r.Now,
	}
}

// bundle returns the CA bundle for armed CRDs, or an obstacle.
func (r *reconciler) bundle(ctx context.Context) (inject.Bundle, *obstacle) {
	bundle, problem := r.serve().Bundle(ctx)
	return bundle, obstacleOf(problem)
}

func obstacleOf(problem *reach.Obstacle) *obstacle {
	if problem == nil {
		return nil
	}
	return &obstacle{problem.Reason, problem.Message}
}
