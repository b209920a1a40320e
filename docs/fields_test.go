package docs

import (
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
)

// crosswalk.md describes every field of a row.
func TestFieldsOfARowAreListed(t *testing.T) {
	text, err := os.ReadFile("crosswalk.md")
	if err != nil {
		t.Fatal(err)
	}
	row := reflect.TypeFor[v1alpha1.Row]()
	for i := range row.NumField() {
		name, _, _ := strings.Cut(row.Field(i).Tag.Get("json"), ",")
		if !strings.Contains(string(text), "\n| `"+name+"` |") {
			t.Errorf("crosswalk.md does not list the field %s", name)
		}
	}
}
