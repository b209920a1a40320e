package policies

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/stage"
)

const not7 = "validations: [{expression: 'object.spec.?replicas.orValue(1) != 7', fieldPath: .spec.replicas, message: not 7}]\n"

// forms are one rule in different scopes, each of which holds for all that the test
// writes.
func forms() []string {
	constraints := func(more string) string {
		return not7 + "matchConstraints: {" + more + "}\n"
	}
	rule := func(version, operations string) string {
		return "resourceRules: [{apiGroups: [stable.example.com], apiVersions: [" + version + "], operations: [" + operations + "], resources: [crontabs]}]"
	}
	return []string{
		constraints(rule("v1", "CREATE, UPDATE")),
		constraints(rule("v1", "CREATE, UPDATE")) + "failurePolicy: Ignore",
		constraints(rule("v1", "CREATE, UPDATE")) + "hub: true",
		constraints(rule("'*'", "CREATE") + ", matchPolicy: Exact"),
		constraints(rule("v1beta1", "'*'")) + "matchConditions: [{name: created, expression: request.operation == 'CREATE'}]",
		constraints(rule("v1", "CREATE") + ", objectSelector: {matchExpressions: [{key: exempt, operator: DoesNotExist}]}"),
		constraints(rule("v1", "CREATE") + ", namespaceSelector: {matchExpressions: [{key: exempt, operator: DoesNotExist}]}"),
	}
}

// writers create CronTabs in both versions until they are told to end: good ones, which
// always have to pass, and bad ones, about which judge decides.
type writers struct {
	stop    context.CancelFunc
	all     sync.WaitGroup
	written atomic.Int64
}

func (p play) write(bad func(error) error) *writers {
	ctx, stop := context.WithCancel(p.Context())
	w := &writers{stop: stop}
	for i, r := range []harness.Resource{p.v1, p.beta} {
		w.all.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				name := fmt.Sprintf("written-%d-%d", i, n)
				if err := create(ctx, r, name, `,"replicas":6`); err != nil && ctx.Err() == nil {
					p.Errorf("%s is good: %v", name, err)
				}
				if err := bad(create(ctx, r, name, `,"replicas":7`)); err != nil && ctx.Err() == nil {
					p.Errorf("%s is bad: %v", name, err)
				}
				w.written.Add(1)
			}
		})
	}
	return w
}

func (w *writers) end(p play, least int64) {
	p.Helper()
	w.stop()
	w.all.Wait()
	p.Logf("%d good and as many bad ones", w.written.Load())
	if w.written.Load() < least {
		p.Errorf("only %d", w.written.Load())
	}
}

// A policy changes its scope while writes run, and none that breaks it passes.
func (p play) testEdits() {
	all := forms()
	p.policy("ValidationPolicy", "moving", all[0])
	p.policy("ValidationPolicy", "staying", about+"validations: [{expression: 'true'}]") // in the same webhook, now and then
	w := p.write(func(err error) error {
		if err == nil {
			return fmt.Errorf("it passes")
		}
		if !strings.Contains(err.Error(), "not 7") {
			return err
		}
		return nil
	})
	for i := range 2 * len(all) {
		p.apply("ValidationPolicy", "moving", all[(i*3+1)%len(all)])
		if i%3 > 0 {
			p.ready("ValidationPolicy", "moving") // others change again before they are
		}
	}
	w.end(p, 20)
}

// A deleted policy is gone, and no write is refused because it is missing.
func (p play) testDeletion() {
	p.policy("ValidationPolicy", "going", forms()[0])
	p.policy("ValidationPolicy", "staying", about+"validations: [{expression: 'true'}]")
	var passed atomic.Int64
	w := p.write(func(err error) error {
		if err == nil {
			passed.Add(1)
			return nil
		}
		if !strings.Contains(err.Error(), "not 7") {
			return err
		}
		return nil
	})
	stage.Until(p.T, 10*time.Second, func(context.Context) error {
		if n := w.written.Load(); n < 5 {
			return fmt.Errorf("%d bad ones were tried", n)
		}
		return nil
	})
	if passed.Load() > 0 {
		p.Error("a bad one passes before the policy is gone")
	}
	p.kubectl("delete", "validationpolicy", "going")
	stage.Until(p.T, 10*time.Second, func(context.Context) error {
		if passed.Load() < 10 {
			return fmt.Errorf("%d pass", passed.Load())
		}
		return nil
	})
	w.end(p, 10)
}

// What somebody changes or deletes is put back.
func (p play) testDrift() {
	p.policy("ValidationPolicy", "drift", forms()[0])
	const configuration = "validatingwebhookconfiguration/crosswalk-policies"
	// resources are those of all rules.
	resources := func(ctx context.Context) (all []string, err error) {
		data, err := p.v1.API.Get(ctx, "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/crosswalk-policies")
		if err != nil {
			return nil, err
		}
		var configuration admissionregistrationv1.ValidatingWebhookConfiguration
		if err := json.Unmarshal(data, &configuration); err != nil {
			return nil, err
		}
		for _, webhook := range configuration.Webhooks {
			for _, rule := range webhook.Rules {
				all = append(all, rule.Resources...)
			}
		}
		return all, nil
	}
	for _, meddle := range [][]string{
		{"delete", configuration},
		{"patch", configuration, "--type=json", "-p", `[{"op": "replace", "path": "/webhooks", "value": []}]`},
		{"patch", configuration, "--type=json", "-p", `[{"op": "replace", "path": "/webhooks/0/rules/0/resources", "value": ["others"]}]`},
	} {
		p.kubectl(meddle...)
		stage.Until(p.T, 10*time.Second, func(ctx context.Context) error {
			got, err := resources(ctx)
			if err == nil && !slices.Equal(got, []string{"crontabs", "crontabs/scale"}) {
				err = fmt.Errorf("after kubectl %s: %s", strings.Join(meddle, " "), got)
			}
			return err
		})
	}
	stage.Until(p.T, 10*time.Second, func(ctx context.Context) error { // until the API server has heard of it
		if err := create(ctx, p.v1, "wrong", `,"replicas":7`); err == nil || !strings.Contains(err.Error(), "not 7") {
			return fmt.Errorf("what is wrong meets %v", err)
		}
		return nil
	})
}

// While nobody answers, the failurePolicy says what becomes of a write.
func (p play) testNobodyAnswers() {
	p.policy("ValidationPolicy", "strict", not7+"matchConditions: [{name: a, expression: object.metadata.name == 'strict'}]\n"+about)
	p.policy("ValidationPolicy", "lenient", not7+"failurePolicy: Ignore\nmatchConditions: [{name: a, expression: object.metadata.name == 'lenient'}]\n"+about)
	p.wantRefused(p.v1, "strict", `,"replicas":7`, "not 7")
	p.wantRefused(p.v1, "lenient", `,"replicas":7`, "not 7")
	if err := p.scene.StopCrosswalk(); err != nil {
		p.Fatal(err)
	}
	p.wantRefused(p.v1, "strict", "", `failed calling webhook "strict.validationpolicy.crosswalk.dev"`)
	p.wantCreated(p.v1, "lenient", `,"replicas":7`)
	p.wantCreated(p.v1, "another", `,"replicas":7`)
	if err := p.scene.StartCrosswalk(p.Context()); err != nil {
		p.Fatal(err)
	}
	stage.Until(p.T, 10*time.Second, func(ctx context.Context) error { return create(ctx, p.v1, "strict", "") })
	p.wantRefused(p.v1, "strict", `,"replicas":7`, "not 7")
	p.wantRefused(p.v1, "lenient", `,"replicas":7`, "not 7")
}
