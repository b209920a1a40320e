package patch

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

func pick(r *rand.Rand, from ...string) string { return from[r.IntN(len(from))] }

// names hold what pointers and strings escape.
func name(r *rand.Rand) string {
	return pick(r, "a", "b", "c", "spec", "name", "", "~", "/", "~1", "a/b", "é", "\"", "\\", "\n", "0", "1", "-", "key with spaces")
}

// generate makes a value as encoding/json decodes one with UseNumber.
func generate(r *rand.Rand, depth int) any {
	switch n := r.IntN(12); {
	case n < 4 && depth > 0:
		object := map[string]any{}
		for range r.IntN(6) {
			object[name(r)] = generate(r, depth-1)
		}
		if r.IntN(40) == 0 {
			for i := range 40 {
				object[fmt.Sprint("k", i)] = i
			}
		}
		return object
	case n < 7 && depth > 0:
		var list = []any{}
		for range r.IntN(8) {
			list = append(list, generate(r, depth-1))
		}
		return list
	case n < 9:
		return json.Number(pick(r, "0", "1", "2", "-1", "1.5", "9007199254740993", "9223372036854775807", "1e3", "0.1"))
	case n < 10:
		return nil
	case n < 11:
		return r.IntN(2) == 0
	}
	return pick(r, "", "x", "a longer string that costs something", "<é>", "\"quoted\"", "~/")
}

// edit gives a value that differs here and there, as a mutation does.
func edit(r *rand.Rand, value any, depth int) any {
	if r.IntN(12) == 0 {
		return generate(r, depth)
	}
	switch v := value.(type) {
	case map[string]any:
		object := map[string]any{}
		for key, member := range v {
			if r.IntN(10) > 0 {
				object[key] = edit(r, member, depth-1)
			}
		}
		if r.IntN(4) == 0 {
			object[name(r)] = generate(r, depth-1)
		}
		return object
	case []any:
		list := []any{}
		for _, element := range v {
			switch r.IntN(10) {
			case 0: // gone
			case 1:
				list = append(list, generate(r, depth-1), element)
			default:
				list = append(list, edit(r, element, depth-1))
			}
		}
		if len(list) > 1 && r.IntN(10) == 0 {
			r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		}
		return list
	}
	return value
}

// spell writes a value in one of the ways to write it.
func spell(r *rand.Rand, value any) string {
	space := func() string { return pick(r, "", "", "", " ", "\n\t") }
	switch v := value.(type) {
	case map[string]any:
		var members []string
		for key, member := range v { // in no order
			members = append(members, space()+spell(r, key)+space()+":"+space()+spell(r, member)+space())
		}
		return "{" + strings.Join(members, ",") + "}"
	case []any:
		var elements []string
		for _, element := range v {
			elements = append(elements, space()+spell(r, element)+space())
		}
		return "[" + strings.Join(elements, ",") + "]"
	case string:
		plain, _ := json.Marshal(v)
		text := string(plain)
		if r.IntN(4) == 0 {
			text = strings.NewReplacer("/", `\/`, "é", `\u00e9`, "~", `\u007e`, "a", `\u0061`).Replace(text)
		}
		return text
	case json.Number:
		switch string(v) {
		case "1":
			return pick(r, "1", "1.0", "10e-1")
		case "0":
			return pick(r, "0", "-0", "0.0e5")
		case "1e3":
			return pick(r, "1e3", "1000", "1E+3")
		}
		return string(v)
	}
	text, _ := json.Marshal(value)
	return string(text)
}

// TestLaws: a patch gives exactly what it should, equal documents have none, the
// same documents have the same, and it is never longer than one that replaces
// every member that differs.
func TestLaws(t *testing.T) {
	const pairs = 3_000
	r := rand.New(rand.NewPCG(1, 2))
	empty := 0
	var d Differ
	for range pairs {
		var before any = generate(r, 5)
		if r.IntN(2) == 0 {
			before = map[string]any{"metadata": generate(r, 3), "spec": before}
		}
		after := edit(r, before, 4)
		from, to := spell(r, before), spell(r, after)
		patch, err := Diff(nil, []byte(from), []byte(to))
		if err != nil {
			t.Fatal(err)
		}
		mustGive(t, from, patch, to)
		if again, err := d.Diff(nil, []byte(from), []byte(to)); err != nil || string(again) != string(patch) {
			t.Errorf("%s, then %s, %v", patch, again, err)
		}
		if none, err := Diff(nil, []byte(to), []byte(spell(r, after))); err != nil || len(none) > 0 {
			t.Errorf("%s for equal documents, %v", none, err)
		}
		if simple := replaceAll(before, after, to); len(patch) > simple {
			t.Errorf("%d bytes, want %d at most: %s\nfrom %s\n  to %s", len(patch), simple, patch, from, to)
		}
		if len(patch) == 0 {
			empty++
		}
		if t.Failed() {
			return
		}
	}
	if empty < pairs/100 || empty > pairs*9/10 {
		t.Errorf("%d of %d pairs were equal: they test little", empty, pairs)
	}
}

// replaceAll is the length of the simplest patch: one operation for every member
// of the root that differs.
func replaceAll(before, after any, to string) int {
	from, ok := before.(map[string]any)
	target, fine := after.(map[string]any)
	if !ok || !fine {
		return 1 << 40 // lists at the root are not what an object is
	}
	length := len("[]")
	escape := strings.NewReplacer("~", "~0", "/", "~1")
	path := func(key string) int {
		text, _ := json.Marshal("/" + escape.Replace(key))
		return len(text) - 2
	}
	for key := range from {
		if _, stays := target[key]; !stays {
			length += removeLength + path(key)
		}
	}
	var raw map[string]json.RawMessage
	_ = json.Unmarshal([]byte(to), &raw) // it was decoded before
	for key, value := range target {
		old, known := from[key]
		if !known || !equal(old, value) {
			length += replaceLength + path(key) + len(raw[key])
		}
	}
	return length
}

// TestEditsAreSmall: what a typical mutation of an object costs.
func TestEditsAreSmall(t *testing.T) {
	object := `{"apiVersion":"v1","kind":"Pod","metadata":{"labels":{"app":"a"},"name":"n"},"spec":{"containers":[` +
		`{"name":"a","image":"registry.example.com/team/a:1","env":[{"name":"A","value":"1"},{"name":"B","value":"2"}]},` +
		`{"name":"b","image":"registry.example.com/team/b:1"}],"volumes":[]}}`
	edited := strings.NewReplacer(`"app":"a"`, `"app":"a","team":"t"`, `{"name":"B","value":"2"}`, `{"name":"AA","value":"0"},{"name":"B","value":"2"}`,
		`b:1"`, `b:1","imagePullPolicy":"Always"`).Replace(object)
	got, err := Diff(nil, []byte(object), []byte(edited))
	want := `[{"op":"add","path":"/metadata/labels/team","value":"t"},` +
		`{"op":"add","path":"/spec/containers/0/env/1","value":{"name":"AA","value":"0"}},` +
		`{"op":"add","path":"/spec/containers/1/imagePullPolicy","value":"Always"}]`
	if err != nil || string(got) != want {
		t.Errorf("\n got %s, %v\nwant %s", got, err, want)
	}
}
