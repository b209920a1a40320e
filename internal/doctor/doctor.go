package doctor

import (
	"context"
	"fmt"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	authorizationv1client "k8s.io/client-go/kubernetes/typed/authorization/v1"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/crosswalk-dev/crosswalk/certs"
	"github.com/crosswalk-dev/crosswalk/internal/cluster"
	"github.com/crosswalk-dev/crosswalk/internal/manage"
	"github.com/crosswalk-dev/crosswalk/internal/rights"
)

// Options configure a walk.
type Options struct {
	// Config connects to the cluster.
	Config *rest.Config
	// Service is the Service of serve. If its name or namespace is empty, the Service is found
	// by its labels.
	Service cluster.Service
	// Roles reads how the roles are configured.
	Roles Roles
	// Checked is called with every check, as soon as it is complete. It may be nil.
	Checked func(Check)
	// Now is the clock. The default is time.Now.
	Now func() time.Time
}

// Roles reads the arguments of the roles' containers. No arguments are the defaults.
type Roles interface {
	// Manage returns the options of manage, behind a Service.
	Manage(args []string, service cluster.Service) (manage.Options, error)
	// Serve returns the rights that serve needs.
	Serve(args []string, service cluster.Service) ([]rights.Right, error)
}

// requestTimeout is how long the API server may take for an answer. An answer that takes longer
// is a problem itself.
const requestTimeout = 5 * time.Second

// doctor is one walk. Checks leave here what later checks need.
type doctor struct {
	Options
	client   client.Client
	metadata metadata.Interface
	reviews  authorizationv1client.SubjectAccessReviewsGetter
	http     rest.Interface

	ahead       time.Duration // of the API server's clock
	found       *corev1.Service
	deployments map[string]*appsv1.Deployment // by role
	pods        map[string][]corev1.Pod       // by role
	manage      manage.Options
	down        bool        // manage does not run
	pair        *certs.Pair // nil if it is unknown
	stopped     bool        // the walk cannot go on
	fails       bool        // conversions fail

	tablesOnce         once[tables]
	configurationsOnce once[[]configuration]
}

// Run walks through the cluster.
func Run(ctx context.Context, o Options) (Report, error) {
	d, err := newDoctor(o)
	if err != nil {
		return Report{}, err
	}
	return d.walk(ctx), nil
}

func newDoctor(o Options) (*doctor, error) {
	o.Config = rest.CopyConfig(o.Config)
	o.Config.Timeout = requestTimeout
	o.Config.QPS = -1 // the API server limits its clients itself
	if o.Now == nil {
		o.Now = time.Now
	}
	scheme, err := cluster.Scheme()
	if err != nil {
		return nil, err
	}
	d := &doctor{Options: o}
	if d.client, err = client.New(o.Config, client.Options{Scheme: scheme, Mapper: cluster.Mapper()}); err != nil {
		return nil, err
	}
	if d.metadata, err = metadata.NewForConfig(o.Config); err != nil {
		return nil, err
	}
	authorization, err := authorizationv1client.NewForConfig(o.Config)
	if err != nil {
		return nil, err
	}
	d.reviews, d.http = authorization, authorization.RESTClient()
	return d, nil
}

// walk makes every check, or those up to one that finds that the others make no sense.
func (d *doctor) walk(ctx context.Context) Report {
	report := Report{State: OK}
	for _, step := range []struct {
		name string
		run  func(context.Context, *Check)
	}{
		{"API server", d.checkAPIServer},
		{"Service", d.checkService},
		{"serve", d.checkServe},
		{"manage", d.checkManage},
		{"certificate", d.checkCertificate},
		{"conversion", d.checkConversion},
		{"webhooks", d.checkWebhooks},
		{"rights", d.checkRights},
		{"tables", d.checkTables},
		{"policies", d.checkPolicies},
		{"stored versions", d.checkStored},
		{"stashes", d.checkStashes},
	} {
		check := Check{Name: step.name}
		step.run(ctx, &check)
		if d.stopped {
			check.skip("everything else")
		}
		check.conclude()
		if d.Checked != nil {
			d.Checked(check)
		}
		report.add(check)
		if d.stopped {
			break
		}
	}
	return report
}

// time returns the time of the API server, because the clock of this host may be wrong.
func (d *doctor) time() time.Time { return d.Now().Add(d.ahead) }

// failed notes that something could not be read, and why.
func (c *Check) failed(what string, err error) {
	if apierrors.IsForbidden(err) {
		c.skip(err.Error()) // the API server's text names the caller and the right
		return
	}
	c.skip(fmt.Sprintf("%s: %v", what, err))
}

// once reads something once, for several checks.
type once[T any] struct {
	done  bool
	value T
	err   error
}

func (o *once[T]) get(read func() (T, error)) (T, error) {
	if !o.done {
		o.value, o.err = read()
		o.done = true
	}
	return o.value, o.err
}
