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

// TestRenewIsBounded: whatever a stash of another table says, no more is tried of it than
// there is room for, and the rest is counted. To tell elements apart in lists in lists is
// work of each trial, too.
func TestRenewIsBounded(t *testing.T) {
	items := ": {type: array, items: {type: object, properties: {name: {type: string}}}}"
	beta, v1 := spec("keyed"+items+", route: "+nestedRoutes("to", "routes", 1, true)), spec("keyed"+items+", tree: "+nestedRoutes("receiver", "children", 1, true))
	c, err := tabled(t, beta, v1, `tables: {route: [{spoke: .to, hub: .receiver}, {spoke: .rp}, {spoke: .routes, hub: .children, each: {table: route}}]},
		rows: [{spoke: .spec.route, hub: .spec.tree, table: route}, {spoke: .spec.keyed, hub: .spec.keyed, each: {key: name, unique: true}}]`)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ elements, depth int }{{200, 1}, {2000, 1}, {200, 1000}} {
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
		room := max(256<<10, 4*len(attack))
		// What is under way is ended: a conversion, and all that it makes up.
		if took, most := c.BytesToRenew([]byte(attack), "v1"), room+20*len(attack); took < room || took > most {
			t.Errorf("%+v: for an object of %d bytes it takes %d, and it should be %d to %d", test, len(attack), took, room, most)
		}
		var notes conversion.Notes
		if _, err := c.ConvertNoting(nil, []byte(attack), "v1beta1", &notes); err != nil || notes.Unplaced == 0 || notes.Unplaced > test.elements+1 {
			t.Errorf("%+v: %d entries are unplaced, %v", test, notes.Unplaced, err)
		}
	}
}

// open is a table of three versions of which v1beta1 holds anything, and the hub, v1, nothing, and the
// text of an object of v1 with many entries that another table kept for v1beta1.
func open(t *testing.T, entries, steps int) (c *conversion.Converter, stored, stash string) {
	t.Helper()
	anything := spec("open: {type: object, x-kubernetes-preserve-unknown-fields: true}")
	crosswalk := table(t, "[]")
	crosswalk.Spec.Versions = append(crosswalk.Spec.Versions, crosswalk.Spec.Versions[0])
	crosswalk.Spec.Versions[1].Name = "v1alpha1"
	c, err := conversion.Compile(versions(t, map[string]string{"v1alpha1": spec(""), "v1beta1": anything, "v1": spec("")}), crosswalk)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for i := range entries {
		all = append(all, fmt.Sprintf(`{\"at\":[\"spec\",\"open\",\"k%d\"%s],\"value\":1}`, i, strings.Repeat(`,\"a\"`, steps)))
	}
	stash = `"stash.crosswalk.dev/v1beta1":"{\"format\":1,\"table\":\"AAAAAAAA\",\"entries\":[` + strings.Join(all, ",") + `]}"`
	return c, thing("v1", `"metadata":{"annotations":{`+stash+`}},"spec":{}`), stash
}

// TestRenewLeavesTheRest: entries that there is no room to try are counted and stay, word
// for word, on every way but the one to their own version, whose view lacks them.
func TestRenewLeavesTheRest(t *testing.T) {
	for _, test := range []struct{ entries, steps, unplaced int }{{200, 8, 0}, {2000, 8, 2000}} {
		c, stored, stash := open(t, test.entries, test.steps)
		to := func(object, version string) string {
			var notes conversion.Notes
			out, err := c.ConvertNoting(nil, []byte(object), version, &notes)
			if err != nil || notes.Unplaced != test.unplaced {
				t.Errorf("%+v: to %s %d entries are unplaced, %v", test, version, notes.Unplaced, err)
			}
			return string(out)
		}
		alpha := to(stored, "v1alpha1")
		again := to(alpha, "v1")
		for version, object := range map[string]string{"v1alpha1": alpha, "v1": again} {
			if strings.Contains(object, stash) != (test.unplaced > 0) {
				t.Errorf("%+v: in %s there is %.200s", test, version, object)
			}
		}
		for _, object := range []string{stored, again} {
			beta := convert(t, c, object, "v1beta1")
			if n := strings.Count(beta, `"a":1}`); n != test.entries-test.unplaced || strings.Contains(beta, "stash") {
				t.Errorf("%+v: v1beta1 has %d values: %.200s", test, n, beta)
			}
		}
	}
}

// TestRenewLongAddresses: what is made of an address of many steps is work that grows with
// their number alone, and that counts among what is done to renew the object.
func TestRenewLongAddresses(t *testing.T) {
	c := compiled(t, spec(""), spec("open: {type: object, x-kubernetes-preserve-unknown-fields: true}"), "[]")
	for _, test := range []struct{ entries, steps int }{{1, 4000}, {60, 60}, {200, 20}, {300, 8}} {
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
