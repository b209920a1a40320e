package proof

import "slices"

// Classes returns the classes of input that a run must contain, so that it tests everything that can
// be generated.
func Classes() []string { return slices.Clone(classes) }

var classes = []string{
	"default/explicit", "embedded resource", "enum", "fragment", "fragment/bare element", "fragment/no metadata",
	"hostile", "hostile/huge number", "hostile/stash", "int-or-string", "integer/beyond 2^53", "integer/zero",
	"list/by key", "list/empty", "list/equal elements", "map", "name/odd", "null", "null/unknown", "number/float",
	"number/not normal", "object/empty", "object/spaced", "object/type last", "string/empty", "string/escaped",
	"string/format", "string/hint", "string/pattern", "string/unicode", "unknown fields", "unknown fields of rows",
	"edit/add", "edit/annotations", "edit/delete", "edit/empty", "edit/labels", "edit/list delete", "edit/list duplicate",
	"edit/list insert", "edit/list key", "edit/list reorder", "edit/map", "edit/null", "edit/set",
	"law/L1", "law/L1 through the API server", "law/L2", "law/L2 through the API server", "law/L2 kept", "law/L2 seen", "law/L2 seen through the API server",
	"law/L2 kept through the API server", "law/L3", "law/L3 forged", "law/L3 forged through the API server", "law/L4", "law/L4 through the API server", "law/L5", "law/L6", "law/guard", "law/guard through the API server",
	"table/constant", "table/status apart", "table/constant in a required object", "table/crosses to a label", "table/crosses to an annotation", "table/crosses to status",
	"table/drop", "table/each by a renamed key", "table/each by content", "table/each by key",
	"table/each by a key that rows translate: values", "table/each by a key that rows translate: closed values", "table/each by a key that rows translate: template", "table/each by a key that rows translate: scalar",
	"table/each by the schema's key", "table/equal defaults", "table/hub default", "table/hub stored",
	"table/list key with a default", "table/list key in an object with a default", "table/each by a key further in", "table/each by a key at another depth", "table/list shared", "table/list with two keys", "table/map each",
	"table/map shared", "table/nested deeper", "table/nullable differs", "table/object default", "table/object default with members", "table/object default with objects and lists",
	"table/object hoisted", "table/object moved", "table/object shared", "table/odd field name",
	"table/other top-level field", "table/private to a spoke", "table/private to the hub", "table/renamed",
	"table/required", "table/row default hub", "table/row default spoke", "table/same path, another meaning",
	"table/sensitive", "table/shared", "table/shared, default of one", "table/shared, two defaults",
	"table/spoke default", "table/spoke stored", "table/template of a spoke", "table/template of the hub", "table/template with an optional part",
	"table/template with several optional parts", "table/each whole element by a template", "table/template with characters that a hole never holds",
	"object/with a history", "table/open alike", "table/open in one version", "table/values with a default",
	"table/values of another type", "table/list of nullable elements", "table/list with a default",
	"table/three versions or more", "table/values closed", "table/values many to one", "table/values one to one",
	"table/values swapped",
	"table/scalar: string and integer", "table/scalar: string and number", "table/scalar: string and boolean", "table/scalar: int-or-string",
	"table/scalar: duration", "table/scalar: rounding", "table/scalar: quantity", "table/scalar: percentage", "table/scalar: units",
	"table/boolean: negate", "table/boolean: presence", "table/boolean: presence of a value", "table/boolean: two values",
	"table/variant with a value", "table/variant without a value", "table/variant with rows", "table/variant with rows of an alternative",
	"table/variant elsewhere", "table/variant of lists", "table/variant within itself", "table/variant without an end",
	"table/cel fails", "table/cel concatenates", "table/cel conditional", "table/cel optional", "table/cel list", "table/cel constant", "table/cel has", "table/cel map",
	"table/cel object", "table/cel anything", "table/cel several places", "table/cel one-sided", "table/cel reads another place", "table/cel outside",
	"table/func", "table/parameter", "table/parameter of an expression",
	"table/named within itself", "table/named without an end",
	"table/text of an object", "table/text of a list", "table/text of anything",
	"table/join", "table/single", "table/single scalar", "table/single: first", "table/single: none", "table/wrap", "table/each whole element", "table/keyed", "table/keyed by an integer", "table/keyed by a template", "table/keyed values by a template", "table/keyed values by a row", "table/keyed values", "table/keyed fields", "table/keyed: first", "table/keyed: last",
	"table/where of the hub", "table/where of the spoke", "table/where one value", "table/where one element", "table/where by key", "table/entries",
	"table/mapping with a default",
	"law/L7", "change/rows", "change/rows, undone", "change/parameters", "change/parameters, undone", "change/places swapped",
	"change/hub turned", "change/hub turned, undone", "change/hub moved on", "change/version added", "change/version removed", "change/hub replaced", "change/several", "change/a field of the schema", "change/a field of the schema, undone",
	"change/an expression", "change/an expression, undone", "change/a parameter's value", "change/a parameter's value, undone",
	"change/a function", "change/a function, undone", "change/values", "change/values, undone",
	"law/L7 with three versions", "law/L7 with where",
	"stash/truncated", "stash/character flipped", "stash/text behind it", "stash/another text", "stash/other format", "stash/member lost", "stash/wrong type", "stash/member twice", "stash/spaced", "stash/stale", "stash/other owner", "stash/other table", "stash/no table", "stash/entries turned round", "stash/entries swapped", "stash/entry twice", "stash/entry moved", "stash/address forged", "stash/guard forged", "stash/guard lost", "stash/guard added", "stash/value forged", "stash/order forged",
}
