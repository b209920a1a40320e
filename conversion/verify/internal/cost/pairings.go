package cost

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
)

// pairing is a field that grows in objects of one version, and a place of another version that
// forged stashes are about. Usually the two correspond.
type pairing struct {
	subject  subject
	from, to string
	// before and after are the text around the elements. equal is one of many equal elements, and
	// distinct one of many different ones.
	before, equal, distinct, after string
	// about is the place in the other version, key the member that identifies its elements, and
	// inside another member.
	about       []string
	key, inside string
	law         Law
}

// subjects are the tables that families are made for.
type subjects struct {
	star, autoscaler, crontab, keyed subject
}

// readSubjects compiles the tables of the examples, a folder each, and one more.
func readSubjects(examples fs.FS) (all subjects, err error) {
	for name, into := range map[string]*subject{"star": &all.star, "horizontalpodautoscaler": &all.autoscaler, "crontab": &all.crontab} {
		var texts [2][]byte
		for i, file := range []string{"crd.yaml", "crosswalk.yaml"} {
			if texts[i], err = fs.ReadFile(examples, path.Join(name, file)); err != nil {
				return all, err
			}
		}
		if *into, err = readSubject(name, texts[0], texts[1]); err != nil {
			return all, err
		}
	}
	all.keyed, err = written("keyed", "args: {type: object, additionalProperties: {type: string}}, b: {type: string}",
		"args: {type: array, items: {type: object, properties: {name: {type: string}, value: {type: string}, more: {type: string}}}}, h: {type: string}",
		"[{spoke: .spec.args, hub: .spec.args, keyed: {key: name, value: value}}]")
	return all, err
}

func (s subjects) pairings() []pairing {
	return []pairing{
		{
			subject: s.keyed, from: "v1beta1", to: "v1", before: `"spec":{"args":{`, equal: `"a%d":""`, distinct: `"a%[1]d":"%[1]d"`, after: "}}",
			about: []string{"spec", "args"}, key: "name", inside: "more", law: Ordinary(),
		},
		{
			subject: s.keyed, from: "v1", to: "v1beta1", before: `"spec":{"args":[`, equal: `{"name":"a","value":"b"}`, distinct: `{"name":"a%d"}`, after: "]}",
			about: []string{"spec", "args"}, key: "name", inside: "more", law: Ordinary(),
		},
		{
			subject: s.star, from: "v1", to: "v1alpha1", before: `"spec":{"task":{"env":[`, equal: `{"name":"a"}`, distinct: `{"name":"a%d"}`, after: "]}}",
			about: []string{"spec", "env"}, key: "name", inside: "value", law: Ordinary(),
		},
		{
			subject: s.star, from: "v1alpha1", to: "v1", before: `"spec":{"hooks":[`, equal: `{"run":"a"}`, distinct: `{"name":"a%d"}`, after: "]}",
			about: []string{"spec", "steps"}, key: "name", inside: "onFailure", law: Ordinary(),
		},
		{
			subject: s.autoscaler, from: "v2", to: "v2beta1", before: `"spec":{"minReplicas":1,"metrics":[`, equal: `{"type":"Pods"}`, distinct: `{"type":"Pods","pods":{"metric":{"name":"a%d"}}}`, after: "]}",
			about: []string{"spec", "metrics"}, key: "type", inside: "type", law: Computed(),
		},
		{
			subject: s.autoscaler, from: "v2", to: "v1", before: `"spec":{"minReplicas":1,"metrics":[`, equal: `{"type":"Pods"}`, distinct: `{"type":"Resource","resource":{"name":"a%d"}}`, after: "]}",
			about: []string{"spec", "metrics"}, key: "type", inside: "type", law: Ordinary(),
		},
	}
}

// forgedFamilies returns families of objects with a stash that no conversion has written, for each way to
// fill one: as a stash of this table beside equal elements, and as a stash of another table beside
// different ones.
func (p pairing) forgedFamilies() ([]Family, error) {
	own := p.subject.mark(p.to, p.from)
	if own == "" {
		return nil, fmt.Errorf("%s: nothing is kept of %s in %s", p.subject.name, p.to, p.from)
	}
	var all []Family
	fills := forgeries()
	marks := [2][2]string{{own, "this table"}, {otherTable, "another table"}}
	elements := [2][2]string{{p.equal, "equal elements"}, {p.distinct, "distinct elements"}}
	for i, what := range slices.Sorted(maps.Keys(fills)) {
		for j, mark := range marks {
			element := elements[(i+j)%2]
			all = append(all, Family{
				Name:      fmt.Sprintf("%s from %s to %s: %s, %s of %s", p.subject.name, p.from, p.to, element[1], what, mark[1]),
				Converter: p.subject, To: p.to, Size: 300_000, Law: p.law, group: what,
				Object: func(size int) []byte {
					f := forger{key: p.key, inside: p.inside, room: min(size/3, maxStash)}
					for _, name := range p.about {
						f.at = append(f.at, step(name))
					}
					annotations := map[string]string{stash.Prefix + p.to: kept(mark[0], fills[what](f))}
					return p.subject.object(p.from, repeated(p.before, element[0], p.after, size-size/3), annotations)
				},
			})
		}
	}
	return all, nil
}

// returnedSize is the size of objects that have come from another version, so that their stash just
// fits.
const returnedSize = 125_000

// returnedFamilies returns families of objects that have come from another version with a stash, and of the
// same objects with the mark of another table in the stash.
func (p pairing) returnedFamilies() []Family {
	var all []Family
	for _, kind := range []string{"equal", "distinct"} {
		element := map[string]string{"equal": p.equal, "distinct": p.distinct}[kind]
		for _, whose := range []string{"this table", "another table"} {
			all = append(all, Family{
				Name:      fmt.Sprintf("%s back from %s to %s: %s elements, kept of %s", p.subject.name, p.to, p.from, kind, whose),
				Converter: p.subject, To: p.from, Size: returnedSize, Law: p.law, group: "kept " + whose,
				Object: func(size int) []byte {
					there, err := p.subject.Convert(nil, p.subject.object(p.from, repeated(p.before, element, p.after, size), nil), p.to)
					if err != nil {
						panic(err) // the object is well-formed
					}
					if whose == "another table" {
						return withMark(there, stash.Prefix+p.from, otherTable)
					}
					return there
				},
			})
		}
	}
	return all
}

// withMark returns an object with another mark in a stash, if it has that stash.
func withMark(object []byte, name, mark string) []byte {
	var o map[string]json.RawMessage
	var meta map[string]any
	_ = json.Unmarshal(object, &o) // a conversion has written it
	_ = json.Unmarshal(o["metadata"], &meta)
	annotations, _ := meta["annotations"].(map[string]any)
	was, _ := annotations[name].(string)
	entries, _, err := stash.Read(nil, []byte(was))
	if err != nil {
		return object
	}
	annotations[name] = kept(mark, entries)
	o["metadata"], _ = json.Marshal(meta)
	out, _ := json.Marshal(o)
	return out
}
