package rehearsal

import (
	"bytes"
	"os"
	"testing"

	"sigs.k8s.io/yaml"
)

// WantObjects compares objects with a file of YAML documents.
func WantObjects(t *testing.T, file string, objects ...any) {
	t.Helper()
	var got bytes.Buffer
	for _, object := range objects {
		text, err := yaml.Marshal(object)
		if err != nil {
			t.Fatal(err)
		}
		got.WriteString("---\n")
		got.Write(text)
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got.String() != string(want) {
		t.Errorf("got\n%s\nwant\n%s", got.String(), want)
	}
}
