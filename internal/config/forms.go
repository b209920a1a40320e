package config

import (
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/internal/manifest"
)

// forms shows how to write the fields of a row, for messages about a value of another type.
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
	"default":  "default: {spoke: 3}, the value that absence in the spoke means",
	"wrap":     "wrap: name, the field that holds the value",
	"drop":     "drop: no controller has read it since v1alpha1 (the reason)",
}

// innerForms shows the same for fields within the mappings of a row.
var innerForms = map[reflect.Type]map[string]string{
	reflect.TypeFor[v1alpha1.Keyed]():         {"key": `key: name, or key: "{namespace}/{name}" if several fields make the name in the map`},
	reflect.TypeFor[v1alpha1.Variant]():       {"alternatives": "alternatives: [{name: A, rows: [...]}]", "elsewhere": "elsewhere: [A, B]"},
	reflect.TypeFor[v1alpha1.Part]():          {"match": "match: {.type: A}, fields of an element and their values", "has": "has: [.a]"},
	reflect.TypeFor[v1alpha1.Join]():          {"separator": `separator: ","`},
	reflect.TypeFor[v1alpha1.Boolean]():       {"presence": "presence: hub, or presence: spoke, the version in which presence means true"},
	reflect.TypeFor[v1alpha1.CrosswalkSpec](): {"versions": "versions: [{name: v1beta1, rows: [...]}]", "tables": "tables: {part: [{spoke: .a, hub: .b}]}"},
	reflect.TypeFor[v1alpha1.VersionTable]():  {"rows": "rows: [{spoke: .spec.a, hub: .spec.b}]", "tables": "tables: {part: [{spoke: .a, hub: .b}]}"},
	reflect.TypeFor[v1alpha1.Alternative]():   {"name": "name: A, the name of its field in the row"},
}

var versionName = regexp.MustCompile(`^v[1-9][0-9]*((alpha|beta)[1-9][0-9]*)?$`)

// synonyms maps the names that other tools and people use to the fields of a row.
var synonyms = map[string]string{
	"enum": "values", "map": "values", "mapping": "values", "convert": "values", "translate": "values",
	"split": "join", "concat": "join",
	"format": "template", "pattern": "template",
	"expression": "cel", "expr": "cel",
	"ignore": "drop", "remove": "drop", "delete": "drop", "skip": "drop", "deprecated": "drop",
	"forEach": "each", "foreach": "each", "items": "each", "list": "each",
	"union": "variant", "oneOf": "variant", "discriminator": "variant",
	"units": "scalar", "quantity": "scalar", "duration": "scalar", "type": "scalar",
	"bool":   "boolean",
	"filter": "where", "select": "where",
	"rename": "", "move": "", "field": "",
}

// textRows is the answer to an author who writes rows of text.
const textRows = "text has no rows: it needs the same names in the string and in the field; if the names differ, name a field with the schema of the text, or convert it in Go, with func"

// strayed returns where a field belongs that a row does not have, or its name there. It returns
// "" for an unknown name.
func strayed(name string, row *manifest.Node) string {
	switch {
	case name == "rows" && row.Get("text") != nil:
		return textRows
	case slices.Contains([]string{"from", "to", "source", "target", "src", "dst", "path"}, name) || versionName.MatchString(name):
		return "the fields of a row are spoke, for the version that has the row, and hub"
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
		return called(name)
	}
	slices.Sort(within)
	if own := slices.DeleteFunc(slices.Clone(within), func(field string) bool { return row.Get(field) == nil }); len(own) > 0 {
		within = own
	}
	last := len(within) - 1
	if last == 0 {
		return "it belongs in " + within[0]
	}
	return "it belongs in " + strings.Join(within[:last], ", ") + " or " + within[last]
}

// called returns the name of the field of a row that has another name elsewhere.
func called(name string) string {
	field, known := synonyms[name]
	switch {
	case !known:
		return ""
	case field == "":
		return "a row that copies a value has only its two fields: " + forms["spoke"] + "; " + forms["hub"]
	}
	return "write " + forms[field]
}

// misplaced returns how to write a field that a mapping with its own rows does not have. It
// returns "" for other fields. ofRow reports that a row has the field.
func misplaced(t reflect.Type, member manifest.Member, ofRow bool) string {
	_, ofAlternative := fieldTypes(t)["alternatives"]
	_, withRows := fieldTypes(t)["rows"]
	switch {
	case ofAlternative && !ofRow && (member.Value.Get("rows") != nil || member.Value.Get("table") != nil):
		return "the rows of one alternative are written as alternatives: [{name: " + member.Key + ", rows: [...]}]"
	case withRows && ofRow && t != reflect.TypeFor[v1alpha1.VersionTable]():
		return "put the mapping of the elements, or of the value, in rows: rows: [{spoke: ., hub: ., " + member.Key + ": ...}]"
	}
	return ""
}
