package conversion_test

import (
	"strings"
	"testing"
)

// certificates has a private key that is an object in both versions, and of which the
// old one has everything elsewhere.
func TestConvertShowsNoObjectForWhatRowsMakeElsewhere(t *testing.T) {
	old := spec("keyAlgorithm: {type: string}, keySize: {type: integer}, privateKey: {type: object, properties: {rotation: {type: string}, old: {type: string}}}")
	now := spec("privateKey: {type: object, properties: {algorithm: {type: string}, size: {type: integer}, rotation: {type: string}, now: {type: string}}}")
	c := compiled(t, old, now, `[{spoke: .spec.keyAlgorithm, hub: .spec.privateKey.algorithm, values: {rsa: RSA, ecdsa: ECDSA}}, {spoke: .spec.keySize, hub: .spec.privateKey.size}]`)
	for _, test := range []struct {
		name, from, body, want string
		keeps                  string
	}{
		{"none of its own", "v1beta1", `{"keyAlgorithm":"rsa","keySize":2048}`, `{"privateKey":{"algorithm":"RSA","size":2048}}`, ""},
		{"an empty one that somebody wrote", "v1beta1", `{"keyAlgorithm":"rsa","privateKey":{}}`, `{"privateKey":{"algorithm":"RSA"}}`, `"at":["spec","privateKey"],"value":{}`},
		{"one with something that both have", "v1beta1", `{"keyAlgorithm":"rsa","privateKey":{"rotation":"Always"}}`, `{"privateKey":{"algorithm":"RSA","rotation":"Always"}}`, ""},
		{"one with something of its own", "v1beta1", `{"keyAlgorithm":"rsa","privateKey":{"old":"x"}}`, `{"privateKey":{"algorithm":"RSA"}}`, `"old"],"value":"x"`},
		{"in the other direction", "v1", `{"privateKey":{"algorithm":"RSA","size":2048}}`, `{"keyAlgorithm":"rsa","keySize":2048}`, ""},
		{"empty in both", "v1", `{"privateKey":{}}`, `{"privateKey":{}}`, ""},
		{"what the other cannot say", "v1", `{"privateKey":{"algorithm":"RSA","now":"x"}}`, `{"keyAlgorithm":"rsa","privateKey":{}}`, `"now"],"value":"x"`},
		{"what no row maps", "v1", `{"privateKey":{"algorithm":5,"size":1}}`, `{"keySize":1,"privateKey":{}}`, `"value":5`},
	} {
		t.Run(test.name, func(t *testing.T) {
			to := map[string]string{"v1": "v1beta1", "v1beta1": "v1"}[test.from]
			source := thing(test.from, `"spec":`+test.body)
			there := convert(t, c, source, to)
			if want := thing(to, `"spec":`+test.want); !sameJSON(t, strip(t, there), want) {
				t.Errorf("\ngot  %s\nwant %s", strip(t, there), want)
			}
			if has := strings.Contains(there, "stash"); has != (test.keeps != "") || !strings.Contains(strings.ReplaceAll(there, `\"`, `"`), test.keeps) {
				t.Errorf("it keeps the wrong thing: %s", there)
			}
			if back := convert(t, c, there, test.from); !sameJSON(t, back, source) {
				t.Errorf("it comes back as %s", back)
			}
		})
	}
}

// A field whose absence has a meaning keeps the object around.
func TestConvertShowsAnObjectThatSaysMore(t *testing.T) {
	for name, test := range map[string]struct{ old, rows, want string }{
		"a default in it": {"k: {type: object, properties: {p: {type: string, default: x}}}", `[{spoke: .spec.a, hub: .spec.k.a}]`, `{"a":"1","k":{"p":"x"}}`},
		"a row's default": {"k: {type: object, properties: {p: {type: string}}}", `[{spoke: .spec.a, hub: .spec.k.a}, {spoke: .spec.k.p, hub: .spec.p, default: {spoke: x}}]`, `{"a":"1","k":{}}`},
		"a constant":      {"k: {type: object, properties: {p: {type: string}}}", `[{spoke: .spec.a, hub: .spec.k.a}, {spoke: .spec.k.p, constant: x}]`, `{"a":"1","k":{"p":"x"}}`},
	} {
		t.Run(name, func(t *testing.T) {
			c := compiled(t, spec("a: {type: string}, "+test.old), spec("k: {type: object, properties: {a: {type: string}}}, p: {type: string}"), test.rows)
			source := thing("v1", `"spec":{"k":{"a":"1"}}`)
			there := convert(t, c, source, "v1beta1")
			if want := thing("v1beta1", `"spec":`+test.want); !sameJSON(t, strip(t, there), want) {
				t.Errorf("\ngot  %s\nwant %s", there, want)
			}
		})
	}
}

// A version that requires an object has it. The other shows none for what rows have
// elsewhere in it.
func TestConvertShowsARequiredObjectWhereItIsRequired(t *testing.T) {
	with := func(required, members string) string {
		return spec("min: {type: integer}, t: {type: object, " + required + "properties: {u: {type: string}, s: {type: object, properties: {" + members + "}}}}")
	}
	const has, own = "min: {type: integer}, other: {type: string}", "other: {type: string}"
	for name, test := range map[string]struct{ old, now, from, body, want string }{
		"by the one that it is from":         {with("", own), with("required: [s], ", has), "v1", `{"t":{"s":{"min":5}}}`, `{"min":5}`},
		"and beside something else":          {with("", own), with("required: [s], ", has), "v1", `{"t":{"s":{"min":5},"u":"x"}}`, `{"min":5,"t":{"u":"x"}}`},
		"and empty":                          {with("", own), with("required: [s], ", has), "v1", `{"t":{"s":{}}}`, `{"t":{"s":{}}}`},
		"and made of what is elsewhere":      {with("", own), with("required: [s], ", has), "v1beta1", `{"min":5}`, `{"t":{"s":{"min":5}}}`},
		"by the one that has it elsewhere":   {with("required: [s], ", own), with("", has), "v1", `{"t":{"s":{"min":5}}}`, `{"min":5,"t":{"s":{}}}`},
		"and written there, since it has to": {with("required: [s], ", own), with("", has), "v1beta1", `{"min":5,"t":{"s":{}}}`, `{"t":{"s":{"min":5}}}`},
		"and left out there, as it may be":   {with("required: [s], ", own), with("", has), "v1beta1", `{"min":5}`, `{"t":{"s":{"min":5}}}`},
		"by both":                            {with("required: [s], ", own), with("required: [s], ", has), "v1", `{"t":{"s":{"min":5}}}`, `{"min":5,"t":{"s":{}}}`},
	} {
		t.Run(name, func(t *testing.T) {
			c := compiled(t, test.old, test.now, `[{spoke: .spec.min, hub: .spec.t.s.min}, {hub: .spec.min}]`)
			to := map[string]string{"v1": "v1beta1", "v1beta1": "v1"}[test.from]
			source := thing(test.from, `"spec":`+test.body)
			there := convert(t, c, source, to)
			if want := thing(to, `"spec":`+test.want); !sameJSON(t, strip(t, there), want) {
				t.Errorf("\ngot  %s\nwant %s", there, want)
			}
			if back := convert(t, c, there, test.from); !sameJSON(t, back, source) {
				t.Errorf("it comes back as %s", back)
			}
		})
	}
}
