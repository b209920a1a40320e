package config

import (
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/internal/manifest"
)

// forms are how the fields of a row are written, for those who have written one as
// something else.
var forms = map[string]string{
	"spoke":    "spoke: .spec.a, or spoke: {a: .spec.a, b: .spec.b}",
	"hub":      "hub: .spec.a, or hub: {a: .spec.a, b: .spec.b}",
	"template": `template: "{host}:{port}"`,
	"values":   "values: {Allow: Parallel, Deny: Single}, the value of the spoke first",
	"inverse":  "inverse: {Parallel: Allow}, the value of the hub first",
	"scalar":   "scalar: {hub: duration, unit: s}",
	"boolean":  "boolean: {negate: true}, or boolean: {true: Enabled, false: Disabled}",
	"join":     `join: {separator: ","}`,
	"text":     "text: yaml",
	"variant":  "variant: {}",
	"cel":      "cel: {toHub: self.spec.a, toSpoke: self.spec.b}",
	"each":     "each: {key: name, rows: [...]}",
	"single":   "single: {rows: [...]}",
	"keyed":    "keyed: {key: name, value: value}",
	"where":    "where: [{place: a, match: {.type: A}, rows: [...]}]",
	"entries":  "entries: {name: name, value: value}",
	"default":  "default: {spoke: 3}, which says what absence in the spoke stands for",
	"drop":     "drop: no controller has read it since v1alpha1, which is the reason",
}

var versionName = regexp.MustCompile(`^v[1-9][0-9]*((alpha|beta)[1-9][0-9]*)?$`)

// textRows is for those who look for rows of text.
const textRows = "text ties a string to data of the same names, and has no rows; where the names differ, name a place with the schema of the text, or compute it in Go, by func"

// strayed says where something belongs that a row has not got, or what it is called
// there; it is empty for what nobody knows.
func strayed(name string, row *manifest.Node) string {
	switch {
	case name == "rows" && row.Get("text") != nil:
		return textRows
	case slices.Contains([]string{"from", "to", "source", "target", "src", "dst", "path"}, name) || versionName.MatchString(name):
		return "a row calls its places spoke, in the version that it is written under, and hub"
	case slices.Contains(texts(v1alpha1.Formats()), name):
		return "write text: " + name
	}
	var within []string
	for field, t := range fieldTypes(reflect.TypeFor[v1alpha1.Row]()) {
		if t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
			t = t.Elem()
		}
		if t.Kind() != reflect.Struct || field == "default" || field == "constant" {
			continue
		}
		if _, has := fieldTypes(t)[name]; has {
			within = append(within, field)
		}
	}
	if len(within) == 0 {
		return ""
	}
	slices.Sort(within)
	if own := slices.DeleteFunc(slices.Clone(within), func(field string) bool { return row.Get(field) == nil }); len(own) > 0 {
		within = own
	}
	last := len(within) - 1
	if last == 0 {
		return "it stands within " + within[0]
	}
	return "it stands within " + strings.Join(within[:last], ", ") + " or " + within[last]
}
