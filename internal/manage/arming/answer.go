package arming

import (
	"context"
	"fmt"

	"github.com/crosswalk-dev/crosswalk/certs/inject"
	"github.com/crosswalk-dev/crosswalk/internal/cluster"
	"github.com/crosswalk-dev/crosswalk/internal/manage/reach"
)

// trial lists who must answer besides the Service.
type trial struct {
	everyReplica, apiServer bool
	// unplaced is set to true if a server has lately found no place for a value that is stored.
	unplaced bool
}

// tryBundle calls try with the CA bundle that the API server would use: the one that the CRD is
// going to hold. If cainjector writes that bundle, it may be older than the Secret.
func (r *reconciler) tryBundle(ctx context.Context, trial *trial, table cluster.Converter, w conversionSpec, secret inject.Bundle) (*reach.Obstacle, error) {
	believed, err := inject.ParseBundle(w.bundle)
	if err != nil {
		return nil, err
	}
	problem, err := r.try(ctx, trial, table, believed)
	if problem == nil || err != nil || believed.Contains(secret) {
		return problem, err
	}
	if other, err := r.try(ctx, trial, table, secret); other != nil || err != nil {
		return problem, err
	}
	return &reach.Obstacle{Reason: "WaitingForCAInjector", Message: fmt.Sprintf(
		"the caBundle that cainjector wrote has not signed serve's certificate; check that cainjector runs and that the annotation %s names the right Certificate", reach.InjectCAFrom)}, nil
}

// try returns what keeps a CRD from being armed with a table, or nil. It asks every ready
// replica, then the Service, then the API server.
func (r *reconciler) try(ctx context.Context, trial *trial, table cluster.Converter, bundle inject.Bundle) (*reach.Obstacle, error) {
	probe, ask := r.probe(table, bundle, &trial.unplaced), r.Serve.AskService
	if trial.everyReplica {
		ask = r.Serve.AskAll
	}
	if problem, err := ask(ctx, probe.try); problem != nil || err != nil {
		return problem, err
	}
	if trial.apiServer {
		return r.tryCanary(ctx)
	}
	return nil, nil
}
