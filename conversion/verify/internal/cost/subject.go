package cost

import (
	"encoding/json"
	"fmt"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
)

// subject is a compiled table.
type subject struct {
	*conversion.Converter
	name string
}

// readSubject compiles what is in the manifests of a CRD and its table.
func readSubject(name string, crd, table []byte) (subject, error) {
	definition, crosswalk := new(apiextensionsv1.CustomResourceDefinition), new(v1alpha1.Crosswalk)
	if err := yaml.UnmarshalStrict(crd, definition); err != nil {
		return subject{}, fmt.Errorf("%s: %w", name, err)
	}
	if err := yaml.UnmarshalStrict(table, crosswalk); err != nil {
		return subject{}, fmt.Errorf("%s: %w", name, err)
	}
	c, err := conversion.Compile(definition, crosswalk)
	if err != nil {
		return subject{}, fmt.Errorf("%s: %w", name, err)
	}
	return subject{c, name}, nil
}

// written compiles rows between v1beta1 and the hub v1, whose specs have these properties.
func written(name, beta, v1, rows string) (subject, error) {
	version := func(name, properties string) string {
		return fmt.Sprintf(`{name: %s, served: true, storage: %t, schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {%s}}}}}}`,
			name, name == "v1", properties)
	}
	crd := `{metadata: {name: things.example.com}, spec: {group: example.com, names: {kind: Thing}, versions: [` + version("v1", v1) + `, ` + version("v1beta1", beta) + `]}}`
	table := `{metadata: {name: things.example.com}, spec: {hub: v1, versions: [{name: v1beta1, rows: ` + rows + `}]}}`
	return readSubject(name, []byte(crd), []byte(table))
}

// object writes an object of a version: its members besides apiVersion, kind and metadata,
// as in `"spec":{}`, and its annotations.
func (s subject) object(version, members string, annotations map[string]string) []byte {
	meta := map[string]any{"name": "a"}
	if len(annotations) > 0 {
		meta["annotations"] = annotations
	}
	text, _ := json.Marshal(meta) // strings have no way to fail
	return fmt.Appendf(nil, `{"apiVersion":"%s/%s","kind":%q,"metadata":%s,%s}`, s.Group(), version, s.Kind(), text, members)
}

// mark is that of the table by which is written what is kept of a version in another one, or
// "" where nothing is. Where something is, a value of the wrong type is, at one place or another.
func (s subject) mark(of, in string) string {
	for _, p := range places(s.Schema(of)) {
		for _, value := range []string{`"x"`, "[{}]", "true"} {
			whole := within(s.Schema(of), p.at, 1, func() string { return value })
			out, err := s.Convert(nil, s.object(of, strings.TrimSuffix(strings.TrimPrefix(whole, "{"), "}"), nil), in)
			if err != nil {
				continue
			}
			for _, suffix := range []string{"", stash.StatusSuffix} {
				if _, mark, err := stash.Read(nil, []byte(annotationsOf(out)[stash.Prefix+of+suffix])); err == nil && mark != "" {
					return mark
				}
			}
		}
	}
	return ""
}

// annotationsOf returns those of an object.
func annotationsOf(object []byte) map[string]string {
	var o struct {
		Metadata struct {
			Annotations map[string]string `json:"annotations"`
		} `json:"metadata"`
	}
	_ = json.Unmarshal(object, &o) // a conversion has written it
	return o.Metadata.Annotations
}

// repeated writes a text again and again until all is so many bytes long, with commas in
// between, between two others. Where the text has a verb, that is the number of the time, from 0.
func repeated(before, one, after string, size int) string {
	return before + again(one, ",", size-len(before)-len(after)) + after
}

// again is repeated with another separator and nothing around it.
func again(one, separator string, size int) string {
	var b strings.Builder
	for n := 0; n == 0 || b.Len() < size; n++ {
		if n > 0 {
			b.WriteString(separator)
		}
		if strings.Contains(one, "%") {
			fmt.Fprintf(&b, one, n)
		} else {
			b.WriteString(one)
		}
	}
	return b.String()
}
