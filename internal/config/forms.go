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
	"wrap":     "wrap: name, the field that holds the value",
	"drop":     "drop: no controller has read it since v1alpha1, which is the reason",
}

// innerForms are those of fields within the mappings of a row.
var innerForms = map[reflect.Type]map[string]string{
	reflect.TypeFor[v1alpha1.Keyed]():         {"key": `key: name, or key: "{namespace}/{name}" where several fields make the name in the map`},
	reflect.TypeFor[v1alpha1.Variant]():       {"alternatives": "alternatives: [{name: A, rows: [...]}]", "elsewhere": "elsewhere: [A, B]"},
	reflect.TypeFor[v1alpha1.Part]():          {"match": "match: {.type: A}, the places of an element and what stands there", "has": "has: [.a]"},
	reflect.TypeFor[v1alpha1.Join]():          {"separator": `separator: ","`},
	reflect.TypeFor[v1alpha1.Boolean]():       {"presence": "presence: hub, or presence: spoke, the side on which being there means true"},
	reflect.TypeFor[v1alpha1.CrosswalkSpec](): {"versions": "versions: [{name: v1beta1, rows: [...]}]", "tables": "tables: {part: [{spoke: .a, hub: .b}]}"},
	reflect.TypeFor[v1alpha1.VersionTable]():  {"rows": "rows: [{spoke: .spec.a, hub: .spec.b}]", "tables": "tables: {part: [{spoke: .a, hub: .b}]}"},
	reflect.TypeFor[v1alpha1.Alternative]():   {"name": "name: A, as the row names its place"},
}

var versionName = regexp.MustCompile(`^v[1-9][0-9]*((alpha|beta)[1-9][0-9]*)?$`)

// synonyms are what other tools, and people, call the fields of a row.
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
		return called(name)
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

// called says what a field of a row is called that somebody knows by another name.
func called(name string) string {
	field, known := synonyms[name]
	switch {
	case !known:
		return ""
	case field == "":
		return "a row that moves a value as it is names its two places and nothing else: " + forms["spoke"] + "; " + forms["hub"]
	}
	return "write " + forms[field]
}

// misplaced says how something is written that a mapping with rows of its own has not got;
// it is empty for what is no such thing. ofRow says that a row has it.
func misplaced(t reflect.Type, member manifest.Member, ofRow bool) string {
	_, ofAlternative := fieldTypes(t)["alternatives"]
	_, withRows := fieldTypes(t)["rows"]
	switch {
	case ofAlternative && !ofRow && (member.Value.Get("rows") != nil || member.Value.Get("table") != nil):
		return "the rows of one alternative are written as alternatives: [{name: " + member.Key + ", rows: [...]}]"
	case withRows && ofRow && t != reflect.TypeFor[v1alpha1.VersionTable]():
		return "what becomes of the elements, or of the value, is said in rows: rows: [{spoke: ., hub: ., " + member.Key + ": ...}]"
	}
	return ""
}
