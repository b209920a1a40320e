package patch_test

import (
	"fmt"

	"github.com/crosswalk-dev/crosswalk/validation/patch"
)

// One element joins a list, and one member changes.
func ExampleDiff() {
	changes, err := patch.Diff(nil,
		[]byte(`{"spec":{"image":"example.com/app:v1","replicas":1,"hosts":["a.example.com","c.example.com"]}}`),
		[]byte(`{"spec":{"hosts":["a.example.com","b.example.com","c.example.com"],"image":"example.com/app:v1","replicas":2}}`))
	if err != nil {
		panic(err)
	}
	fmt.Println(string(changes))
	// Output: [{"op":"replace","path":"/spec/replicas","value":2},{"op":"add","path":"/spec/hosts/1","value":"b.example.com"}]
}
