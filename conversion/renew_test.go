package conversion_test

import (
	"fmt"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/crosswalk-dev/crosswalk/conversion"
)

// renewals are a table, one that came after it, and the text of an object with n elements
// in every kind of list, of which v1beta1 has something that v1 has not.
func renewals(t testing.TB, n int) (earlier, today *conversion.Converter, object string) {
	lists := func(fields, more string) string {
		items := "items: {type: object, properties: {name: {type: string}, state: {type: string}" + fields + "}}"
		return spec("keyed: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [name], " + items + "}, loose: {type: array, " + items + "}, map: {type: object, additionalProperties" + strings.TrimPrefix(items, "items") + "}" + more)
	}
	const row = `{spoke: .state, hub: .state, values: {"on": up, "off": down, paused: down}, inverse: {down: "off"}}`
	const rows = `[{spoke: .spec.keyed, hub: .spec.keyed, each: {key: name, rows: [` + row + `]}},
		{spoke: .spec.loose, hub: .spec.loose, each: {rows: [` + row + `]}}, {spoke: .spec.map, hub: .spec.map, each: {rows: [` + row + `]}}]`
	const own = ", own: {type: integer}"
	earlier = compiled(t, lists(own, ""), lists("", ""), rows)
	today = compiled(t, lists(own, ", since: {type: string}"), lists("", ""), rows)
	var elements, values []string
	for i := range n {
		element := fmt.Sprintf(`{"name":"n%d","state":"paused","own":%d}`, i, i)
		elements, values = append(elements, element), append(values, fmt.Sprintf(`"n%d":%s`, i, element))
	}
	list := strings.Join(elements, ",")
	return earlier, today, thing("v1beta1", `"spec":{"keyed":[`+list+`],"loose":[`+list+`],"map":{`+strings.Join(values, ",")+`}}`)
}

// TestRenewWithoutTrials: a table that changed elsewhere takes what was kept over as it
// is, and that costs no more than the way to the owner and back.
func TestRenewWithoutTrials(t *testing.T) {
	earlier, today, object := renewals(t, 20)
	stored := convert(t, earlier, object, "v1")
	if back := strip(t, convert(t, today, stored, "v1beta1")); !sameJSON(t, back, object) {
		t.Errorf("it came back as %s", back)
	}
	if took := today.BytesToRenew([]byte(stored), "v1"); took > 2*len(stored) {
		t.Errorf("for an object of %d bytes %d bytes are converted", len(stored), took)
	}
}

// TestRenewIsBounded: whatever a stash of another table says, no more than a bounded
// number of trials is made of it, and the fewer the longer the object is. To tell elements
// apart in lists in lists is work of each trial, too.
func TestRenewIsBounded(t *testing.T) {
	items := ": {type: array, items: {type: object, properties: {name: {type: string}}}}"
	beta, v1 := spec("keyed"+items+", route: "+nestedRoutes("to", "routes", 1, true)), spec("keyed"+items+", tree: "+nestedRoutes("receiver", "children", 1, true))
	c, err := tabled(t, beta, v1, `tables: {route: [{spoke: .to, hub: .receiver}, {spoke: .rp}, {spoke: .routes, hub: .children, each: {table: route}}]},
		rows: [{spoke: .spec.route, hub: .spec.tree, table: route}, {spoke: .spec.keyed, hub: .spec.keyed, each: {key: name, unique: true}}]`)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ elements, depth, least int }{{200, 1, 8}, {2000, 1, 8}, {200, 1000, 64}} {
		var elements []string
		var entries strings.Builder // each would take a key away, which is tried by halves
		for i := range test.elements {
			elements = append(elements, fmt.Sprintf(`{"name":"n%d"}`, i))
			fmt.Fprintf(&entries, `{\"at\":[\"spec\",\"keyed\",{\"key\":{\"name\":\"n%d\"}},\"name\"]},`, i)
		}
		route := `{"to":"a"}`
		for i := range test.depth {
			own := ""
			if i == max(0, test.depth-50) {
				own = `"rp":"x",` // its address leads through 50 lists at most
			}
			route = `{"to":"a",` + own + `"routes":[` + route + `]}`
		}
		stored := convert(t, c, thing("v1beta1", `"spec":{"route":`+route+`,"keyed":[`+strings.Join(elements, ",")+`]}`), "v1")
		attack := regexp.MustCompile(`\\"table\\":\\"[^"]*\\",\\"entries\\":\[`).ReplaceAllLiteralString(stored, `\"table\":\"AAAAAAAA\",\"entries\":[`+entries.String())
		took, most := c.BytesToRenew([]byte(attack), "v1"), 64*min(len(attack), 256<<10)+40*len(attack) // what is under way is ended
		if took < test.least*len(attack) || took > most {
			t.Errorf("%+v: for an object of %d bytes it takes %d, and it should be %d at most", test, len(attack), took, most)
		}
	}
}

// TestRenewLongAddresses: what is made of an address of many steps is work that grows with
// their number alone, and that counts among what is done to renew the object.
func TestRenewLongAddresses(t *testing.T) {
	c := compiled(t, spec(""), spec("open: {type: object, x-kubernetes-preserve-unknown-fields: true}"), "[]")
	for _, test := range []struct{ entries, steps int }{{1, 4000}, {100, 100}, {400, 20}, {800, 8}} {
		var entries []string
		for i := range test.entries {
			entries = append(entries, fmt.Sprintf(`{\"at\":[\"spec\",\"open\",\"k%d\"%s],\"value\":1}`, i, strings.Repeat(`,\"a\"`, test.steps)))
		}
		attack := thing("v1beta1", `"metadata":{"annotations":{"stash.crosswalk.dev/v1":"{\"format\":1,\"table\":\"AAAAAAAA\",\"entries\":[`+strings.Join(entries, ",")+`]}"}},"spec":{}`)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		counted := c.BytesToRenew([]byte(attack), "v1beta1")
		runtime.ReadMemStats(&after)
		if made := int(after.TotalAlloc - before.TotalAlloc); made > 200*counted {
			t.Errorf("%+v: for an object of %d bytes, %d are counted and %d allocated", test, len(attack), counted, made)
		}
		if now := convert(t, c, attack, "v1"); strings.Count(now, `"a":1}`) != test.entries {
			t.Errorf("%+v: %d of the entries have come to stand", test, strings.Count(now, `"a":1}`))
		}
	}
}

// BenchmarkRenew is what an object costs of which a stash was written by another table,
// beside one of this table.
func BenchmarkRenew(b *testing.B) {
	earlier, today, object := renewals(b, 3)
	for name, by := range map[string]*conversion.Converter{"today": today, "earlier": earlier} {
		b.Run(name, func(b *testing.B) {
			stored := []byte(convert(b, by, object, "v1"))
			var out []byte
			b.SetBytes(int64(len(stored)))
			b.ReportAllocs()
			for b.Loop() {
				var err error
				if out, err = today.Convert(out[:0], stored, "v1beta1"); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
