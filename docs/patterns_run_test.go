package docs

import (
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apiruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"

	"github.com/crosswalk-dev/crosswalk/conversion"
	gocode "github.com/crosswalk-dev/crosswalk/conversion/typed"
	"github.com/crosswalk-dev/crosswalk/docs/internal/utilconversion"
	"github.com/crosswalk-dev/crosswalk/internal/manifest"
)

const fromControllerRuntime = "docs/from-controller-runtime.md"

type (
	toHub   func(src *ExampleV1beta1, dst *ExampleV1) error
	fromHub func(src *ExampleV1, dst *ExampleV1beta1) error
)

// pattern is the code under a heading of the page.
type pattern struct {
	to   toHub
	from fromHub
}

func patterns() map[string]pattern {
	return map[string]pattern{
		"A field with another name or path":   {moveTo, moveFrom},
		"A value that becomes a pointer":      {pointerTo, pointerFrom},
		"A default in ConvertTo":              {defaultTo, defaultFrom},
		"A string that becomes two fields":    {splitTo, splitFrom},
		"A switch over an enum":               {enumTo, enumFrom},
		"A boolean that becomes an enum":      {stateTo, stateFrom},
		"Seconds that become a duration":      {unitTo, unitFrom},
		"Strings that become structs":         {wrapTo, wrapFrom},
		"A loop over a slice":                 {loopTo, loopFrom},
		"A map that becomes a slice":          {mapTo, mapFrom},
		"Pointers that become a union":        {unionTo, unionFrom},
		"An annotation that becomes a field":  {ownerTo, ownerFrom},
		"MarshalData and the restore pattern": {keepTo, keepFrom},
		"A field that is left out":            {dropTo, dropFrom},
	}
}

// TestPatterns converts the objects of the page with the Go code above them, as TestPages
// does with the rows. The results must be equal.
func TestPatterns(t *testing.T) {
	left := patterns()
	for _, e := range readExamples(t, fromControllerRuntime) {
		name := e.rows.heading
		p, there := left[name]
		delete(left, name)
		t.Run(name, func(t *testing.T) {
			if !there {
				t.Fatal("there is no code for it")
			}
			e.folder = t.TempDir()
			e.configure(t)
			c := p.converter(t, filepath.Join(e.folder, "crd.yaml"))
			for _, pair := range e.pairs {
				p.expect(t, c, pair.old, pair.now, "v1")
				if !pair.oneWay {
					p.expect(t, c, pair.now, pair.old, "v1beta1")
				}
				p.comesBack(t, c, pair.old, "v1", "v1beta1")
				p.comesBack(t, c, pair.now, "v1beta1", "v1")
			}
		})
	}
	for name := range left {
		t.Errorf("%s has no heading %q", fromControllerRuntime, name)
	}
}

// TestPatternsAreShown: what the test runs is what the page shows.
func TestPatternsAreShown(t *testing.T) {
	shown := map[string]string{}
	for _, b := range readBlocks(t, fromControllerRuntime) {
		if b.language == "go" {
			shown[b.heading] += b.text
		}
	}
	for name, p := range patterns() {
		for _, f := range []any{p.to, p.from} {
			full := runtime.FuncForPC(reflect.ValueOf(f).Pointer()).Name()
			function := full[strings.LastIndexByte(full, '.')+1:]
			if !strings.Contains(shown[name], "func "+function+"(") {
				t.Errorf("%s: %s is not shown", name, function)
			}
		}
	}
}

// converter serves the code as the page says.
func (p pattern) converter(t *testing.T, crdFile string) *gocode.Converter {
	t.Helper()
	text, err := os.ReadFile(crdFile)
	if err != nil {
		t.Fatal(err)
	}
	crd := new(apiextensionsv1.CustomResourceDefinition)
	if err := yaml.UnmarshalStrict(text, crd); err != nil {
		t.Fatal(err)
	}
	scheme := apiruntime.NewScheme()
	for version, object := range map[string]apiruntime.Object{"v1": &ExampleV1{}, "v1beta1": &ExampleV1beta1{}} {
		scheme.AddKnownTypeWithName(schema.GroupVersionKind{Group: crd.Spec.Group, Version: version, Kind: "Example"}, object)
	}
	c, err := gocode.New(crd, scheme, "1", gocode.Hub("v1"), gocode.Spoke("v1beta1",
		func(src *ExampleV1beta1, dst *ExampleV1) error {
			dst.ObjectMeta = src.ObjectMeta
			return p.to(src, dst)
		},
		func(src *ExampleV1, dst *ExampleV1beta1) error {
			dst.ObjectMeta = src.ObjectMeta
			return p.from(src, dst)
		}))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func (p pattern) expect(t *testing.T, c *gocode.Converter, in, want *manifest.Node, to string) {
	t.Helper()
	if got, want := shownBy(t, converted(t, c, in.AppendJSON(nil), to)), shownBy(t, want.AppendJSON(nil)); got != want {
		t.Errorf("to %s: the code makes\n%s\nthe page says\n%s", to, got, want)
	}
}

func (p pattern) comesBack(t *testing.T, c *gocode.Converter, in *manifest.Node, through, to string) {
	t.Helper()
	got := converted(t, c, converted(t, c, in.AppendJSON(nil), through), to)
	if got, want := sorted(parse(t, string(got), manifest.JSON)), sorted(in); got != want {
		t.Errorf("through %s and back it is\n%s\nit was\n%s", through, got, want)
	}
}

func converted(t *testing.T, c *gocode.Converter, object []byte, to string) []byte {
	t.Helper()
	out, err := c.Convert(nil, object, to)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// shownBy is what a version shows, without what we or the author's own code keep in
// annotations.
func shownBy(t *testing.T, object []byte) string {
	t.Helper()
	stripped, err := conversion.Strip(nil, object)
	if err != nil {
		t.Fatal(err)
	}
	var decoded map[string]any
	if err := yaml.Unmarshal(stripped, &decoded); err != nil {
		t.Fatal(err)
	}
	if metadata, ok := decoded["metadata"].(map[string]any); ok {
		if annotations, ok := metadata["annotations"].(map[string]any); ok {
			if delete(annotations, utilconversion.DataAnnotation); len(annotations) == 0 {
				delete(metadata, "annotations")
			}
		}
		if len(metadata) == 0 {
			delete(decoded, "metadata")
		}
	}
	text, err := yaml.Marshal(decoded)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
