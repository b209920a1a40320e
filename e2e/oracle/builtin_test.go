package oracle

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/crosswalk-dev/crosswalk/internal/builtin"
	authenticationv1 "k8s.io/api/authentication/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

// TestBuiltinKinds reads objects of every kind of Kubernetes, in every version that
// Crosswalk knows, and wants what the API server has once it has read them.
func TestBuiltinKinds(t *testing.T) {
	wrong := newMisses("read", 60)
	wrong.each(t, 2, func(kind schema.GroupVersionKind, _ string, lines [][]byte) (map[string]any, error) {
		object, _, err := builtin.Read(kind, lines[0])
		return object, err
	})
}

// TestBuiltinStored writes objects of every kind, and to every subresource, and wants what
// the API server stores.
func TestBuiltinStored(t *testing.T) {
	wrong := newMisses("stored", 80)
	wrong.each(t, 3, func(kind schema.GroupVersionKind, subresource string, lines [][]byte) (map[string]any, error) {
		var old, object map[string]any
		if err := errors.Join(utiljson.Unmarshal(lines[0], &old), utiljson.Unmarshal(lines[1], &object)); err != nil {
			return nil, err
		}
		return builtin.Write{
			Kind: kind, Subresource: strings.TrimPrefix(subresource, "-"), Object: object, Old: old,
			User: authenticationv1.UserInfo{Username: "jane", UID: "1", Groups: []string{"devs"}, Extra: map[string]authenticationv1.ExtraValue{"scopes": {"a", "b"}}},
		}.Stored()
	})
}

// TestBuiltinEquivalents converts objects of kinds that the API server serves twice.
func TestBuiltinEquivalents(t *testing.T) {
	wrong := newMisses("equivalents", 4)
	wrong.each(t, 2, func(kind schema.GroupVersionKind, to string, lines [][]byte) (map[string]any, error) {
		object := map[string]any{}
		if err := utiljson.Unmarshal(lines[0], &object); err != nil {
			return nil, err
		}
		return builtin.Convert(object, kind, schema.FromAPIVersionAndKind(to, kind.Kind))
	})
}

// misses are the places at which something else comes out than for Kubernetes.
type misses struct {
	command string
	// least is how many kinds, with and without their subresources, must be compared.
	least  int
	seen   map[string]bool
	places map[string]string
}

func newMisses(command string, least int) *misses {
	return &misses{command, least, map[string]bool{}, map[string]string{}}
}

// each asks the oracle for cases, which have a line with the kind and so many more, of
// which the last is the expected object.
func (m *misses) each(t *testing.T, count int, ask func(kind schema.GroupVersionKind, subresource string, lines [][]byte) (map[string]any, error)) {
	cases := 200
	if testing.Short() {
		cases = 20
	}
	cmd := exec.CommandContext(t.Context(), string(findProgram(t)), m.command, "--count", strconv.Itoa(cases), "--seed", strconv.Itoa(seed))
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	scanner := bufio.NewScanner(bytes.NewReader(out))
	scanner.Buffer(nil, 1<<24)
	for scanner.Scan() {
		words := append(strings.Fields(scanner.Text()), "")
		kind, subresource := schema.FromAPIVersionAndKind(words[0], words[1]), words[2]
		var lines [][]byte
		for range count {
			scanner.Scan()
			lines = append(lines, bytes.Clone(scanner.Bytes()))
		}
		if !builtin.Recognizes(kind) {
			continue
		}
		m.seen[kind.String()+" "+subresource] = true
		object, err := ask(kind, subresource, lines)
		if err != nil {
			t.Fatalf("%v: %s: %v", kind, lines, err)
		}
		for place, what := range compareJSON(t, object, lines[count-1]) {
			if compared(kind, place, what) {
				m.places[fmt.Sprintf("%v %s %s", kind, subresource, place)] = what
			}
		}
	}
	if len(m.seen) < m.least {
		t.Errorf("only %d kinds and subresources", len(m.seen))
	}
	for _, place := range slices.Sorted(maps.Keys(m.places)) {
		t.Errorf("%s: %s", place, m.places[place])
	}
}

// TestBuiltinSchemas wants of every kind the types that Kubernetes publishes: of its
// fields, and of what is in them.
func TestBuiltinSchemas(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), string(findProgram(t)), "schemas").Output()
	if err != nil {
		t.Fatal(err)
	}
	published := map[string]*spec.Schema{}
	if err := json.Unmarshal(out, &published); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, resource := range builtin.Resources() {
		name, known := builtin.Schema(resource.Sent)
		if name == "" {
			t.Errorf("nothing is known of %v", resource.Sent)
			continue
		}
		compareSchemas(t, seen, name, known, published)
	}
	if len(seen) < 500 {
		t.Errorf("only %d types", len(seen))
	}
}

// compareSchemas compares what two say of a name, and of what that refers to.
func compareSchemas(t *testing.T, seen map[string]bool, name string, known, published map[string]*spec.Schema) {
	if seen[name] {
		return
	}
	seen[name] = true
	got, want := known[name], published[name]
	if got == nil || want == nil {
		t.Errorf("%s: got %v, want %v", name, got, want)
		return
	}
	if g, w := typesOf(got), typesOf(want); g != w {
		t.Errorf("%s: got\n%s\nwant\n%s", name, g, w)
	}
	for _, of := range referred(got, nil) {
		compareSchemas(t, seen, of, known, published)
	}
}

// typesOf is what a schema says of types, in a line.
func typesOf(s *spec.Schema) string {
	if name := path.Base(s.Ref.String()); name != "." {
		return name
	}
	if len(s.AllOf) == 1 {
		return typesOf(&s.AllOf[0])
	}
	if len(s.Type) != 1 {
		return "any"
	}
	switch s.Type[0] {
	case "array":
		return "[" + typesOf(s.Items.Schema) + "]"
	case "object":
		if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil {
			return "map of " + typesOf(s.AdditionalProperties.Schema)
		}
		var fields []string
		for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
			field := s.Properties[name]
			fields = append(fields, name+" "+typesOf(&field))
		}
		return "{" + strings.Join(fields, ", ") + "}"
	case "string":
		return strings.TrimSpace("string " + s.Format)
	}
	return s.Type[0]
}

// referred are the names that a schema refers to.
func referred(s *spec.Schema, names []string) []string {
	if name := path.Base(s.Ref.String()); name != "." {
		return append(names, name)
	}
	for _, field := range s.Properties {
		names = referred(&field, names)
	}
	if s.Items != nil {
		names = referred(s.Items.Schema, names)
	}
	if s.AdditionalProperties != nil {
		names = referred(s.AdditionalProperties.Schema, names)
	}
	return names
}

// theTime are places where there is the time at which something was done.
var theTime = regexp.MustCompile(`\.(timeAdded|lastTransitionTime|lastUpdateTime|lastPhaseTransitionTime)$`)

// madeUp are addresses and ports of Services that are made up.
var madeUp = regexp.MustCompile(`^got (10\.96\.0\.100, want 10\.0\.\d+\.\d+|300\d\d, want 3\d{4})$`)

// compared leaves out what is not the same by design.
func compared(kind schema.GroupVersionKind, place, what string) bool {
	switch {
	case theTime.MatchString(place):
		return false
	case kind.Kind == "Service" && madeUp.MatchString(what):
		return false
	case (kind.Kind == "NetworkPolicy" || strings.HasSuffix(kind.Kind, "WebhookConfiguration")) && place == ".metadata.generation":
		return false // counts what is empty for another thing than what is missing
	case kind.Kind == "LimitRange" && place == ".metadata.name":
		return false // which is made up where there is none
	case kind.Group == "autoscaling" && kind.Version == "v1" && strings.HasPrefix(place, ".metadata.annotations"):
		return false // what v1 cannot say of a status, the API server says in an annotation
	}
	return true
}

// compareJSON gives the places at which an object is another one than a text says.
func compareJSON(t *testing.T, object map[string]any, want []byte) map[string]string {
	t.Helper()
	text, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	var got, expected any
	for _, one := range []struct {
		text []byte
		into *any
	}{{text, &got}, {want, &expected}} {
		if err := json.Unmarshal(one.text, one.into); err != nil {
			t.Fatal(err)
		}
	}
	places := map[string]string{}
	differ(places, "", got, expected)
	return places
}

func differ(places map[string]string, at string, got, want any) {
	switch want := want.(type) {
	case map[string]any:
		if got, ok := got.(map[string]any); ok {
			for name := range want {
				differ(places, at+"."+name, got[name], want[name])
			}
			for name := range got {
				if _, found := want[name]; !found {
					places[at+"."+name] = fmt.Sprintf("got %v, want nothing", got[name])
				}
			}
			return
		}
	case []any:
		if got, ok := got.([]any); ok && len(got) == len(want) {
			for i := range want {
				differ(places, at+"[]", got[i], want[i])
			}
			return
		}
	}
	if !reflect.DeepEqual(got, want) {
		places[at] = fmt.Sprintf("got %v, want %v", got, want)
	}
}
