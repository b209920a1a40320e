package manage

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	authorizationv1client "k8s.io/client-go/kubernetes/typed/authorization/v1"

	"github.com/crosswalk-dev/crosswalk/internal/manage/reach"
	"github.com/crosswalk-dev/crosswalk/internal/rights"
)

// needed returns the rights without which some part of the role does not work: those to know
// whether what depends on serve is ready, and those to act. deploy/base and the chart grant
// them.
func (o Options) needed() (toKnow, toAct []rights.Right) {
	toKnow = slices.Concat(rights.Parse("",
		"get,list,watch crosswalks.crosswalk.dev",
		"get,list,watch validationpolicies.crosswalk.dev",
		"get,list,watch mutationpolicies.crosswalk.dev",
		"get,list,watch customresourcedefinitions.apiextensions.k8s.io",
		"get,list,watch mutatingwebhookconfigurations.admissionregistration.k8s.io",
		"get,list,watch validatingwebhookconfigurations.admissionregistration.k8s.io",
	), rights.Parse(o.Service.Namespace,
		"get services",
		"list,watch endpointslices.discovery.k8s.io",
		"list,watch controllerrevisions.apps",
	))
	everywhere := []string{
		"create,patch crosswalks.crosswalk.dev",
		"patch crosswalks/status.crosswalk.dev",
		"patch validationpolicies/status.crosswalk.dev",
		"patch mutationpolicies/status.crosswalk.dev",
		"patch customresourcedefinitions.apiextensions.k8s.io",
		"create mutatingwebhookconfigurations.admissionregistration.k8s.io",
		"create validatingwebhookconfigurations.admissionregistration.k8s.io",
		"get,list,watch apiservices.apiregistration.k8s.io",
		"create,patch events.events.k8s.io",
	}
	for _, names := range webhookConfigurations() {
		everywhere = append(everywhere,
			"patch mutatingwebhookconfigurations.admissionregistration.k8s.io "+names.Mutating,
			"patch validatingwebhookconfigurations.admissionregistration.k8s.io "+names.Validating)
	}
	within := []string{"create,delete controllerrevisions.apps", "create canaries.crosswalk.dev"}
	if o.LeaderElection {
		within = append(within, "create leases.coordination.k8s.io", "get,update leases.coordination.k8s.io "+LeaseName, "create events")
	}
	if o.CertManagerCertificate != "" {
		within = append(within, "get certificates.cert-manager.io "+o.CertManagerCertificate)
	}
	if o.CertsSecret != "" {
		within = append(within, "get,list,watch secrets "+o.CertsSecret)
	}
	if o.Authority != nil {
		within = append(within, "create secrets", "update secrets "+o.CertsSecret, "get,list,watch,update secrets "+o.Authority.Secret)
	}
	return toKnow, slices.Concat(rights.Parse("", everywhere...), rights.Parse(o.Service.Namespace, within...))
}

// Rights returns the rights that the role needs with these options.
func (o Options) Rights() []rights.Right { return slices.Concat(o.needed()) }

// How often the API server is asked for the rights of this process, and how long an answer is
// valid if it cannot be asked again.
const (
	rightsEvery = 5 * time.Second
	rightsFor   = 30 * time.Second
)

// ownRights follows the rights of this process, on the leader and on others.
type ownRights struct {
	toKnow, toAct []rights.Right // see Options.needed

	client authorizationv1client.AuthorizationV1Interface
	log    *slog.Logger

	mu      sync.Mutex
	at      time.Time // of the last answer
	missing []rights.Right
	failure error // since the last answer
	changed chan struct{}
}

// Start implements manager.Runnable.
func (r *ownRights) Start(ctx context.Context) error {
	for {
		r.ask(ctx)
		select {
		case <-time.After(rightsEvery):
		case <-ctx.Done():
			return nil
		}
	}
}

// NeedLeaderElection implements manager.LeaderElectionRunnable.
func (*ownRights) NeedLeaderElection() bool { return false }

func (r *ownRights) ask(ctx context.Context) {
	ctx, stop := context.WithTimeout(ctx, rightsEvery)
	defer stop()
	missing, err := rights.Missing(ctx, r.client, slices.Concat(r.toKnow, r.toAct))
	r.mu.Lock()
	defer r.mu.Unlock()
	if apierrors.IsForbidden(err) {
		// Everybody may ask by default. If that was revoked, requests themselves must tell.
		if r.failure == nil {
			r.log.Warn("the rights of this process are unknown, because it may not ask for them", "error", err)
		}
		r.failure, r.at, r.missing = err, time.Now(), nil
		return
	}
	if r.failure = err; err != nil {
		return
	}
	r.at = time.Now()
	if slices.Equal(missing, r.missing) {
		return
	}
	r.missing = missing
	if len(missing) > 0 {
		r.log.Error("rights are missing", "missing", rights.Texts(missing), "remedy", remedy)
	} else {
		r.log.Info("all rights are granted")
	}
	close(r.changed)
	r.changed = make(chan struct{})
}

// Changed returns a channel that is closed when rights have been granted or revoked.
func (r *ownRights) Changed() <-chan struct{} {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.changed
}

// Obstacle implements [reach.Health].
func (r *ownRights) Obstacle() *reach.Obstacle {
	r.mu.Lock()
	defer r.mu.Unlock()
	unknown := slices.DeleteFunc(slices.Clone(r.missing), func(right rights.Right) bool { return !slices.Contains(r.toKnow, right) })
	if len(unknown) == 0 {
		return nil
	}
	return &reach.Obstacle{Reason: "MissingRights", Message: fmt.Sprintf("it is unknown whether this is ready, because crosswalk manage may not %s; %s",
		strings.Join(rights.Texts(unknown), ", "), remedy)}
}

const remedy = "apply deploy/base, the overlay or the chart again, which grants them to the ServiceAccount of manage"

// check is a readiness check.
func (r *ownRights) check() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case len(r.missing) > 0:
		return fmt.Errorf("crosswalk manage may not %s; %s", strings.Join(rights.Texts(r.missing), ", "), remedy)
	case time.Since(r.at) <= rightsFor:
		return nil
	case r.failure != nil:
		return fmt.Errorf("the API server cannot be asked for the rights of crosswalk manage: %w", r.failure)
	}
	return errors.New("the API server has not been asked for the rights of crosswalk manage yet")
}
