package pages

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/page"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/stage"
)

// troubleshooting is the page of messages and what to do about them.
const troubleshooting = "troubleshooting.md"

// prepared is what every section finds: an object that has a stash.
const prepared = `
	kubectl apply -f examples/crontab/crd.yaml -f examples/crontab/crosswalk.yaml
	kubectl wait --for=condition=Guarded crosswalk/crontabs.stable.example.com
	kubectl apply -f examples/crontab/objects/v1beta1-only.yaml`

// symptom is how a reader comes to see the message of a section.
type symptom struct {
	script string // is run by sh, and may fail
	down   string // the role that is stopped meanwhile: serve or manage
	bare   bool   // the cluster has no Crosswalk yet
	tidy   bool   // what the script leaves is no start for the next section
}

// symptoms are the sections of the page.
var symptoms = map[string]symptom{
	"The conversion webhook refuses connections": {
		script: "kubectl get crontabs.v1beta1.stable.example.com cleanup", down: "serve"},
	"The certificate of the conversion webhook is not trusted": {
		script: `ca=$(kubectl config view --raw -o jsonpath='{.clusters[0].cluster.certificate-authority-data}')
			kubectl patch crd crontabs.stable.example.com --type=json \
				-p '[{"op": "replace", "path": "/spec/conversion/webhook/clientConfig/caBundle", "value": "'$ca'"}]'
			for i in $(seq 100); do kubectl get crontabs.v1beta1.stable.example.com cleanup || break; done`, down: "manage", tidy: true},
	"The admission webhook refuses connections": {
		script: `kubectl patch crontabs.v1.stable.example.com cleanup --type=merge -p '{"spec": {"replicas": 4}}'`, down: "serve"},
	"A value cannot be represented in another version": {
		script: `kubectl patch crontabs.v1beta1.stable.example.com cleanup --type=merge -p '{"spec": {"hostPort": "localhost"}}'`},
	"What would be kept does not fit": {
		script: `{ sed 's/name: .*/name: big/' examples/crontab/objects/v1.yaml | sed '/^---/,$d'; printf '  timeZone: '; head -c 140000 /dev/zero | tr '\0' x; echo; } |
			kubectl create -f -`},
	"Server-side apply conflicts on a stash": {
		script: `kubectl delete ct cleanup
			kubectl apply --server-side --field-manager=ops -f examples/crontab/objects/v1beta1-only.yaml
			kubectl get crontabs.v1.stable.example.com cleanup -o yaml >export.yaml
			kubectl apply --server-side -f export.yaml
			sed 's/dash/zsh/' examples/crontab/objects/v1beta1-only.yaml >shell.yaml
			kubectl apply --server-side --field-manager=ops -f shell.yaml`, tidy: true},
	"A field is empty in the other version": {},
	"kubectl does not know the kind": {
		script: "kubectl apply -f examples/crontab/crosswalk.yaml", bare: true},
	"A Crosswalk is rejected": {
		script: "sed s/hostPort/hostPorts/ examples/crontab/crosswalk.yaml | kubectl apply -f -"},
	"A Crosswalk is not ready": {
		script: `sed s/crontabs/cronstab/ examples/crontab/crosswalk.yaml | kubectl apply -f -
			kubectl wait --for=condition=Ready=False crosswalk cronstab.stable.example.com
			kubectl get crosswalk cronstab.stable.example.com`},
	"A Crosswalk cannot be deleted": {
		script: `kubectl delete crosswalk crontabs.stable.example.com --wait=false
			kubectl wait --for=condition=Ready=false crosswalk/crontabs.stable.example.com
			kubectl get crosswalk crontabs.stable.example.com -o jsonpath='{.status.conditions[?(@.type=="Ready")].message}{"\n"}'`, tidy: true},
	"spec.conversion is kept": {
		script: "kubectl replace -f examples/crontab/crd.yaml"},
	"A version cannot be removed from a CRD": {
		script: `sed s/stable.example.com/old.example.com/ examples/crontab/crd.yaml >old.yaml
			kubectl patch --local -f old.yaml --type=json -o yaml -p '[
				{"op": "replace", "path": "/spec/versions/0/storage", "value": true},
				{"op": "replace", "path": "/spec/versions/1/storage", "value": false}]' | kubectl apply -f -
			kubectl wait --for=condition=Established crd/crontabs.old.example.com
			kubectl patch --local -f old.yaml --type=json -o yaml -p '[{"op": "remove", "path": "/spec/versions/0"}]' | kubectl apply -f -`, tidy: true},
	"An apply fails after a version was removed": {
		script: `sed s/stable.example.com/old.example.com/ examples/crontab/crd.yaml | kubectl apply -f -
			kubectl wait --for=condition=Established crd/crontabs.old.example.com
			sed 's/stable.example.com/old.example.com/; /^---/,$d' examples/crontab/objects/v1.yaml >new.yaml
			sed 's|/v1$|/v1beta1|; /host:/d; /port:/d' new.yaml >old.yaml
			for i in $(seq 50); do kubectl apply --server-side -f old.yaml && break; done
			kubectl patch crd crontabs.old.example.com --type=json -p '[{"op": "remove", "path": "/spec/versions/0"}]'
			for i in $(seq 50); do kubectl get --raw /apis/old.example.com/v1beta1/crontabs >/dev/null 2>&1 || break; done
			kubectl apply --server-side -f new.yaml`, tidy: true},
	"A policy rejects a write": {
		script: `kubectl apply -f examples/crontab/policies.yaml
			kubectl wait --for=condition=Ready validationpolicies,mutationpolicies --all
			kubectl patch crontabs.v1beta1.stable.example.com cleanup --type=merge -p '{"spec": {"image": "backup:latest"}}'`, tidy: true},
	"A policy lacks a right": {
		script: `sed '1,/^---/d' examples/crontab/policies.yaml | kubectl apply -f -
			kubectl wait --for=condition=Permitted=False validationpolicy/crontab-hints
			kubectl get validationpolicy crontab-hints -o jsonpath='{.status.conditions[?(@.type=="Permitted")].message}{"\n"}'`, tidy: true},
}

// section is a part of the page with a heading of its own.
type section struct{ heading, text string }

// message is what the reader of a section sees, empty where the section has none.
func (s section) message() string {
	before, rest, _ := strings.Cut(s.text, "```text\n")
	message, _, _ := strings.Cut(rest, "```\n")
	if strings.Contains(before, "```sh\n") {
		return "" // what a command prints
	}
	return message
}

// TestTroubleshooting provokes each message of the page and does what the page says about it.
func TestTroubleshooting(t *testing.T) {
	programs := stage.Programs(t)
	text, err := os.ReadFile(filepath.Join(programs.Root, "docs", troubleshooting))
	if err != nil {
		t.Fatal(err)
	}
	var sections []section
	for _, part := range strings.Split(string(text), "\n### ")[1:] {
		heading, rest, _ := strings.Cut(part, "\n")
		sections = append(sections, section{heading, rest})
	}
	headings := map[string]bool{}
	for _, s := range sections {
		headings[s.heading] = true
	}
	if got, want := slices.Sorted(maps.Keys(headings)), slices.Sorted(maps.Keys(symptoms)); !slices.Equal(got, want) {
		t.Fatalf("the page has the sections\n%q\nwant\n%q", got, want)
	}
	folder := page.Folder(t, programs)
	provoke := func(t *testing.T, plane *harness.ControlPlane, s section) {
		printed, _ := page.Shell(t, folder, page.Env(t, plane), symptoms[s.heading].script) // most fail
		if message := s.message(); message == "" || !page.Says(printed, "…\n"+message+"…\n") {
			t.Errorf("printed\n%s\nwant\n%s", printed, message)
		}
	}
	scene := stage.StartWith(t, programs, harness.SceneOptions{
		Refused: []string{"serve watch services", "serve list services"}, // a policy is there before its rights are
		Prepare: func(_ context.Context, plane *harness.ControlPlane) error {
			for _, s := range sections {
				if symptoms[s.heading].bare {
					t.Run(s.heading, func(t *testing.T) { provoke(t, plane, s) })
				}
			}
			return nil
		},
	})
	stage.AggregateRoles(t, scene)
	plane := scene.ControlPlane
	for _, s := range sections {
		how := symptoms[s.heading]
		if how.bare {
			continue
		}
		t.Run(s.heading, func(t *testing.T) {
			if how.tidy {
				t.Cleanup(func() { tidy(t, plane) })
			}
			if printed, err := page.Shell(t, folder, page.Env(t, plane), prepared); err != nil {
				t.Fatal(err, printed)
			}
			switch how.down {
			case "serve":
				scene.Serve[0].Kill()
			case "manage":
				if err := scene.Manage.Stop(); err != nil { // which gives its Lease back
					t.Fatal(err)
				}
			}
			if how.script != "" {
				provoke(t, plane, s)
			}
			if how.down != "" { // what the section says to do
				if err := scene.StartCrosswalk(stage.Within(t, time.Minute)); err != nil {
					t.Fatal(err)
				}
				stage.Until(t, 30*time.Second, func(ctx context.Context) error {
					_, err := plane.Kubectl(ctx, "get", "crontabs.v1beta1.stable.example.com", "cleanup")
					return err
				})
			}
			for _, b := range page.Blocks(t, s.heading, s.text) {
				b.Run(t, folder, page.Env(t, plane))
			}
		})
	}
}
