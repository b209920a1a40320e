package conversion

// anyValues are values for places without a type. Numbers are written as the API
// server writes them: integers exactly, others as the shortest float64.
var anyValues = []string{
	`9223372036854775807`, `-9223372036854775808`, `9007199254740993`, `-9007199254740993`,
	`0`, `1`, `-1`, `1.5`, `0.1`, `-2.5e-7`,
	`false`, `true`, `null`,
	`""`, `" "`, `"null"`, `"9007199254740993"`, `"<&>\u2028 é 😀 \"\\ \n\t"`,
	`[]`, `{}`, `[null]`, `[[],{},"",0,false,null]`,
	`{"null":null,"list":[],"object":{},"text":"","zero":0,"false":false}`,
	`{"deep":{"er":[{"long":9223372036854775807,"null":null},{}]}}`,
	`[3,1,2,1]`,
}

// typedValues are objects for places with a type: every field absent, zero, empty
// and, where it may be, null.
var typedValues = []string{
	`{}`,
	`{"long":0,"number":0,"text":"","flag":false,"list":[],"map":{},"object":{}}`,
	`{"long":9223372036854775807,"number":1.5,"text":"x","flag":true,"list":["b","a","b"],"map":{"b":"","a":"1"},"object":{"name":""}}`,
	`{"long":-9223372036854775808,"maybeLong":9007199254740993}`,
	`{"maybeLong":null,"maybeText":null,"maybeList":null,"maybeMap":null}`,
	`{"maybeLong":0,"maybeText":"","maybeList":[],"maybeMap":{}}`,
	`{"maybeList":[null,"",null],"maybeMap":{"null":null,"empty":""}}`,
}

// sample is a spec in both versions.
type sample struct {
	name     string
	v1alpha1 string
	v1       string
	// private is the spec that a version alone holds, by version.
	private map[string]string
}

// samples are all values at all places, and places that are absent or half there.
func samples() []sample {
	all := []sample{
		{name: "absent", v1alpha1: `{}`, v1: `{}`},
	}
	for _, value := range anyValues {
		all = append(all, sample{
			name:     "any " + value,
			v1alpha1: `"same":` + value + `,"old":` + value,
			v1:       `"same":` + value + `,"new":{"place":` + value + `}`,
			private:  map[string]string{"v1alpha1": `"alpha":` + value, "v1": `"stable":` + value},
		})
	}
	for _, value := range typedValues {
		all = append(all, sample{
			name:     "typed " + value,
			v1alpha1: `"typed":` + value,
			v1:       `"typed":` + value,
			private:  map[string]string{"v1alpha1": `"typedAlpha":` + value, "v1": `"typedStable":` + value},
		})
	}
	return all
}
