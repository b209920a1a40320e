package expression

import (
	"os"
	"regexp"
	"testing"
)

// TestRemediesReadThisRelease: remedies for a wrong expression depend on the text of cel-go's error. With another
// release, compare the texts in mistake.go with its errors, and then name it here.
func TestRemediesReadThisRelease(t *testing.T) {
	const release = "v0.30.0"
	text, err := os.ReadFile("../../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	used := regexp.MustCompile(`github\.com/google/cel-go (\S+)`).FindSubmatch(text)
	if used == nil || string(used[1]) != release {
		t.Errorf("the remedies were written for cel-go %s, and not for %q", release, used)
	}
}
