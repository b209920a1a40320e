package webhook_test

import (
	"encoding/json"
	"fmt"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion"
)

// rot13 is nothing that a table could say.
func rot13(from string) conversion.Function {
	turn := func(values conversion.Values) (conversion.Values, error) {
		text, there := values[from]
		if !there {
			return nil, nil
		}
		var plain string
		if err := json.Unmarshal(text, &plain); err != nil {
			return nil, err
		}
		turned, err := json.Marshal(strings.Map(func(r rune) rune {
			switch {
			case r >= 'a' && r <= 'z':
				return 'a' + (r-'a'+13)%26
			case r >= 'A' && r <= 'Z':
				return 'A' + (r-'A'+13)%26
			}
			return r
		}, plain))
		return conversion.Values{from: turned}, err
	}
	return conversion.Function{ToHub: turn, ToSpoke: turn, Revision: "v1"}
}

// A table calls a Go function by the name under which the program registers it.
func Example_functions() {
	var crd apiextensionsv1.CustomResourceDefinition
	var table v1alpha1.Crosswalk
	read(`
metadata: {name: notes.example.com}
spec:
  group: example.com
  names: {kind: Note}
  versions:
  - {name: v1beta1, schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {secret: {type: string}}}}}}}
  - {name: v1, schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {text: {type: string}}}}}}}
`, &crd)
	read(`
metadata: {name: notes.example.com}
spec:
  hub: v1
  versions:
  - name: v1beta1
    rows:
    - {spoke: .spec.secret, hub: .spec.text, func: rot13}
`, &table)
	converter, err := conversion.Compile(&crd, &table, conversion.WithFunctions(map[string]conversion.Function{
		"rot13": rot13(""),
	}))
	if err != nil {
		panic(err)
	}
	out, err := converter.Convert(nil, []byte(`{"apiVersion":"example.com/v1beta1","kind":"Note","spec":{"secret":"Uryyb"}}`), "v1")
	fmt.Println(string(out), err)
	// Output: {"apiVersion":"example.com/v1","kind":"Note","spec":{"text":"Hello"}} <nil>
}

func read(text string, into any) {
	if err := yaml.Unmarshal([]byte(text), into); err != nil {
		panic(err)
	}
}
