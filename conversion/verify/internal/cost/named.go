package cost

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
)

// namedFamilies returns families of single objects that once cost too much, or that could.
func (s subjects) namedFamilies() ([]Family, error) {
	all, err := s.forgedByHand()
	if err != nil {
		return nil, err
	}
	all = append(all, s.plain()...)
	for _, more := range []func() ([]Family, error){textRows, mappings} {
		families, err := more()
		if err != nil {
			return nil, err
		}
		all = append(all, families...)
	}
	return all, nil
}

// forgedByHand returns families with forged stashes that were found by hand.
func (s subjects) forgedByHand() ([]Family, error) {
	mark := s.keyed.mark("v1", "v1beta1")
	if mark == "" {
		return nil, errors.New("keyed: nothing is kept of v1 in v1beta1")
	}
	args := []stash.Step{step("spec"), step("args")}
	newArgument := func(n int) stash.Entry {
		return stash.Entry{At: args, Order: []stash.Item{{Value: fmt.Appendf(nil, `{"name":"new%d"}`, n)}}}
	}
	repeatedly := func(n int, entry func(n int) stash.Entry) (entries []stash.Entry) {
		for i := range n {
			entries = append(entries, entry(i))
		}
		return entries
	}
	members := func(size int) string { return repeated(`"spec":{"args":{`, `"a%d":""`, "}}", size) }
	keyed := func(name, mark string, size int, entries func(size int) []stash.Entry) Family {
		return Family{Name: name, Converter: s.keyed, To: "v1", Size: size, Law: Ordinary(), Object: func(size int) []byte {
			text := kept(mark, entries(size))
			return s.keyed.object("v1beta1", members(size-len(text)), map[string]string{stash.Prefix + "v1": text})
		}}
	}
	metrics := func(n int) stash.Entry {
		return stash.Entry{At: []stash.Step{step("spec"), step("metrics"), {Content: []byte("abcdefghijk"), Nth: n}, step("type")}, Value: []byte(`"x"`)}
	}
	env := func(n int) stash.Entry {
		return stash.Entry{At: []stash.Step{step("spec"), step("env"), {Content: []byte("abcdefghijk"), Nth: 0, Live: fmt.Appendf(nil, "hash.a%d", n)}, step("value")}, Value: []byte(`"x"`)}
	}
	return []Family{
		keyed("keyed: 1,000 equal orders of another table", otherTable, 375_000, func(size int) []stash.Entry {
			return repeatedly(size/375, func(int) stash.Entry { return newArgument(0) })
		}),
		keyed("keyed: 100 distinct orders of another table", otherTable, 204_000, func(size int) []stash.Entry {
			return repeatedly(size/2040, newArgument)
		}),
		keyed("keyed: one order of 4,000 whole elements", mark, 300_000, func(size int) []stash.Entry {
			e := stash.Entry{At: args}
			for n := range size / 75 {
				e.Order = append(e.Order, stash.Item{Value: fmt.Appendf(nil, `{"name":"new%d"}`, n)})
			}
			return []stash.Entry{e}
		}),
		{
			Name: "horizontalpodautoscaler: 130 contents of another table", Converter: s.autoscaler, To: "v2beta1", Size: 330_000, Law: Computed(),
			Object: func(size int) []byte {
				text := kept(otherTable, repeatedly(size/2500, metrics))
				return s.autoscaler.object("v2", repeated(`"spec":{"minReplicas":1,"metrics":[`, `{"type":"Pods"}`, "]}", size-len(text)), map[string]string{stash.Prefix + "v2beta1": text})
			},
		},
		{
			Name: "horizontalpodautoscaler: stashes of three versions of another table", Converter: s.autoscaler, To: "v2beta1", Size: 221_000, Law: Computed(),
			Object: func(size int) []byte {
				text := kept(otherTable, repeatedly(size/5000, metrics))
				return s.autoscaler.object("v2", repeated(`"spec":{"minReplicas":1,"metrics":[`, `{"type":"Pods"}`, "]}", size-3*len(text)),
					map[string]string{stash.Prefix + "v2beta1": text, stash.Prefix + "v1": text, stash.Prefix + "v2beta2": text})
			},
		},
		{
			Name: "star: 1,000 contents of another table that lack a part each", Converter: s.star, To: "v1alpha1", Size: 301_000, Law: Ordinary(),
			Object: func(size int) []byte {
				text := kept(otherTable, repeatedly(size/301, env))
				return s.star.object("v1", repeated(`"spec":{"task":{"env":[`, `{"name":"a%d"}`, "]}}", size-len(text)), map[string]string{stash.Prefix + "v1alpha1": text})
			},
		},
	}, nil
}

// plain returns families without a stash.
func (s subjects) plain() []Family {
	family := func(name string, of subject, from, to string, size int, law Law, before, one, after string) Family {
		return Family{Name: of.name + ": " + name, Converter: of, To: to, Size: size, Law: law,
			Object: func(size int) []byte { return of.object(from, repeated(before, one, after, size), nil) }}
	}
	annotated := func(of subject, from, to string) Family {
		return Family{Name: of.name + ": annotations", Converter: of, To: to, Size: 200_000, Law: Ordinary(),
			Object: func(size int) []byte {
				all := map[string]string{}
				for n := range size / 20 {
					all[fmt.Sprintf("a%d", n)] = "b"
				}
				return of.object(from, `"spec":{}`, all)
			}}
	}
	nested := func(of subject, from, to string) Family {
		return Family{Name: of.name + ": deep unknown values", Converter: of, To: to, Size: 1_000_000, Law: Ordinary(),
			Object: func(size int) []byte {
				const depth = 4000
				one := strings.Repeat(`[`, depth) + strings.Repeat(`]`, depth)
				return of.object(from, repeated(`"spec":{`, `"u%d":`+one, "}", size), nil)
			}}
	}
	return []Family{
		family("minimal metrics", s.autoscaler, "v2", "v2beta1", 1_280_000, Computed(), `"spec":{"minReplicas":1,"metrics":[`, `{"type":"Pods"}`, "]}"),
		family("minimal metrics to v1", s.autoscaler, "v2", "v1", 1_280_000, Ordinary(), `"spec":{"minReplicas":1,"metrics":[`, `{"type":"Pods"}`, "]}"),
		family("empty metrics", s.autoscaler, "v2", "v2beta1", 300_000, Tiny(Computed()), `"spec":{"minReplicas":1,"metrics":[`, `{}`, "]}"),
		family("empty metrics back", s.autoscaler, "v2beta1", "v2", 300_000, Tiny(Computed()), `"spec":{"minReplicas":1,"metrics":[`, `{}`, "]}"),
		family("a long list that one version alone has", s.crontab, "v1", "v1beta1", 3_000_000, Tiny(Ordinary()), `"spec":{"notify":[`, `""`, "]}"),
		family("unknown fields", s.star, "v1", "v1alpha1", 1_000_000, Ordinary(), `"spec":{`, `"u%d":1`, "}"),
		family("variables", s.star, "v1", "v1alpha1", 1_000_000, Ordinary(), `"spec":{"task":{"env":[`, `{"name":"a%d","value":"b"}`, "]}}"),
		family("equal variables", s.star, "v1", "v1alpha1", 1_000_000, Ordinary(), `"spec":{"task":{"env":[`, `{"name":"a","secret":"b"}`, "]}}"),
		family("managed fields", s.star, "v1", "v1alpha1", 1_000_000, Ordinary(), `"managed":[`, `{"manager":"a%d"}`, "]"),
		annotated(s.star, "v1", "v1alpha1"),
		nested(s.star, "v1", "v1alpha1"),
	}
}

// inText returns .spec.a of an object.
func inText(object []byte) []byte {
	var o struct{ Spec struct{ A string } }
	_ = json.Unmarshal(object, &o) // it was written here
	return []byte(o.Spec.A)
}

// textRows returns families for rows that parse a text.
func textRows() ([]Family, error) {
	var all []Family
	for _, format := range []string{"yaml", "json"} {
		s, err := written("text: "+format, "a: {type: string}", "b: {type: object, x-kubernetes-preserve-unknown-fields: true}", "[{spoke: .spec.a, hub: .spec.b, text: "+format+"}]")
		if err != nil {
			return nil, err
		}
		law, ways := OneText(Ordinary()), map[string]func(size int) string{
			"members": func(size int) string { return repeated(`{`, `\"k%d\":0`, `}`, size) },
		}
		if format == "yaml" {
			law = YAMLText(law, inText)
			ways = map[string]func(size int) string{
				"flat members":  func(size int) string { return again(`k%d: 0\n`, "", size) },
				"many lists":    func(size int) string { return repeated("a: [", "[]", "]", size) },
				"flow maps":     func(size int) string { return repeated("a: [", "{b: 0}", "]", size) },
				"many anchors":  func(size int) string { return again(`k%[1]d: &a%[1]d {b: 0}\n`, "", size) },
				"many aliases":  func(size int) string { return `a: &a 0\n` + again(`k%d: *a\n`, "", size) },
				"long lines":    func(size int) string { return "a: " + strings.Repeat("b ", size/2) },
				"many comments": func(size int) string { return again(`# c\n`, "", size) + `a: 0\n` },
				"one map merged into a large one": func(size int) string {
					return `a: &a\n` + again(`  k%d: 0\n`, "", size/2) + `b:\n  <<: *a\n` + again(`  j%d: 0\n`, "", size/2)
				},
				"a chain of merges": func(size int) string {
					var b strings.Builder
					b.WriteString(`k0: &k0 {a0: 1}\n`)
					for n := 1; b.Len() < size; n++ {
						fmt.Fprintf(&b, `k%d: &k%d {<<: *k%d, a%[1]d: 1}\n`, n, n, n-1)
					}
					return b.String()
				},
				"merges in merges": func(size int) string {
					one := strings.Repeat("{k: 0, <<: ", 900) + "{}" + strings.Repeat("}", 900)
					return "[" + strings.Repeat(one+", ", max(size/len(one), 1)) + "0]"
				},
			}
		}
		for name, way := range ways {
			all = append(all, Family{Name: s.name + ": " + name, Converter: s, To: "v1", Size: 640_000, Law: law,
				Object: func(size int) []byte { return s.object("v1beta1", `"spec":{"a":"`+way(size)+`"}`, nil) }})
		}
	}
	return all, nil
}
