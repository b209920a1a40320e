package oracle

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/crosswalk-dev/crosswalk/internal/builtin"
	"k8s.io/apimachinery/pkg/runtime/schema"
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
