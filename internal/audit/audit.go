package audit

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	authenticationv1 "k8s.io/api/authentication/v1"
	"k8s.io/client-go/rest"

	"github.com/crosswalk-dev/crosswalk/conversion"
	"github.com/crosswalk-dev/crosswalk/internal/bulk"
)

// Options configure an audit.
type Options struct {
	// Config connects to the API server.
	Config *rest.Config
	// Resources are the resources to audit, by plural, plural.group, singular, short name or
	// kind. Without any, all resources are audited that a policy matches or that have a
	// Crosswalk.
	Resources []string
	// Namespace limits the audit to the objects of one namespace.
	Namespace string
	// Writer is who is taken to write the objects. Without one, policies whose result depends
	// on the writer are not audited.
	Writer *authenticationv1.UserInfo
	// PageSize is how many objects are listed at once. It must be positive.
	PageSize int
	// QPS is how many lists are sent per second, 0 for no limit.
	QPS float32
	// Compiling holds the options for compiling tables.
	Compiling []conversion.Option
	// Console shows progress.
	Console *bulk.Console
	// Found receives every finding as soon as it is known. It may be nil.
	Found func(*Resource, Finding)
	// Logger receives what happens while objects are looked up.
	Logger *slog.Logger
}

// patience is how long an audit waits for the objects that policies look up.
const patience = 30 * time.Second

// auditor is one audit.
type auditor struct {
	Options
	client *bulk.Client
	world  *world
	report *Report
}

// Run audits the objects of a cluster. If ctx ends, the report has what was found until then,
// and what is missing. An error means that nothing was audited. It is an [ArgumentError] if
// Resources are wrong.
func Run(ctx context.Context, o Options) (*Report, error) {
	client, err := bulk.NewClient(o.Config, o.QPS)
	if err != nil {
		return nil, err
	}
	a := &auditor{Options: o, client: client, report: &Report{Resources: []*Resource{}}}
	tasks, err := a.prepare(ctx)
	if a.world != nil {
		defer a.world.close()
	}
	if ctx.Err() != nil {
		return nil, errors.New("stopped before anything was audited")
	}
	if err != nil {
		return nil, err
	}
	for _, t := range tasks {
		a.audit(ctx, t)
	}
	slices.SortStableFunc(a.report.NotAudited, func(x, y Omission) int { return cmp.Compare(x.Object, y.Object) })
	return a.report, nil
}

// prepare reads everything but the objects.
func (a *auditor) prepare(ctx context.Context) (tasks []*task, err error) {
	if a.world, err = a.observe(ctx); err != nil {
		return nil, err
	}
	if tasks, err = a.plan(ctx); err != nil {
		return nil, err
	}
	return tasks, a.settle(ctx, tasks)
}

// omit notes something that there is nothing to audit about.
func (a *auditor) omit(object, reason string) {
	a.report.NotAudited = append(a.report.NotAudited, Omission{object, reason, false})
}

// fail notes something that could not be audited.
func (a *auditor) fail(object, reason string) {
	a.report.NotAudited = append(a.report.NotAudited, Omission{object, reason, true})
}
