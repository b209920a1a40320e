package corpus

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/stage"
	"github.com/crosswalk-dev/crosswalk/internal/admit"
	"github.com/crosswalk-dev/crosswalk/internal/builtin"
)

// everybody may do everything, so that nothing but policies is in the way.
const everybody = `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: everybody}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: Group, name: system:authenticated}]
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: default, namespace: default}
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: default, namespace: kube-system}
`

// play is a cluster with Crosswalk.
type play struct {
	*testing.T
	scene  *harness.Scene
	client string // the path of kubectl
	// marks counts the sentinels.
	marks *int
	// created are the objects that are there, by what tells them apart.
	created map[string]string
}

// TestCorpus plays every case on an API server.
func TestCorpus(t *testing.T) {
	sets := readSets(t)
	programs := stage.Programs(t)
	scene := stage.StartWith(t, programs, harness.SceneOptions{APIServerFlags: []string{"--allow-privileged=true"}})
	p := play{t, scene, programs.Kubectl, new(int), map[string]string{}}
	p.kubectl(everybody, "apply", "-f", "-")
	plain := make([][]answer, len(sets))
	for i, s := range sets {
		plain[i] = p.prepare(s)
	}
	for i, s := range sets {
		t.Run(s.name, func(t *testing.T) {
			p := p
			p.T = t
			p.set(s, plain[i])
		})
	}
}

// prepare creates what is there before the policies of a set, and sees what becomes of
// every write without them.
func (p play) prepare(s *set) []answer {
	p.Helper()
	if _, err := os.Stat(s.file(definitions)); err == nil {
		p.kubectl("", "apply", "-f", s.file(definitions))
		p.kubectl("", "wait", "--for=condition=Established", "--timeout=30s", "-f", s.file(definitions))
	}
	for _, object := range s.there {
		p.create(object)
	}
	plain := make([]answer, len(s.cases))
	for i, c := range s.cases {
		for _, text := range c.Context {
			p.create(read(p.T, text))
		}
		if c.OldObject != nil {
			p.create(read(p.T, c.OldObject))
		}
		plain[i] = p.write(s, c)
		if r := s.outcomes[i].Result; plain[i].said != "" && (r == nil || r.Operation != admissionv1.Connect) {
			p.Errorf("%s: %s: the API server takes it from nobody: %s", s.name, c.Name, plain[i].said)
		}
	}
	return plain
}

// set plays the cases of a set.
func (p play) set(s *set, plain []answer) {
	p.Cleanup(func() {
		// The context of the test is over.
		if said, err := p.scene.ControlPlane.Kubectl(context.Background(), "delete", "-f", s.file("policies.yaml")); err != nil {
			p.Error(said, err)
		}
	})
	p.kubectl("", "apply", "-f", s.file("policies.yaml"))
	p.settle()
	for i, c := range s.cases {
		p.Run(c.Name, func(t *testing.T) {
			p := p
			p.T = t
			got, want := p.write(s, c), s.outcomes[i].Result
			if want == nil {
				t.Fatalf("admit cannot play it: %v", s.outcomes[i].Differences)
			}
			// What the API server warns of by itself is its own.
			got.warnings = slices.DeleteFunc(got.warnings, func(w string) bool { return slices.Contains(plain[i].warnings, w) })
			p.compare(got, want)
			if bare := s.plain[i].Result; got.said == "" && want.Allowed() && bare != nil && bare.Object != nil {
				p.compareChanges(changes(plain[i].object, got.object), changes(bare.Object, want.Object))
			}
		})
	}
}

// kubectl is what it prints on both outputs, of something that succeeds.
func (p play) kubectl(stdin string, args ...string) string {
	p.Helper()
	out, said, err := p.run(stdin, args...)
	if err != nil {
		p.Fatalf("kubectl %s: %v\n%s%s\n%s", strings.Join(args, " "), err, out, said, stdin)
	}
	return out + said
}

func (p play) run(stdin string, args ...string) (stdout, stderr string, err error) {
	cmd := exec.CommandContext(p.Context(), p.client, args...)
	cmd.Env = p.scene.ControlPlane.Env()
	var out, said bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(stdin), &out, &said
	err = cmd.Run()
	return out.String(), said.String(), err
}

func read(t *testing.T, text []byte) *unstructured.Unstructured {
	t.Helper()
	object := new(unstructured.Unstructured)
	if err := json.Unmarshal(text, &object.Object); err != nil {
		t.Fatal(err)
	}
	return object
}

// create creates what is there before a case, with its status.
func (p play) create(object *unstructured.Unstructured) {
	p.Helper()
	text, err := object.MarshalJSON()
	if err != nil {
		p.Fatal(err)
	}
	key := fmt.Sprintf("%v %s/%s", object.GroupVersionKind().GroupKind(), object.GetNamespace(), object.GetName())
	switch before, found := p.created[key]; {
	case found && before == string(text):
		return
	case found:
		p.Fatalf("there are two of %s", key)
	}
	p.created[key] = string(text)
	p.kubectl(string(text), "create", "-f", "-")
	if _, has := object.Object["status"]; has {
		p.kubectl(string(text), "replace", "--subresource=status", "-f", "-")
	}
}

// settle waits until the API server has heard of all policies that there are and no
// longer of others. It hears of policies, and of bindings, in the order in which they are
// written, and asks all or none of those that it has heard of.
func (p play) settle() {
	p.Helper()
	*p.marks++
	mark := fmt.Sprintf("mark-%d", *p.marks)
	p.kubectl(strings.ReplaceAll(sentinels, "MARK", mark), "apply", "-f", "-")
	for _, kind := range []string{"validationpolicies", "mutationpolicies"} {
		if _, said, err := p.run("", "wait", "--for=condition=Ready", "--timeout=60s", kind, "--all"); err != nil && !strings.Contains(said, "no matching resources") {
			p.Fatal(said)
		}
	}
	stage.Until(p.T, 30*time.Second, func(context.Context) error {
		out, said, err := p.run(`{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"mark"},"spec":{}}`, "create", "--dry-run=server", "-f", "-", "-o", "json")
		if err == nil || !strings.Contains(said, "seen "+mark+" and "+mark) {
			return fmt.Errorf("%s%s", out, said)
		}
		return nil
	})
}

// sentinels change and then deny Leases, which no other policy is about, by the mark that
// they had last.
const sentinels = `
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {name: sentinel}
spec:
  matchConstraints: {resourceRules: [{apiGroups: [coordination.k8s.io], apiVersions: [v1], operations: [CREATE], resources: [leases]}]}
  reinvocationPolicy: Never
  mutations: [{patchType: JSONPatch, jsonPatch: {expression: "[JSONPatch{op: 'add', path: '/spec/holderIdentity', value: 'MARK'}]"}}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicyBinding
metadata: {name: sentinel, annotations: {mark: MARK}}
spec: {policyName: sentinel}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: sentinel}
spec:
  matchConstraints: {resourceRules: [{apiGroups: [coordination.k8s.io], apiVersions: [v1], operations: [CREATE], resources: [leases]}]}
  validations: [{expression: 'false', messageExpression: "'seen MARK and ' + object.spec.?holderIdentity.orValue('')"}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: sentinel, annotations: {mark: MARK}}
spec: {policyName: sentinel, validationActions: [Deny]}
`

// answer is what becomes of a write.
type answer struct {
	// said is what kubectl prints of a denial, without the names of webhooks.
	said     string
	warnings []string
	object   map[string]any
}

// webhook is what the API server says before what a webhook does.
var webhook = regexp.MustCompile(`admission webhook "[^"]*" denied the request: `)

// write writes what a case says, as a dry run.
func (p play) write(s *set, c *admit.Case) answer {
	p.Helper()
	verb, path, body := p.request(s, c)
	args := []string{verb, "--raw", path}
	if verb != "delete" {
		args = append(args, "-f", "-")
	}
	user := c.User.Info()
	args = append(args, "--as", user.Username)
	for _, group := range user.Groups {
		args = append(args, "--as-group", group)
	}
	out, said, err := p.run(string(body), args...)
	var a answer
	for line := range strings.Lines(said) {
		if warning, is := strings.CutPrefix(line, "Warning: "); is {
			a.warnings = append(a.warnings, strings.TrimSpace(warning))
		} else {
			// With a message of several lines kubectl leaves a space behind the first.
			a.said += strings.TrimRight(line, " \n") + "\n"
		}
	}
	a.said = webhook.ReplaceAllString(a.said, "")
	if err == nil {
		if err := json.Unmarshal([]byte(out), &a.object); err != nil {
			p.Logf("%s %s: %s", verb, path, out)
		}
	} else if a.said == "" {
		p.Fatalf("%s %s: %v", verb, path, err)
	}
	return a
}

// request is a case as kubectl's raw verbs make it.
func (p play) request(s *set, c *admit.Case) (verb, path string, body []byte) {
	p.Helper()
	sent := c.Object
	if sent == nil {
		sent = c.OldObject
	}
	object := read(p.T, sent)
	of := object.GroupVersionKind()
	switch {
	case c.SubResource == "" || c.SubResource == "status":
	case c.OldObject != nil:
		of = read(p.T, c.OldObject).GroupVersionKind()
	default:
		resources := builtin.SentTo(c.SubResource, of)
		if len(resources) != 1 {
			p.Fatalf("%v is sent to %v", of, resources)
		}
		of = resources[0].Kind()
	}
	resource, namespaced := p.resource(s, of)
	path = "/apis/" + resource.Group + "/" + resource.Version
	if resource.Group == "" {
		path = "/api/" + resource.Version
	}
	if namespaced {
		namespace := object.GetNamespace()
		if namespace == "" {
			namespace = "default"
		}
		path += "/namespaces/" + namespace
	}
	path += "/" + resource.Resource
	const dry = "?dryRun=All"
	operation := c.Operation
	switch {
	case c.SubResource != "" && operation == "":
		operation = p.operation(c)
	case operation == "" && c.Object == nil:
		operation = admissionv1.Delete
	case operation == "" && c.OldObject != nil:
		operation = admissionv1.Update
	}
	named := path + "/" + object.GetName()
	if c.SubResource != "" {
		named += "/" + c.SubResource
	}
	switch operation {
	case admissionv1.Delete:
		return "delete", named + dry, nil
	case admissionv1.Update:
		return "replace", named + dry, p.update(named, c)
	case admissionv1.Connect:
		query := p.query(object)
		if path := query.Get("path"); path != "" { // goes on where the path ends
			query.Del("path")
			named += "/" + path
		}
		return "create", named + "?" + query.Encode(), nil
	}
	if c.SubResource != "" {
		return "create", named + dry, sent
	}
	return "create", path + dry, sent
}

// operation is what is done to a subresource.
func (p play) operation(c *admit.Case) admissionv1.Operation {
	for _, r := range builtin.Resources() {
		if r.Subresource == c.SubResource {
			return admissionv1.Operation(strings.ToUpper(r.Operations[0]))
		}
	}
	return admissionv1.Update
}

// resource finds that of a kind.
func (p play) resource(s *set, kind schema.GroupVersionKind) (schema.GroupVersionResource, bool) {
	p.Helper()
	for _, crd := range s.config.CRDs {
		if crd.Spec.Group == kind.Group && crd.Spec.Names.Kind == kind.Kind {
			return kind.GroupVersion().WithResource(crd.Spec.Names.Plural), crd.Spec.Scope == "Namespaced"
		}
	}
	r, found := builtin.Find(kind)
	if !found {
		p.Fatalf("there is no resource of %v", kind)
	}
	return r.GroupVersionResource, r.Namespaced
}

// update is the live object with the changes that the case makes, so that what the API
// server has given it stays.
func (p play) update(path string, c *admit.Case) []byte {
	p.Helper()
	live := []byte(p.kubectl("", "get", "--raw", path))
	change := []byte(c.Object)
	if c.SubResource != "scale" {
		var err error
		if change, err = jsonpatch.CreateMergePatch(c.OldObject, c.Object); err != nil {
			p.Fatal(err)
		}
	}
	merged, err := jsonpatch.MergePatch(live, change)
	if err != nil {
		p.Fatal(err)
	}
	return merged
}

// query are options as a URL has them.
func (p play) query(options *unstructured.Unstructured) url.Values {
	p.Helper()
	typed, err := scheme.Scheme.New(options.GroupVersionKind())
	if err == nil {
		err = runtime.DefaultUnstructuredConverter.FromUnstructured(options.Object, typed)
	}
	if err != nil {
		p.Fatal(err)
	}
	values, err := scheme.ParameterCodec.EncodeParameters(typed, options.GroupVersionKind().GroupVersion())
	if err != nil {
		p.Fatal(err)
	}
	return values
}

// compare holds admit's verdict against that of the API server.
func (p play) compare(got answer, want *admit.Result) {
	p.Helper()
	if want.Operation == admissionv1.Connect && want.Allowed() {
		// Nobody answers behind the API server.
		if strings.Contains(got.said, "denied") {
			p.Errorf("the API server says %s, and admit allows it", got.said)
		}
		return
	}
	if said := want.Kubectl(); got.said != said {
		p.Errorf("kubectl prints\n%sand admit\n%s", got.said, said)
	}
	warnings := slices.Clone(want.Warnings)
	slices.Sort(warnings)
	slices.Sort(got.warnings)
	if !slices.Equal(got.warnings, warnings) {
		p.Errorf("the API server warns of %q, and admit of %q", got.warnings, warnings)
	}
}

// compareChanges holds what policies change for admit against what they change for the
// API server.
func (p play) compareChanges(got, want map[string]string) {
	p.Helper()
	for _, at := range slices.Sorted(maps.Keys(got)) {
		if want[at] != got[at] {
			p.Errorf("policies make %s %s, and for admit %q", at, got[at], want[at])
		}
	}
	for _, at := range slices.Sorted(maps.Keys(want)) {
		if _, found := got[at]; !found {
			p.Errorf("for admit policies make %s %s, and for the API server nothing", at, want[at])
		}
	}
}

// changes are the places at which two objects differ, with what the second has there.
func changes(before, after map[string]any) map[string]string {
	was, is := map[string]string{}, map[string]string{}
	flatten(was, "", before)
	flatten(is, "", after)
	all := map[string]string{}
	for at, value := range is {
		if was[at] != value {
			all[at] = value
		}
	}
	for at := range was {
		if _, found := is[at]; !found {
			all[at] = "nothing"
		}
	}
	maps.DeleteFunc(all, func(at, _ string) bool { return byChance.MatchString(at) })
	return all
}

// byChance is what the API server makes another time in another way.
var byChance = regexp.MustCompile(`^\.metadata\.(managedFields|uid$|creationTimestamp$)|controller-uid$|^\.status\.(token|expirationTimestamp|lastPhaseTransitionTime)$`)

// madeUp is the end of names that the API server makes up here.
var madeUp = regexp.MustCompile(`"(kube-api-access|made-up)-[0-9a-z]{5}"`)

func flatten(into map[string]string, at string, value any) {
	switch value := value.(type) {
	case map[string]any:
		for name, one := range value {
			flatten(into, at+"."+name, one)
		}
		if len(value) > 0 {
			return
		}
	case []any:
		for i, one := range value {
			flatten(into, fmt.Sprintf("%s[%d]", at, i), one)
		}
		if len(value) > 0 {
			return
		}
	}
	text, err := json.Marshal(value)
	if err != nil {
		text = []byte(err.Error())
	}
	into[at] = madeUp.ReplaceAllString(string(text), `"$1-xxxxx"`)
}
