package scale

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	authorizationv1 "k8s.io/api/authorization/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	auditv1 "k8s.io/apiserver/pkg/apis/audit/v1"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/e2e/harness"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/stage"
)

// TestScale measures a few of each, for as long as a test may take: what must hold for
// hundreds holds for them.
func TestScale(t *testing.T) {
	m := measure(t, &cluster{crosswalks: 8, policies: 20}, 5*time.Second)
	t.Log(m)
}

// BenchmarkScale measures hundreds of each. It watches for longer than anything is
// remembered that is then looked at again.
func BenchmarkScale(b *testing.B) {
	var m measured
	for b.Loop() {
		m = measure(b, &cluster{crosswalks: 300, policies: 200}, 6*time.Minute)
	}
	fmt.Println(m)
}

// serveMiB is what deploy/base gives serve.
const serveMiB = 853

// measured is what docs/operations.md says.
type measured struct {
	*cluster
	applied, ready time.Duration // from the beginning
	serve, manage  use
	left           float64       // of serve's memory for requests, in bytes
	idle           time.Duration // for which nothing changed
	restarted      time.Duration // until a new serve was ready
	// What manage wrote while nothing changed, and when it had started again.
	writes, writesAgain []string
}

// use is what a process needs.
type use struct {
	most, rest int64         // memory, in kB
	cpu, idle  time.Duration // of a processor: until all was ready, and while nothing changed
	requests   int           // of the API server, while nothing changed
}

func (m measured) String() string {
	line := func(name string, u use) string {
		return fmt.Sprintf("%-6s  %d MiB of memory, %d at most; %.0f s of CPU until all was ready; while nothing changed, %.1f %% of a processor and %.1f requests a second",
			name, u.rest>>10, u.most>>10, u.cpu.Seconds(), 100*u.idle.Seconds()/m.idle.Seconds(), float64(u.requests)/m.idle.Seconds())
	}
	return fmt.Sprintf(`
%d Crosswalks and %d policies: applied after %.0f s, all ready after %.0f s
%s
        requests may hold %.0f MiB of %d
%s
a new serve is ready after %.1f s
writes of manage while nothing changed for %v: %d; after its restart: %d`,
		m.crosswalks, m.policies, m.applied.Seconds(), m.ready.Seconds(), line("serve", m.serve), m.left/(1<<20), serveMiB, line("manage", m.manage),
		m.restarted.Seconds(), m.idle, len(m.writes), len(m.writesAgain))
}

// measure fills a cluster and measures what Crosswalk makes of it. It is an error if
// manage writes while nothing changes for so long, or after it has started again.
func measure(t testing.TB, c *cluster, idle time.Duration) measured {
	m := measured{cluster: c, idle: idle}
	programs := stage.Programs(t)
	c.fill(t, filepath.Join(programs.Root, "examples"))
	scene := stage.StartWith(t, programs, harness.SceneOptions{ServeFlags: []string{"--max-memory-bytes", fmt.Sprint(serveMiB << 20)}})
	serve, manage := scene.Serve[0], scene.Manage
	api, err := scene.ControlPlane.API()
	if err != nil {
		t.Fatal(err)
	}
	apply := func(objects []json.RawMessage) {
		if _, err := scene.ControlPlane.KubectlWith(stage.Within(t, 5*time.Minute), list(t, objects), "apply", "--server-side", "-f", "-"); err != nil {
			t.Fatal(err)
		}
	}
	stage.AggregateRoles(t, scene)
	apply(c.roles)
	c.waitAllowed(t, api)

	began := time.Now()
	apply(c.objects)
	m.applied = time.Since(began)
	c.waitReady(t, api)
	m.ready = time.Since(began)
	m.serve.cpu, m.manage.cpu = cpu(t, serve), cpu(t, manage)

	settle(t, scene)
	beforeServe, beforeManage, from := cpu(t, serve), cpu(t, manage), time.Now()
	<-time.After(idle)
	m.serve.idle, m.manage.idle = cpu(t, serve)-beforeServe, cpu(t, manage)-beforeManage
	m.serve.requests, m.manage.requests = len(requests(t, scene, "serve", from)), len(requests(t, scene, "manage", from))
	m.writes = writes(t, scene, from)
	m.left = stage.Sum(t, serve, "crosswalk_memory_limit_bytes", "")
	m.serve.memory(t, serve)
	m.manage.memory(t, manage)

	from = time.Now()
	if err := serve.Restart(stage.Within(t, time.Minute)); err != nil {
		t.Fatal(err)
	}
	m.restarted = time.Since(from)
	settle(t, scene)

	if err := manage.Stop(); err != nil { // which may write an Event that it gives up the Lease
		t.Fatal(err)
	}
	from = time.Now()
	if err := manage.Start(stage.Within(t, time.Minute)); err != nil {
		t.Fatal(err)
	}
	stage.Until(t, 5*time.Minute, func(context.Context) error {
		for controller, looks := range map[string]int{"arming": c.crosswalks, "policies": 1, "registration": 1} {
			if n := stage.Sum(t, manage, "controller_runtime_reconcile_total", `controller="`+controller+`"`); n < float64(looks) {
				return fmt.Errorf("%s has looked %.0f times", controller, n)
			}
		}
		return nil
	})
	settle(t, scene)
	m.writesAgain = writes(t, scene, from)
	// An Event tells that it has the Lease.
	if i := slices.IndexFunc(m.writesAgain, func(write string) bool { return strings.HasSuffix(write, "/events") }); i >= 0 {
		m.writesAgain = slices.Delete(m.writesAgain, i, i+1)
	}
	for when, writes := range map[string][]string{"nothing changed": m.writes, "nothing changed but that it started again": m.writesAgain} {
		if len(writes) > 0 {
			t.Errorf("while %s, manage wrote\n%s", when, strings.Join(writes, "\n"))
		}
	}
	if m.serve.cpu == 0 || m.manage.cpu == 0 || m.manage.requests == 0 || m.left <= 0 || m.left > serveMiB<<20 {
		t.Errorf("this cannot be: %v", m)
	}
	return m
}

// waitAllowed waits until the API server knows that serve may read what policies look up.
func (c *cluster) waitAllowed(t testing.TB, api *harness.API) {
	t.Helper()
	for _, role := range c.roles {
		var rules struct{ Rules []rbacv1.PolicyRule }
		if err := json.Unmarshal(role, &rules); err != nil {
			t.Fatal(err)
		}
		for _, rule := range rules.Rules {
			stage.UntilAllowed(t, api, harness.Accounts+"serve", authorizationv1.ResourceAttributes{Verb: "get", Group: rule.APIGroups[0], Resource: rule.Resources[0]})
		}
	}
}

// waitReady waits until everything is Ready.
func (c *cluster) waitReady(t testing.TB, api *harness.API) {
	t.Helper()
	stage.Until(t, 10*time.Minute, func(ctx context.Context) error {
		ready, not := 0, ""
		for _, resource := range []string{"crosswalks", "validationpolicies", "mutationpolicies"} {
			data, err := api.Get(ctx, "/apis/"+v1alpha1.GroupVersion().String()+"/"+resource)
			if err != nil {
				return err
			}
			var list struct {
				Items []struct {
					metav1.ObjectMeta `json:"metadata"`
					Status            struct{ Conditions []metav1.Condition }
				}
			}
			if err := json.Unmarshal(data, &list); err != nil {
				return err
			}
			for _, item := range list.Items {
				if is := meta.FindStatusCondition(item.Status.Conditions, "Ready"); is != nil && is.Status == metav1.ConditionTrue {
					ready++
				} else {
					not = fmt.Sprintf("%s %s: %+v", resource, item.Name, item.Status.Conditions)
				}
			}
		}
		// manage has a Crosswalk of its own, besides.
		if want := c.crosswalks + c.policies; ready < want || not != "" {
			return fmt.Errorf("%d of %d are ready; %s", ready, want, not)
		}
		return nil
	})
}

// calm is how long nothing is written where all is done.
const calm = 3 * time.Second

// settle waits until manage has written nothing for a while.
func settle(t testing.TB, scene *harness.Scene) {
	t.Helper()
	stage.Until(t, 2*time.Minute, func(context.Context) error {
		from := time.Now()
		<-time.After(calm)
		if written := writes(t, scene, from); len(written) > 0 {
			return fmt.Errorf("manage wrote\n%s", strings.Join(written, "\n"))
		}
		return nil
	})
}

// requests are those of a role that the API server has had since from.
func requests(t testing.TB, scene *harness.Scene, role string, from time.Time) []auditv1.Event {
	t.Helper()
	events, err := scene.ControlPlane.Audit()
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(events, func(e auditv1.Event) bool {
		return e.User.Username != harness.Accounts+role || e.RequestReceivedTimestamp.Time.Before(from)
	})
}

// writes are those of manage since from. Left out are those of its Lease, by which
// replicas agree who works, and those of which nothing is kept: dry runs, and questions
// what it may do.
func writes(t testing.TB, scene *harness.Scene, from time.Time) []string {
	t.Helper()
	var written []string
	for _, e := range requests(t, scene, "manage", from) {
		of := e.ObjectRef
		if slices.Contains([]string{"get", "list", "watch"}, e.Verb) || of == nil || of.Resource == "leases" ||
			strings.Contains(e.RequestURI, "dryRun=All") || strings.HasPrefix(of.Resource, "selfsubject") {
			continue
		}
		written = append(written, fmt.Sprintf("%s %s %s", e.RequestReceivedTimestamp.Format(time.TimeOnly), e.Verb, e.RequestURI))
	}
	return written
}

func (u *use) memory(t testing.TB, r *harness.Role) {
	t.Helper()
	for name, into := range map[string]*int64{"VmRSS": &u.rest, "VmHWM": &u.most} {
		var err error
		if *into, err = r.Status(name); err != nil {
			t.Fatal(err)
		}
	}
}

// cpu is how much of a processor's time the role has had since it started.
func cpu(t testing.TB, r *harness.Role) time.Duration {
	t.Helper()
	return time.Duration(stage.Sum(t, r, "process_cpu_seconds_total", "") * float64(time.Second))
}
