package oracle

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/crosswalk-dev/crosswalk/internal/builtin"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

// TestBuiltinKinds reads objects of every kind of Kubernetes, in every version that
// Crosswalk knows, and wants what the API server has once it has read them.
func TestBuiltinKinds(t *testing.T) {
	count := 200
	if testing.Short() {
		count = 20
	}
	program := findProgram(t)
	cmd := exec.CommandContext(t.Context(), string(program), "read", "--count", strconv.Itoa(count), "--seed", strconv.Itoa(seed))
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 1<<24)
	seen, wrong := map[schema.GroupVersionKind]int{}, map[schema.GroupVersionKind]map[string]string{}
	for lines.Scan() {
		version, name, _ := strings.Cut(lines.Text(), " ")
		kind := schema.FromAPIVersionAndKind(version, name)
		lines.Scan()
		sent := bytes.Clone(lines.Bytes())
		lines.Scan()
		if !builtin.Recognizes(kind) {
			continue
		}
		seen[kind]++
		for place, what := range misread(t, kind, sent, lines.Bytes()) {
			if !compared(kind, place) {
				continue
			}
			if wrong[kind] == nil {
				wrong[kind] = map[string]string{}
			}
			wrong[kind][place] = what
		}
	}
	if len(seen) < 60 {
		t.Errorf("only %d kinds", len(seen))
	}
	for _, kind := range slices.SortedFunc(maps.Keys(wrong), func(a, b schema.GroupVersionKind) int { return strings.Compare(a.String(), b.String()) }) {
		for _, place := range slices.Sorted(maps.Keys(wrong[kind])) {
			t.Errorf("%v %s: %s", kind, place, wrong[kind][place])
		}
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

// compared leaves out what is not the same by design.
func compared(kind schema.GroupVersionKind, place string) bool {
	switch {
	case kind.Kind == "ResourceSlice" && strings.HasSuffix(place, ".taints[].timeAdded"):
		return false // is the time
	case kind.Group == "autoscaling" && kind.Version == "v1" && strings.HasPrefix(place, ".metadata.annotations"):
		return false // what v1 cannot say of a status, the API server says in an annotation
	}
	return true
}

// misread gives the places at which an object is read as something else.
func misread(t *testing.T, kind schema.GroupVersionKind, sent, want []byte) map[string]string {
	t.Helper()
	object, _, err := builtin.Read(kind, sent)
	if err != nil {
		t.Fatalf("%v: %s: %v", kind, sent, err)
	}
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
