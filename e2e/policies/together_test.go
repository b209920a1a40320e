package policies

import (
	"context"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/stage"
)

// unique is a rule that a cache can only help to keep.
const unique = about + `
lookups: [{name: others, apiVersion: stable.example.com/v1, kind: CronTab, selector: {}}]
validations:
- expression: "!has(object.spec.host) || !lookups.others.exists(o, o.metadata.name != object.metadata.name && has(o.spec.host) && o.spec.host == object.spec.host)"
  fieldPath: .spec.host
  message: another one has it
`

// A lookup is a read before the write, from a cache or live: two writes at the same
// time can both pass a rule that each alone would pass. One after the other cannot.
func (p play) testTwoAtOnce() {
	p.grant("stable.example.com", "crontabs")
	for _, how := range []string{"cached", "live"} {
		name := "unique-" + how
		p.policy("ValidationPolicy", name, strings.Replace(unique, "selector: {}", "selector: {}, live: "+fmt.Sprint(how == "live"), 1))
		p.together(how, name)
		if err := create(p.Context(), p.v1, "third-"+how, `,"host":"`+how+`"`); err == nil || !strings.Contains(err.Error(), "another one has it") {
			p.Errorf("after two with the same host a third one: %v", err)
		}
		p.remove("ValidationPolicy", name)
	}
}

// together creates two with the same host, neither of which is stored before the
// policy has judged both: another webhook, asked at the same time as ours, answers for
// neither until then.
func (p play) together(host, policy string) {
	p.Helper()
	judged := make(chan struct{})
	server := httptest.NewTLSServer(holding(judged))
	defer server.Close()
	p.hold(server)
	before := p.opinions(policy, "")
	var writes sync.WaitGroup
	names := []string{"both-one-" + host, "both-other-" + host}
	for _, name := range names {
		writes.Go(func() {
			if _, err := p.v1.Create(p.Context(), crontab(p.v1, name, `,"host":"`+host+`"`)); err != nil {
				p.Errorf("%s, at the same time as another one: %v", name, err)
			}
		})
	}
	release := sync.OnceFunc(func() { close(judged); writes.Wait() })
	defer release()
	stage.Until(p.T, 5*time.Second, func(context.Context) error {
		if n := p.opinions(policy, "") - before; n < len(names) {
			return fmt.Errorf("the policy has judged %d of two", n)
		}
		return nil
	})
	release()
	if _, err := p.v1.API.Do(p.Context(), http.MethodDelete, configurations+"/together", harness.JSONType, nil); err != nil {
		p.Error(err)
	}
	p.Cleanup(func() {
		for _, name := range names {
			_, _ = p.v1.Delete(context.Background(), name)
		}
	})
	// The cache hears of both.
	stage.Until(p.T, 5*time.Second, func(ctx context.Context) error {
		if err := create(ctx, p.v1, "third", `,"host":"`+host+`"`); err == nil {
			return fmt.Errorf("a third one with the host %s is accepted", host)
		}
		return nil
	})
}

// probe is the name of one that the other webhook refuses at once, so that it is seen
// that the API server knows it.
const probe = "both-probe"

// holding is the other webhook. It lets a write pass when judged is closed.
func holding(judged <-chan struct{}) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		review := new(admissionv1.AdmissionReview)
		if err := json.NewDecoder(r.Body).Decode(review); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		response := &admissionv1.AdmissionResponse{UID: review.Request.UID}
		if review.Request.Name == probe {
			response.Result = &metav1.Status{Message: "the other webhook is asked"}
		} else {
			<-judged
			response.Allowed = true
		}
		_ = json.NewEncoder(w).Encode(admissionv1.AdmissionReview{TypeMeta: review.TypeMeta, Response: response})
	}
}

const configurations = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations"

// hold has the API server ask the other webhook about those whose name says so.
func (p play) hold(server *httptest.Server) {
	p.Helper()
	configuration, err := json.Marshal(map[string]any{
		"metadata": map[string]any{"name": "together"},
		"webhooks": []any{map[string]any{
			"name": "together.example.com", "sideEffects": "None", "admissionReviewVersions": []string{"v1"},
			"clientConfig":    map[string]any{"url": server.URL, "caBundle": pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})},
			"rules":           []any{map[string]any{"apiGroups": []string{"stable.example.com"}, "apiVersions": []string{"v1"}, "operations": []string{"CREATE"}, "resources": []string{"crontabs"}}},
			"matchConditions": []any{map[string]any{"name": "two", "expression": "object.metadata.name.startsWith('both-')"}},
		}},
	})
	if err != nil {
		p.Fatal(err)
	}
	if _, err := p.v1.API.Do(p.Context(), http.MethodPost, configurations, harness.JSONType, configuration); err != nil {
		p.Fatal(err)
	}
	stage.Until(p.T, 10*time.Second, func(ctx context.Context) error {
		if err := create(ctx, p.v1, probe, ""); err == nil || !strings.Contains(err.Error(), "the other webhook is asked") {
			return fmt.Errorf("the API server does not ask the other webhook: %v", err)
		}
		return nil
	})
}

// opinions counts the requests that a policy has an opinion of, a certain one if that is
// named, on any replica of serve, by what serve says of itself.
func (p play) opinions(policy, opinion string) (all int) {
	p.Helper()
	for _, replica := range p.scene.Serve {
		text, err := replica.Metrics(p.Context())
		if err != nil {
			p.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			if !strings.HasPrefix(line, "crosswalk_policy_opinions_total{") || !strings.Contains(line, `policy="`+policy+`"`) || !strings.Contains(line, `opinion="`+opinion) {
				continue
			}
			fields := strings.Fields(line)
			count, err := strconv.Atoi(fields[len(fields)-1])
			if err != nil {
				p.Fatal(err)
			}
			all += count
		}
	}
	return all
}
