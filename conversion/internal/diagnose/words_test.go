package diagnose

import (
	"strconv"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/path"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
)

func TestEither(t *testing.T) {
	var twelve []string
	for i := range 12 {
		twelve = append(twelve, strconv.Itoa(i))
	}
	for _, test := range []struct {
		words []string
		want  string
	}{
		{nil, ""},
		{[]string{"A"}, "A"},
		{[]string{"A", "B"}, "A or B"},
		{[]string{"A", "B", "C"}, "A, B or C"},
		{twelve, "0, 1, 2, 3, 4, 5, 6, 7, 8, 9 or 2 others that the table has"},
	} {
		if got := Either(test.words); got != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
	}
	if len(twelve) != 12 || twelve[10] != "10" {
		t.Errorf("the words have changed: %q", twelve)
	}
}

// What is written as YAML is read as the same.
func TestYAML(t *testing.T) {
	for _, value := range []string{
		`"a"`, `"two words"`, `""`, `"yes"`, `"Off"`, `"n"`, `"null"`, `"1"`, `"1e3"`, `"0x10"`, `"2024-01-01"`, `"a: b"`, `"#"`, `"-"`, `"é"`, `"\"q\""`,
		"1", "-1", "0", "1.5", "true", "false",
	} {
		want, err := yaml.YAMLToJSON([]byte("x: " + value))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := yaml.YAMLToJSON([]byte("x: " + Word([]byte(value)))); err != nil || string(got) != string(want) {
			t.Errorf("%s is written as %s, which is %s: %v", value, Word([]byte(value)), got, err)
		}
	}
	for _, names := range []path.Path{{"spec", "a"}, {"spec", "a-b"}, {"spec", "a.b"}, {"inf"}, {"NaN"}, {"5"}, {"e5"}, {"metadata", "annotations", "example.com/x"}, {`q"`}, {"a, b: {"}} {
		text := "{spoke: " + Path(names) + ", drop: x}"
		var row map[string]string
		if err := yaml.Unmarshal([]byte(text), &row); err != nil || row["spoke"] != names.String() {
			t.Errorf("%s is %q, want %s: %v", text, row["spoke"], names, err)
		}
	}
}

// The path that is nearest is what an author has meant, unless none is near.
func TestNearest(t *testing.T) {
	text := &schema.Schema{Type: "string"}
	object := func(members map[string]*schema.Schema) *schema.Schema {
		return &schema.Schema{Type: "object", Members: members}
	}
	root := object(map[string]*schema.Schema{"spec": object(map[string]*schema.Schema{
		"hostPort": text, "replicas": text, "pod": object(map[string]*schema.Schema{"image": text}),
	})})
	for _, test := range []struct {
		wanted path.Path
		want   string
	}{
		{path.Path{"spec", "hostport"}, "did you mean .spec.hostPort?"},
		{path.Path{"spec", "image"}, "did you mean .spec.pod.image?"},
		{path.Path{"spec", "completelyElse"}, ".spec has hostPort, pod, replicas"},
		{path.Path{"spec", "replicas", "x"}, ".spec.replicas is of type string and has no fields"},
		{path.Path{"state"}, "there are spec"},
	} {
		if got := Instead(root, test.wanted); got != test.want {
			t.Errorf("%s: %q, want %q", test.wanted, got, test.want)
		}
	}
}
