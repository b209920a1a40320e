package harness

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Scene is a control plane with Crosswalk installed as deploy/base says, and CRDs
// that it converts. What would be Pods are processes, with the arguments of their
// Deployments and the rights of their ServiceAccounts.
type Scene struct {
	ControlPlane *ControlPlane
	Serve        []*Role // the replicas of crosswalk serve
	Manage       *Role
	// ServicePort is the port of the Service, on loopback, and AggregatedPort that of the
	// API group of Crosswalk's own, 0 where it is not served.
	ServicePort, AggregatedPort int
	dir                         string
	log                         *os.File
	balancers                   []*balancer // none for a single replica
	refused                     []string    // that the API server may refuse
}

// SceneOptions are what few scenes need.
type SceneOptions struct {
	// APIServerFlags are further flags of kube-apiserver.
	APIServerFlags []string
	// Overlay is the folder in deploy/ that is installed. The default is base.
	Overlay string
	// Install installs Crosswalk in place of kubectl apply -k of the overlay.
	Install func(context.Context, *ControlPlane) error
	// Aggregated serves the API groups of Crosswalk's own. The overlay is
	// overlays/aggregated then.
	Aggregated bool
	// Replicas of crosswalk serve; the default is 1, which has the Service to
	// itself. More stand behind a balancer that hears of their readiness after Lag.
	Replicas int
	Lag      time.Duration
	// DrainDelay of each replica. It has to exceed Lag for a stop that nobody notices.
	DrainDelay time.Duration
	// ServeFlags and ManageFlags are further flags of the roles.
	ServeFlags, ManageFlags []string
	// Refused are requests that a test means to be refused, as "ROLE VERB RESOURCE"
	// or "ROLE VERB NAMESPACE/RESOURCE".
	Refused []string
	// Prepare is called when the API server serves and nothing is installed yet.
	Prepare func(context.Context, *ControlPlane) error
}

// startLimit is how long all of a scene may take to start.
const startLimit = 3 * time.Minute

// StartScene starts everything in dir, which should be empty, applies the tables
// and waits until they are ready. Logs are NAME.log in dir.
func StartScene(ctx context.Context, programs Programs, dir string, o SceneOptions, tables ...Table) (_ *Scene, err error) {
	s := &Scene{dir: dir, refused: o.Refused}
	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("%w; logs are in %s", err, dir), s.Stop())
		}
	}()
	ctx, cancel := context.WithTimeout(ctx, startLimit)
	defer cancel()
	if s.log, err = os.Create(s.Log("controlplane.log")); err != nil {
		return nil, err
	}
	s.ControlPlane, err = StartControlPlane(ctx, programs, filepath.Join(dir, "controlplane"), s.log, o.APIServerFlags...)
	if err != nil {
		return nil, err
	}
	if o.Prepare != nil {
		if err := o.Prepare(ctx, s.ControlPlane); err != nil {
			return nil, err
		}
	}
	if err := s.install(ctx, programs, o); err != nil {
		return nil, err
	}
	if err := s.StartCrosswalk(ctx); err != nil {
		return nil, err
	}
	if o.Aggregated {
		if _, err := s.ControlPlane.Kubectl(ctx, "wait", "--for=condition=Available", "--timeout="+readyLimit.String(), "apiservice/v1alpha1.conversion.crosswalk.dev", "apiservice/v1alpha1.admission.crosswalk.dev"); err != nil {
			return nil, err
		}
	}
	return s, s.Apply(ctx, tables...)
}

// install installs Crosswalk and chooses how its roles will run.
func (s *Scene) install(ctx context.Context, programs Programs, o SceneOptions) error {
	ports, err := s.choosePorts(max(o.Replicas, 1))
	if err != nil {
		return err
	}
	base := o.Overlay
	switch {
	case o.Aggregated:
		base = "overlays/aggregated"
		if s.AggregatedPort, err = FreePort(); err != nil {
			return err
		}
	case base == "":
		base = "base"
	}
	if o.Install == nil {
		o.Install = func(ctx context.Context, c *ControlPlane) error { return apply(ctx, c, programs, base) }
	}
	if err := o.Install(ctx, s.ControlPlane); err != nil {
		return err
	}
	if err := s.connect(ctx); err != nil {
		return err
	}
	args, err := deployedArgs(ctx, s.ControlPlane)
	if err != nil {
		return err
	}
	own := map[string][]string{}
	for role := range args {
		own[role] = []string{"--kubeconfig", s.kubeconfig(role), "--namespace", Namespace}
	}
	return s.cast(programs, o, ports, args, own)
}

// connect leads from the API server to the roles, and from the roles to the API server.
func (s *Scene) connect(ctx context.Context) error {
	api, err := s.ControlPlane.API()
	if err != nil {
		return err
	}
	if err := leadToLoopback(ctx, s.ControlPlane, s.AggregatedPort); err != nil {
		return err
	}
	for _, role := range []string{"serve", "manage"} {
		if err := writeAccount(ctx, s.ControlPlane, api, "crosswalk-"+role, s.kubeconfig(role)); err != nil {
			return err
		}
	}
	return nil
}

// kubeconfig is where that of a role's account is.
func (s *Scene) kubeconfig(role string) string { return filepath.Join(s.dir, role+".kubeconfig") }

// choosePorts chooses the Service's port and one for each replica.
func (s *Scene) choosePorts(replicas int) (ports []int, err error) {
	for range replicas {
		port, err := FreePort()
		if err != nil {
			return nil, err
		}
		ports = append(ports, port)
	}
	s.ServicePort = ports[0]
	if replicas > 1 {
		s.ServicePort, err = FreePort()
	}
	return ports, err
}

// cast makes the roles, without starting any. args are those of their Deployments, and
// own those of this place.
func (s *Scene) cast(programs Programs, o SceneOptions, ports []int, args, own map[string][]string) error {
	serve := append(append(own["serve"], "--drain-delay", o.DrainDelay.String()), o.ServeFlags...)
	manage := append(own["manage"], "--service-port", strconv.Itoa(s.ServicePort))
	var members, aggregated []member
	for i, port := range ports {
		own := slices.Clone(serve)
		aggregatedPort := s.AggregatedPort
		if aggregatedPort != 0 {
			if len(ports) > 1 {
				var err error
				if aggregatedPort, err = FreePort(); err != nil {
					return err
				}
			}
			own = append(own, "--aggregated-listen", loopback(aggregatedPort))
		}
		replica, err := newServe(fmt.Sprintf("serve-%d", i), programs.Crosswalk, s.dir, port, args["serve"], own...)
		if err != nil {
			return err
		}
		aggregated = append(aggregated, member{aggregatedPort, replica.ready})
		s.Serve = append(s.Serve, replica)
		manage = append(manage, "--replica", loopback(port))
		members = append(members, member{port, replica.ready})
	}
	if len(members) > 1 {
		s.balancers = append(s.balancers, startBalancer(s.ServicePort, o.Lag, members))
		if s.AggregatedPort != 0 {
			s.balancers = append(s.balancers, startBalancer(s.AggregatedPort, o.Lag, aggregated))
		}
	}
	var err error
	if s.Manage, err = newRole("manage", programs.Crosswalk, s.dir, args["manage"], append(manage, o.ManageFlags...)...); err != nil {
		return err
	}
	for _, r := range s.roles() {
		r.kept = true
	}
	return nil
}

// Apply applies tables, the CRDs first, and waits until they are ready.
func (s *Scene) Apply(ctx context.Context, tables ...Table) error {
	if len(tables) == 0 {
		return nil
	}
	manifest, err := manifestOf(tables)
	if err != nil {
		return err
	}
	if _, err := s.ControlPlane.KubectlWith(ctx, manifest, "apply", "-f", "-"); err != nil {
		return err
	}
	var names []string
	for _, t := range tables {
		names = append(names, t.Crosswalk.Name)
	}
	return s.WaitReady(ctx, names...)
}

// readyLimit is how long a table, or an APIService, may take to be ready.
const readyLimit = time.Minute

// WaitReady waits until the Crosswalks are ready. If they are not, it says what
// they say about themselves.
func (s *Scene) WaitReady(ctx context.Context, names ...string) error {
	args := append([]string{"wait", "--for=condition=Ready", "--timeout=" + readyLimit.String(), "crosswalk"}, names...)
	if _, err := s.ControlPlane.Kubectl(ctx, args...); err != nil {
		said, _ := s.ControlPlane.Kubectl(context.WithoutCancel(ctx), "get", "crosswalks", "-o",
			`jsonpath={range .items[*]}{.metadata.name}: {range .status.conditions[*]}{.type}={.status} {.message}; {end}{"\n"}{end}`)
		return fmt.Errorf("%w\n%s", err, said)
	}
	return nil
}

// StartCrosswalk starts every role that does not run, and waits until all are
// ready.
func (s *Scene) StartCrosswalk(ctx context.Context) error {
	for _, r := range s.roles() {
		if r.Running() {
			continue
		}
		if err := r.Launch(); err != nil {
			return err
		}
	}
	for _, r := range s.roles() {
		if err := r.WaitReady(ctx); err != nil {
			return err
		}
	}
	return s.waitRouted(ctx, len(s.Serve))
}

// waitRouted waits until the Service leads to so many replicas.
func (s *Scene) waitRouted(ctx context.Context, replicas int) error {
	var errs []error
	for _, b := range s.balancers {
		errs = append(errs, b.waitRouted(ctx, replicas))
	}
	return errors.Join(errs...)
}

// Rollout replaces every role by the program with what its Deployment says now, one
// after the other, as Kubernetes does when a Deployment has changed.
func (s *Scene) Rollout(ctx context.Context, program string) error {
	args, err := deployedArgs(ctx, s.ControlPlane)
	if err != nil {
		return err
	}
	for _, replica := range s.Serve {
		replica.change(program, args["serve"])
	}
	s.Manage.change(program, args["manage"])
	return s.RollingRestart(ctx)
}

// RollingRestart is a rollout of the same program with the same arguments.
func (s *Scene) RollingRestart(ctx context.Context) error {
	for _, replica := range s.Serve {
		if err := replica.Restart(ctx); err != nil {
			return err
		}
		if err := s.waitRouted(ctx, len(s.Serve)); err != nil {
			return err
		}
	}
	return s.Manage.Restart(ctx)
}

// Reinstalled starts every role of an installation that is another one than before, whose
// Service is new, and whose accounts are.
func (s *Scene) Reinstalled(ctx context.Context) error {
	if err := s.connect(ctx); err != nil {
		return err
	}
	return s.StartCrosswalk(ctx)
}

// StopCrosswalk ends every role as a rollout would.
func (s *Scene) StopCrosswalk() error {
	var errs []error
	for _, r := range s.roles() {
		errs = append(errs, r.Stop())
	}
	return errors.Join(append(errs, s.waitRouted(context.Background(), 0))...)
}

// KillCrosswalk ends every role as a crash would.
func (s *Scene) KillCrosswalk() error {
	for _, r := range s.roles() {
		r.Kill()
	}
	return s.waitRouted(context.Background(), 0)
}

// roles are manage and all replicas of serve, manage first: it gives the Lease
// back, and says no more of replicas that then end.
func (s *Scene) roles() []*Role {
	if s.Manage == nil {
		return s.Serve
	}
	return append([]*Role{s.Manage}, s.Serve...)
}

// Log returns the path of one of the scene's logs.
func (s *Scene) Log(name string) string { return filepath.Join(s.dir, name) }

// LogEnds shows the end of every role's log, for a test that has failed and whose
// folder goes away.
func (s *Scene) LogEnds() string {
	var ends strings.Builder
	for _, r := range s.roles() {
		fmt.Fprintf(&ends, "the end of %s:\n%s\n", filepath.Base(r.log), end(r.log))
	}
	return ends.String()
}

// end is the last part of a file, or why there is none.
func end(path string) string {
	const most = 5000
	data, err := os.ReadFile(path)
	if err != nil {
		return err.Error()
	}
	if len(data) > most {
		data = data[len(data)-most:]
	}
	return string(data)
}

// Stop ends what runs: Crosswalk first, because its watches would keep the API
// server. It fails if the API server has refused a role anything that no test means to
// be refused: the role lacks a right then, or asks for what it does not need.
func (s *Scene) Stop() error {
	var errs []error
	for _, r := range s.roles() {
		errs = append(errs, r.Stop())
	}
	if s.ControlPlane != nil {
		errs = append(errs, s.ControlPlane.Stop())
		if s.Manage != nil {
			errs = append(errs, s.ControlPlane.Refused(Accounts, s.refused...))
		}
	}
	for _, b := range s.balancers {
		b.close()
	}
	if s.log != nil {
		errs = append(errs, s.log.Close())
	}
	return errors.Join(errs...)
}
