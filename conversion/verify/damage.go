package verify

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// Damage is a change of a stash while the object is in another version. It is plain data, and
// the same damage to the same text gives the same text.
type Damage struct {
	// Kind is the kind of change; see damages.
	Kind string `json:"kind"`
	// Stash is the name of the annotation.
	Stash string `json:"stash"`
	// At chooses the byte, the member or the entry, modulo their number.
	At int `json:"at,omitempty"`
	// With is what is written there: JSON, or a whole stash.
	With string `json:"with,omitempty"`
}

// damages returns the ways to damage or forge a stash by their names. Each returns false if the
// stash has nothing that it could change.
func damages() map[string]func(text string, d *Damage) (string, bool) {
	return map[string]func(string, *Damage) (string, bool){
		// The result is not a stash, or may not be one.
		"truncated": func(text string, d *Damage) (string, bool) {
			runes := []rune(text)
			return string(runes[:d.At%len(runes)]), true
		},
		"character flipped": func(text string, d *Damage) (string, bool) {
			runes := []rune(text)
			r := &runes[d.At%len(runes)]
			*r ^= 1 << (d.At / len(runes) % 7)
			return string(runes), utf8.ValidRune(*r)
		},
		"text behind it": func(text string, d *Damage) (string, bool) { return text + d.With, d.With != "" },
		"another text":   func(_ string, d *Damage) (string, bool) { return d.With, true },
		"other format": onTree(func(v *tree.Value, d *Damage) bool {
			return v.Put(tree.Names("format"), d.value())
		}),
		"member lost": onTree(func(v *tree.Value, d *Damage) bool {
			v.Members = slices.Delete(v.Members, d.At%len(v.Members), d.At%len(v.Members)+1)
			return true
		}),
		"wrong type": onTree(func(v *tree.Value, d *Damage) bool {
			var paths []tree.Path
			v.Walk(func(p tree.Path, _ *tree.Value) { paths = append(paths, p) })
			return v.Put(paths[d.At%len(paths)], d.value())
		}),
		"member twice": onTree(func(v *tree.Value, d *Damage) bool {
			var objects []*tree.Value
			v.Walk(func(_ tree.Path, v *tree.Value) {
				if len(v.Members) > 0 {
					objects = append(objects, v)
				}
			})
			o := objects[d.At%len(objects)]
			o.Members = append(o.Members, o.Members[d.At/len(objects)%len(o.Members)])
			return true
		}),

		// The result is a stash with other content.
		"spaced": func(text string, _ *Damage) (string, bool) {
			var spaced bytes.Buffer
			if json.Indent(&spaced, []byte(text), " ", "\t") != nil {
				return "", false
			}
			return "\n" + spaced.String() + " \t", true
		},
		"stale":       func(_ string, d *Damage) (string, bool) { return d.With, d.With != "" },
		"other owner": func(_ string, d *Damage) (string, bool) { return d.With, d.With != "" },
		"other table": onTree(func(v *tree.Value, d *Damage) bool {
			return v.Put(tree.Names("table"), d.value())
		}),
		"no table": onTree(func(v *tree.Value, _ *Damage) bool {
			v.Set("table", nil)
			return true
		}),
		"entries turned round": onEntries(func(entries []*tree.Value, _ *Damage) bool {
			slices.Reverse(entries)
			return len(entries) > 1
		}),
		"entries swapped": onEntries(func(entries []*tree.Value, d *Damage) bool {
			a, b := entries[d.At%len(entries)], entries[(d.At+1)%len(entries)]
			at := a.Get("at")
			a.Set("at", b.Get("at"))
			b.Set("at", at)
			return len(entries) > 1
		}),
		"entry twice": onTree(func(v *tree.Value, d *Damage) bool {
			list := v.Get("entries")
			if list == nil || len(list.Items) == 0 {
				return false
			}
			again := list.Items[d.At%len(list.Items)].Clone()
			list.Items = slices.Insert(list.Items, d.At/len(list.Items)%(len(list.Items)+1), again)
			return again.Get("order") == nil && put(again, "value", d)
		}),
		"entry of another table": onTree(func(v *tree.Value, d *Damage) bool {
			list := v.Get("entries")
			if list == nil || len(list.Items) == 0 {
				return false
			}
			at := list.Items[d.At%len(list.Items)].Get("at").Clone()
			if at == nil || len(at.Items) == 0 {
				return false
			}
			at.Items = at.Items[:1+d.At/len(list.Items)%len(at.Items)]
			list.Items = append(list.Items, tree.NewObject(tree.Member{Name: "at", Value: at}, tree.Member{Name: "value", Value: d.value()}, tree.Member{Name: "table", Value: tree.NewString("AAAAAAAA.v1")}))
			return true
		}),
		"entry moved": onEntry(func(e *tree.Value, d *Damage) bool { return put(e, "at", d) }),
		"address forged": onEntry(func(e *tree.Value, d *Damage) bool {
			for _, step := range e.Get("at").Items {
				if step.Kind == tree.Object {
					first := &step.Members[0]
					if first.Value.Kind == tree.Object {
						first = &first.Value.Members[0]
					}
					first.Value = d.value()
					return true
				}
			}
			return false
		}),
		"guard forged": onEntry(func(e *tree.Value, d *Damage) bool { return e.Get("guard") != nil && put(e, "guard", d) }),
		"guard lost": onEntry(func(e *tree.Value, _ *Damage) bool {
			guarded := e.Get("guard") != nil
			e.Set("guard", nil)
			return guarded
		}),
		"guard added": onEntry(func(e *tree.Value, d *Damage) bool {
			return e.Get("guard") == nil && e.Get("order") == nil && put(e, "guard", d)
		}),
		"value forged": onEntry(func(e *tree.Value, d *Damage) bool {
			if d.With == "" {
				e.Set("value", nil)
				return e.Get("order") == nil
			}
			return e.Get("order") == nil && put(e, "value", d)
		}),
		"order forged": onEntry(func(e *tree.Value, d *Damage) bool {
			order := e.Get("order")
			if order == nil {
				return false
			}
			whole := tree.NewObject(tree.Member{Name: "value", Value: d.value()})
			order.Items = slices.Insert(order.Items, d.At%(len(order.Items)+1), whole)
			return true
		}),
	}
}

// onTree applies a change to the parsed stash.
func onTree(damage func(*tree.Value, *Damage) bool) func(string, *Damage) (string, bool) {
	return func(text string, d *Damage) (string, bool) {
		v, err := tree.Parse([]byte(text))
		if err != nil || !damage(v, d) {
			return "", false
		}
		return v.String(), true
	}
}

// onEntries applies a change to the list of entries.
func onEntries(damage func([]*tree.Value, *Damage) bool) func(string, *Damage) (string, bool) {
	return onTree(func(v *tree.Value, d *Damage) bool {
		// A converter under test may have written a stash of any form.
		entries := v.Get("entries")
		return entries != nil && len(entries.Items) > 0 && damage(entries.Items, d)
	})
}

// onEntry applies a change to one entry.
func onEntry(damage func(*tree.Value, *Damage) bool) func(string, *Damage) (string, bool) {
	return onEntries(func(entries []*tree.Value, d *Damage) bool { return damage(entries[d.At%len(entries)], d) })
}

// value returns With as JSON, or null if it is not JSON.
func (d *Damage) value() *tree.Value {
	v, err := tree.Parse([]byte(d.With))
	if err != nil {
		return tree.NewNull()
	}
	return v
}

// put sets a member, and reports whether that changes the value.
func put(to *tree.Value, name string, d *Damage) bool {
	was := to.Get(name)
	to.Set(name, d.value())
	return !tree.Equal(was, to.Get(name))
}

func (d *Damage) String() string {
	return fmt.Sprintf("%s of %s (at %d with %s)", d.Kind, d.Stash, d.At, d.With)
}

// apply changes a stash. It returns false if there is nothing to change.
func (d *Damage) apply(text string) (string, bool) {
	damaged, ok := damages()[d.Kind](text, d)
	return damaged, ok && damaged != text
}

// damage makes a damage of a kind for one of the stashes of a view.
func (g *generator) damage(kind string, stashes map[string]string, name string, values []*tree.Value) *Damage {
	d := &Damage{Kind: kind, Stash: name, At: g.Rand.IntN(1 << 16)}
	choose := func(texts ...string) string { return texts[g.Rand.IntN(len(texts))] }
	switch kind {
	case "text behind it":
		d.With = choose("x", "{}", "null", `{"format":1,"entries":[]}`, "\x00")
	case "another text":
		d.With = choose("", "{}", "[]", "null", "1", `"`, "\x00", "{", `{"format":1}`, `{"format":1,"entries":[]}`, `{"format":1,"entries":{}}`, `{"format":99,"entries":[]}`, `{"entries":[]}`,
			`{"format":1,"entries":[null]}`, `{"format":1,"entries":[{}]}`, `{"format":1,"entries":[{"at":[]}]}`, strings.Repeat("[", 10_001), strings.Repeat("9", 200_000))
	case "other format":
		d.With = choose("0", "2", "-1", "1.0", "1e0", `"1"`, "null", "[1]", "{}", "true", "11", "100000000000000000000")
	case "other owner":
		for other, text := range stashes {
			if other != name {
				d.With = text
			}
		}
	case "other table", "guard forged", "guard added":
		d.With = choose(`""`, `"AAAAAAAA"`, `"AAAAAAAAAAAAAAAA"`, `"é"`)
	case "entry moved":
		d.With = g.address(values)
	default:
		d.With = g.forgedValue(values).String()
		if kind == "value forged" && g.Chance(10) {
			d.With = ""
		}
	}
	return d
}

// forgedValue returns a value that an attacker might write.
func (g *generator) forgedValue(values []*tree.Value) *tree.Value {
	switch n := g.Rand.IntN(100); {
	case n == 0:
		deep := tree.NewList()
		for range []int{9_000, 9_999}[g.Rand.IntN(2)] {
			deep = tree.NewList(deep)
		}
		return deep
	case n == 1:
		return tree.NewString(strings.Repeat("forged ", 25_000))
	case n < 27 && len(values) > 0:
		return values[g.Rand.IntN(len(values))] // a value of the object itself fits somewhere
	case n < 37 && len(g.Hints) > 0:
		return g.Hints[g.Rand.IntN(len(g.Hints))]
	case n < 50:
		return tree.NewString("forged")
	case n < 60:
		return tree.NewNumber("7")
	case n < 65:
		return tree.NewBool(true)
	case n < 72:
		return tree.NewObject()
	}
	return g.wrong()
}

// address returns an address that may lead to a field of the object.
func (g *generator) address(values []*tree.Value) string {
	steps := []string{`"spec"`, `"status"`, `"metadata"`, `"annotations"`, `"labels"`, `"name"`, `"kind"`, `""`, `{"key":{}}`, `{"key":{"name":"a"}}`,
		`{"content":"AAAAAAAAAAAAAAAA","nth":0}`, `{"content":"","nth":99999999999}`, `{"part":"a"}`, `{"part":"a","key":{}}`, `{"content":"x","nth":-1}`, "null", "[]"}
	for _, v := range values {
		for _, m := range v.Members {
			steps = append(steps, string(tree.AppendString(nil, m.Name)))
		}
	}
	at := []string{steps[g.Rand.IntN(3)]}
	for range g.Rand.IntN(5) {
		at = append(at, steps[g.Rand.IntN(len(steps))])
	}
	return "[" + strings.Join(at, ",") + "]"
}
