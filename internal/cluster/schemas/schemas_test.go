package schemas

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/yaml"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/validation/policy"
)

// server is an API server that publishes schemas.
type server struct {
	lock  sync.Mutex
	texts map[string]string
	asked []string
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.lock.Lock()
	defer s.lock.Unlock()
	query := r.URL.Query()
	query.Del("timeout")
	r.URL.RawQuery = query.Encode()
	s.asked = append(s.asked, r.URL.RequestURI())
	text, found := s.texts[r.URL.RequestURI()]
	if !found {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprint(w, text)
}

// publish puts a schema of Teams, whose spec has one field, into a version.
func (s *server) publish(version, field string) {
	s.lock.Lock()
	defer s.lock.Unlock()
	at := "/openapi/v3/apis/example.com/" + version + "?hash=" + field
	s.texts[at] = fmt.Sprintf(`{"components":{"schemas":{"Team":{"type":"object","properties":{"spec":{"$ref":"#/components/schemas/TeamSpec"}},`+
		`"x-kubernetes-group-version-kind":[{"group":"example.com","version":"%s","kind":"Team"}]},"TeamSpec":{"type":"object","properties":{"%s":{"type":"string"}}},`+
		`"Scale":{"type":"object","properties":{"spec":{"type":"object"}},"x-kubernetes-group-version-kind":[{"group":"autoscaling","version":"v1","kind":"Scale"}]}}}}`, version, field)
	s.texts["/apis/example.com/"+version] = `{"kind":"APIResourceList","apiVersion":"v1","groupVersion":"example.com/` + version + `",` +
		`"resources":[{"name":"teams","kind":"Team"},{"name":"teams/scale","group":"autoscaling","version":"v1","kind":"Scale"}]}`
	index := s.texts["/openapi/v3"]
	if index == "" {
		index = `{"paths":{"api/v1":{"serverRelativeURL":"/openapi/v3/api/v1?hash=1"},"apis/example.com":{"serverRelativeURL":"/openapi/v3/apis/example.com?hash=1"}}}`
	}
	var paths []string
	for _, known := range strings.SplitAfter(index, "},") {
		if !strings.Contains(known, "/"+version+"?") {
			paths = append(paths, known)
		}
	}
	entry := fmt.Sprintf(`{"paths":{"apis/example.com/%s":{"serverRelativeURL":"%s"},`, version, at)
	s.texts["/openapi/v3"] = entry + strings.TrimPrefix(strings.Join(paths, ""), `{"paths":{`)
}

func (s *server) take() string {
	s.lock.Lock()
	defer s.lock.Unlock()
	asked := strings.Join(s.asked, " ")
	s.asked = nil
	return asked
}

func start(t *testing.T, hub HubOf) (*server, *Source) {
	t.Helper()
	s := &server{texts: map[string]string{}}
	http := httptest.NewServer(s)
	t.Cleanup(http.Close)
	source, err := New(&rest.Config{Host: http.URL}, hub)
	if err != nil {
		t.Fatal(err)
	}
	return s, source
}

func about(t *testing.T, scope string) *policy.Policy {
	t.Helper()
	p := &v1alpha1.ValidationPolicy{ObjectMeta: metav1.ObjectMeta{Name: "teams"}}
	if err := yaml.UnmarshalStrict([]byte(scope+"\nvalidations: [{expression: object.spec.colour != ''}]"), &p.Spec); err != nil {
		t.Fatal(err)
	}
	made, problems := policy.Compile(p)
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	return made
}

const rule = "matchConstraints: {resourceRules: [{apiGroups: [example.com], apiVersions: ['VERSION'], operations: ['*'], resources: [teams, teams/scale]}]}"

func rules(version string) string { return strings.Replace(rule, "VERSION", version, 1) }

// TestCheck reads what a policy is about, and of that each document once.
func TestCheck(t *testing.T) {
	s, source := start(t, nil)
	s.publish("v1", "color")
	s.publish("v2", "colour")
	now, err := source.Now(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for version, want := range map[string]string{
		"*":  "Scale/v1 Team/v1 Team/v2: spec.validations[0].expression: undefined field 'colour' at 1:12, for Team example.com/v1; if it is intended, put it in dyn()",
		"v2": "Scale/v1 Team/v2: ",
		"v3": ": ",
	} {
		check, _, err := now.Check(t.Context(), about(t, rules(version)))
		if err != nil {
			t.Fatal(err)
		}
		var kinds []string
		for _, kind := range check.Kinds {
			kinds = append(kinds, kind.Kind+"/"+kind.Version)
		}
		if got := strings.Join(kinds, " ") + ": " + check.Warnings.Error(); got != want {
			t.Errorf("%s: got %s, want %s", version, got, want)
		}
	}
	asked := map[string]int{}
	for _, uri := range strings.Fields(s.take()) {
		asked[uri]++
	}
	if want := map[string]int{
		"/openapi/v3": 1, "/apis/example.com/v1": 1, "/apis/example.com/v2": 1, "/openapi/v3/apis/example.com/v1?hash=color": 1, "/openapi/v3/apis/example.com/v2?hash=colour": 1,
	}; !maps.Equal(asked, want) {
		t.Errorf("asked for %v", asked)
	}
}

// TestSame tells what makes a check another one: schemas that it used, versions that have
// come, and the hub.
func TestSame(t *testing.T) {
	hub, broken := "v1", error(nil)
	s, source := start(t, func(_ context.Context, crd string) (string, error) {
		if crd != "teams.example.com" {
			t.Errorf("asked for the hub of %s", crd)
		}
		return hub, broken
	})
	s.publish("v1", "color")
	s.publish("v2", "color")
	used := map[string]Used{}
	for name, scope := range map[string]string{"one": rules("v1"), "all": rules("*"), "hub": "hub: true\n" + rules("*"), "none": rules("v7")} {
		now, err := source.Now(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if _, used[name], err = now.Check(t.Context(), about(t, scope)); err != nil {
			t.Fatal(err)
		}
	}
	for _, step := range []struct {
		what string
		do   func()
		want string
	}{
		{"nothing", func() {}, "all hub none one"},
		{"another schema of v2", func() { s.publish("v2", "colour") }, "hub one"},
		{"and of v1", func() { s.publish("v1", "colour") }, ""},
		{"as they were", func() { s.publish("v1", "color"); s.publish("v2", "color") }, "all hub none one"},
		{"another hub", func() { hub = "v2" }, "all none one"},
		{"as it was", func() { hub = "v1" }, "all hub none one"},
		{"a version more", func() { s.publish("v3", "color") }, "hub one"},
		{"and another", func() { s.publish("v7", "color") }, "hub one"},
	} {
		step.do()
		now, err := source.Now(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var same []string
		for _, name := range []string{"all", "hub", "none", "one"} {
			if is, err := now.Same(t.Context(), used[name]); err != nil {
				t.Fatal(err)
			} else if is {
				same = append(same, name)
			}
		}
		if got := strings.Join(same, " "); got != step.want {
			t.Errorf("%s: got %s, want %s", step.what, got, step.want)
		}
	}
	broken = errors.New("no answer")
	now, err := source.Now(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := now.Same(t.Context(), used["hub"]); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
}

// TestCheckOneAtATime: who cannot have the schemas in time goes without.
func TestCheckOneAtATime(t *testing.T) {
	s, source := start(t, nil)
	s.publish("v1", "color")
	check, err := source.Check(t.Context(), about(t, rules("v1")))
	if err != nil || len(check.Warnings) != 1 {
		t.Fatalf("got %v, %v", check, err)
	}
	if !source.one.TryAcquire(1) {
		t.Fatal("the schemas are still in use")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := source.Check(ctx, about(t, rules("v1"))); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// TestTrouble: what cannot be read is an error, and is named.
func TestTrouble(t *testing.T) {
	s, source := start(t, nil)
	if _, err := source.Now(t.Context()); err == nil || !strings.HasPrefix(err.Error(), "reading /openapi/v3: ") {
		t.Errorf("got %v", err)
	}
	s.publish("v1", "color")
	for _, gone := range []string{"/openapi/v3/apis/example.com/v1?hash=color", "/apis/example.com/v1"} {
		delete(s.texts, gone)
		now, err := source.Now(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := now.Check(t.Context(), about(t, rules("v1"))); err == nil || !strings.HasPrefix(err.Error(), "reading "+gone+": ") {
			t.Errorf("got %v", err)
		}
	}
	s.texts["/openapi/v3"] = "no JSON"
	if _, err := source.Now(t.Context()); err == nil || !strings.Contains(err.Error(), "invalid character") {
		t.Errorf("got %v", err)
	}
}
