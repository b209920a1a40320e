package manifest

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

const quoted = yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle

func plain(n *yaml.Node) bool { return n.Style&(quoted|yaml.TaggedStyle) == 0 }

func (r *yamlReader) scalar(n *yaml.Node) (*Node, error) {
	node := &Node{Kind: String, Line: r.offset + n.Line, Text: n.Value}
	if plain(n) {
		kind, text, ok := resolve(n.Value)
		if !ok {
			return nil, r.fail(n, "JSON can't represent the number %s", n.Value)
		}
		node.Kind, node.Text = kind, text
		return node, nil
	}
	if n.Style&yaml.TaggedStyle == 0 {
		return node, nil
	}
	return r.tagged(n, node)
}

// tagged reads a scalar with an explicit tag. kubectl reads a value with a tag that YAML does
// not define as a string, and so does tagged.
func (r *yamlReader) tagged(n *yaml.Node, node *Node) (*Node, error) {
	var want Kind
	switch n.ShortTag() {
	case "!!int", "!!float":
		want = Number
	case "!!bool":
		want = Boolean
	case "!!null":
		want = Null
	case "!!binary":
		return nil, r.fail(n, "JSON has no binary values: write the base64 text as a string")
	default:
		return node, nil
	}
	kind, text, ok := resolve(n.Value)
	if !ok || kind != want {
		return nil, r.fail(n, "%q is not %s, as its tag says", n.Value, want)
	}
	node.Kind, node.Text = kind, text
	return node, nil
}

// resolve returns the kind of a plain scalar, by the rules of YAML 1.1 in go.yaml.in/yaml/v2,
// which kubectl and the API server use. It is not ok for values that JSON does not have:
// infinities and NaN.
func resolve(s string) (kind Kind, text string, ok bool) {
	switch s {
	case "", "~", "null", "Null", "NULL":
		return Null, "", true
	case "y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON":
		return Boolean, "true", true
	case "n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF":
		return Boolean, "false", true
	case ".nan", ".NaN", ".NAN", ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF", "-.inf", "-.Inf", "-.INF":
		return Number, "", false
	}
	if c := s[0]; c != '.' && c != '+' && c != '-' && (c < '0' || c > '9') {
		return String, s, true
	}
	if jsonNumber(s) {
		return Number, s, true
	}
	digits := strings.ReplaceAll(s, "_", "")
	if s[0] == '.' {
		// The rule for a leading point does not know underscores.
		digits = s
	}
	if n, err := strconv.ParseInt(digits, 0, 64); err == nil {
		return Number, strconv.FormatInt(n, 10), true
	}
	if n, err := strconv.ParseUint(digits, 0, 64); err == nil {
		return Number, strconv.FormatUint(n, 10), true
	}
	if yamlFloat().MatchString(digits) {
		if f, err := strconv.ParseFloat(digits, 64); err == nil {
			if out, err := json.Marshal(f); err == nil {
				return Number, string(out), true
			}
		}
	}
	return String, s, true
}

func yamlFloat() *regexp.Regexp {
	return regexp.MustCompile(`^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$`)
}

// jsonNumber reports whether a number is written as JSON allows. Its text is kept: 1.50 stays
// 1.50.
func jsonNumber(s string) bool {
	return json.Valid([]byte(s)) && (s[0] == '-' || s[0] >= '0' && s[0] <= '9')
}
