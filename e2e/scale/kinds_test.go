package scale

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	ssautils "github.com/fluxcd/pkg/ssa/utils"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// cluster is what is applied: so many Crosswalks, each with its CRD, and so many policies.
type cluster struct {
	crosswalks, policies int
	roles                []json.RawMessage // by which serve may look up what policies ask about
	objects              []json.RawMessage // all else
}

// fill copies the examples, each time into API groups of their own, until there are enough
// Crosswalks, and of their policies as many as are asked for.
func (c *cluster) fill(t testing.TB, examples string) {
	t.Helper()
	tables, err := filepath.Glob(filepath.Join(examples, "*", "crosswalk.yaml"))
	if err != nil || len(tables) == 0 {
		t.Fatalf("there is no table in %s: %v", examples, err)
	}
	crosswalks, policies := 0, 0
	for i := 0; crosswalks < c.crosswalks; i++ {
		dir := filepath.Dir(tables[i%len(tables)])
		copied := fmt.Sprintf("n%03d", i/len(tables))
		crd := read(t, filepath.Join(dir, "crd.yaml"))[0]
		group, _, _ := unstructured.NestedString(crd.Object, "spec", "group")
		into := strings.NewReplacer(group, copied+"."+group)
		for _, file := range []string{"crd.yaml", "crosswalk.yaml"} {
			for _, o := range read(t, filepath.Join(dir, file)) {
				c.objects = append(c.objects, replace(t, o, into))
			}
		}
		crosswalks++
		for _, o := range read(t, filepath.Join(dir, "policies.yaml")) {
			o.SetName(copied + "-" + o.GetName())
			switch isPolicy := strings.HasSuffix(o.GetKind(), "Policy"); {
			case !isPolicy:
				c.roles = append(c.roles, replace(t, o, into))
			case policies < c.policies:
				policies++
				c.objects = append(c.objects, replace(t, o, into))
			}
		}
	}
	if policies != c.policies {
		t.Fatalf("%d copies of the examples have %d policies, not %d", crosswalks, policies, c.policies)
	}
}

// list is one manifest of the objects.
func list(t testing.TB, objects []json.RawMessage) string {
	t.Helper()
	list, err := json.Marshal(map[string]any{"apiVersion": "v1", "kind": "List", "items": objects})
	if err != nil {
		t.Fatal(err)
	}
	return string(list)
}

// read reads the objects of a file.
func read(t testing.TB, file string) []*unstructured.Unstructured {
	t.Helper()
	text, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer text.Close()
	objects, err := ssautils.ReadObjects(text)
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return objects
}

// replace replaces words in all of an object's text.
func replace(t testing.TB, o *unstructured.Unstructured, words *strings.Replacer) json.RawMessage {
	t.Helper()
	text, err := json.Marshal(o.Object)
	if err != nil {
		t.Fatal(err)
	}
	return json.RawMessage(words.Replace(string(text)))
}
