package corpus

import (
	"encoding/json"
	"net/url"
	"regexp"
	"strings"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/crosswalk-dev/crosswalk/internal/admit"
	"github.com/crosswalk-dev/crosswalk/internal/builtin"
)

// answer is what becomes of a write.
type answer struct {
	// said is what kubectl prints of a denial, without the names of webhooks.
	said     string
	warnings []string
	object   map[string]any
}

// webhook is what the API server says before what a webhook does.
var webhook = regexp.MustCompile(`admission webhook "[^"]*" denied the request: `)

// write writes what a case says, as a dry run and as whom it says.
func (p play) write(s *set, number int) answer {
	p.Helper()
	c := s.cases[number]
	verb, path, body := p.request(s, c, s.outcomes[number].Result)
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

// request is a case as kubectl's raw verbs make it. What it is about, admit has found out.
func (p play) request(s *set, c *admit.Case, as *admit.Result) (verb, path string, body []byte) {
	p.Helper()
	resource, namespaced := p.resource(s, schema.GroupVersionKind(as.Kind))
	path = "/apis/" + resource.Group + "/" + resource.Version
	if resource.Group == "" {
		path = "/api/" + resource.Version
	}
	if namespaced {
		path += "/namespaces/" + as.Namespace
	}
	path += "/" + resource.Resource
	const dry = "?dryRun=All"
	if as.Operation == admissionv1.Create && as.SubResource == "" {
		return "create", path + dry, c.Object
	}
	path += "/" + as.Name
	if as.SubResource != "" {
		path += "/" + as.SubResource
	}
	switch as.Operation {
	case admissionv1.Delete:
		return "delete", path + dry, nil
	case admissionv1.Update:
		return "replace", path + dry, p.update(path, c)
	case admissionv1.Connect:
		query := p.query(read(p.T, c.Object))
		path += query.Get("path") // goes on where the path ends
		query.Del("path")
		return "create", path + "?" + query.Encode(), nil
	}
	return "create", path + dry, c.Object
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
