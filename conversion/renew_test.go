package conversion_test

import (
	"fmt"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion"
)

// renewedLists is a schema with every kind of list, with fields in their elements, and more beside them.
func renewedLists(fields, more string) string {
	items := "items: {type: object, properties: {name: {type: string}, state: {type: string}, mode: {type: string}" + fields + "}}"
	return spec("keyed: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [name], " + items + "}, loose: {type: array, " + items + "}, map: {type: object, additionalProperties" + strings.TrimPrefix(items, "items") + "}" + more)
}

// renewedRows are the rows for renewedLists, with one for the states of elements and one for
// their modes, so that what is kept of the one stands between what is kept of the other.
func renewedRows(values, inverse string) string {
	row := "{spoke: .state, hub: .state, values: {" + values + "}, inverse: {" + inverse + "}}"
	row += ", " + strings.ReplaceAll(row, ".state", ".mode")
	return `[{spoke: .spec.keyed, hub: .spec.keyed, each: {key: name, rows: [` + row + `]}},
		{spoke: .spec.loose, hub: .spec.loose, each: {rows: [` + row + `]}}, {spoke: .spec.map, hub: .spec.map, each: {rows: [` + row + `]}}]`
}

// renewedObject is an object with n elements in each list of renewedLists.
func renewedObject(version string, n int) string {
	var elements, values []string
	for i := range n {
		element := fmt.Sprintf(`{"name":"n%d","state":"paused","mode":"paused","own":%d}`, i, i)
		elements, values = append(elements, element), append(values, fmt.Sprintf(`"n%d":%s`, i, element))
	}
	list := strings.Join(elements, ",")
	return thing(version, `"spec":{"keyed":[`+list+`],"loose":[`+list+`],"map":{`+strings.Join(values, ",")+`}}`)
}

// renewals are a table, one that came after it, and the text of an object with n elements
// in every kind of list, of which v1beta1 has something that v1 has not.
func renewals(t testing.TB, n int) (earlier, today *conversion.Converter, object string) {
	const own = ", own: {type: integer}"
	rows := renewedRows(`"on": up, "off": down, paused: down`, `down: "off"`)
	earlier = compiled(t, renewedLists(own, ""), renewedLists("", ""), rows)
	today = compiled(t, renewedLists(own, ", since: {type: string}"), renewedLists("", ""), rows)
	return earlier, today, renewedObject("v1beta1", n)
}

// revalued is a table of three versions with other values of the states of elements, of which
// v1alpha1 has them as v1, the hub. Those versions that are named have own.
func revalued(t testing.TB, values, inverse string, haveOwn ...string) *conversion.Converter {
	t.Helper()
	schemas := map[string]string{}
	for _, version := range []string{"v1alpha1", "v1beta1", "v1"} {
		schemas[version] = renewedLists("", "")
		if slices.Contains(haveOwn, version) {
			schemas[version] = renewedLists(", own: {type: integer}", "")
		}
	}
	crosswalk := table(t, renewedRows(values, inverse))
	crosswalk.Spec.Versions = append(crosswalk.Spec.Versions, v1alpha1.VersionTable{Name: "v1alpha1"})
	c, err := conversion.Compile(versions(t, schemas), crosswalk)
	if err != nil {
		t.Fatal(err)
	}
	return c
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
		attack := anothersWith(stored, entries.String())
		room := max(256<<10, 8*len(attack))
		// What is under way is ended: a conversion, and all that it makes up.
		if took, most := c.BytesToRenew([]byte(attack), "v1"), room+20*len(attack); took < 4*len(attack) || took > most {
			t.Errorf("%+v: for an object of %d bytes it takes %d, and it should be %d to %d", test, len(attack), took, 4*len(attack), most)
		}
		var notes conversion.Notes
		if _, err := c.ConvertNoting(t.Context(), nil, []byte(attack), "v1beta1", &notes); err != nil || notes.Unplaced == 0 || notes.Unplaced > test.elements+1 {
			t.Errorf("%+v: %d entries are unplaced, %v", test, notes.Unplaced, err)
		}
	}
}

// TestRenewLeavesTheRest: entries that there is no room to try are counted and stay, word
// for word, on every way but the one to their own version, whose view lacks them alone. With the
// table that wrote them they are there again, and what that shows can be written under today's.
func TestRenewLeavesTheRest(t *testing.T) {
	for _, test := range []struct {
		elements int
		unplaced bool
	}{{1, false}, {60, true}} {
		earlier := revalued(t, `"on": up, "off": down, paused: down`, `down: "off"`, "v1beta1")
		today := revalued(t, `"on": up, "off": down, paused: up`, `up: "on"`, "v1beta1")
		object := renewedObject("v1beta1", test.elements)
		to := func(object, version string) string {
			var notes conversion.Notes
			out, err := today.ConvertNoting(t.Context(), nil, []byte(object), version, &notes)
			if err != nil || (notes.Unplaced > 0) != test.unplaced {
				t.Errorf("%+v: to %s %d entries are unplaced, %v", test, version, notes.Unplaced, err)
			}
			return string(out)
		}
		stash := regexp.MustCompile(`"stash.crosswalk.dev/v1beta1":"([^"\\]|\\.)*"`)
		stored := convert(t, earlier, object, "v1")
		alpha := to(stored, "v1alpha1")
		again := to(alpha, "v1")
		for _, now := range []string{alpha, again} {
			if same := stash.FindString(now) == stash.FindString(stored); same != test.unplaced {
				t.Errorf("%+v: that the stash is the same is %t: %.300s", test, same, now)
			}
		}
		if beta := to(stored, "v1beta1"); strings.Contains(beta, "stash") || strings.Count(beta, `"own"`) != 3*test.elements {
			t.Errorf("%+v: v1beta1 is %.300s", test, beta)
		}
		if back := strip(t, convert(t, earlier, again, "v1beta1")); test.unplaced && !sameJSON(t, back, object) {
			t.Errorf("%+v: the table that wrote the stash shows %.300s", test, back)
		}
		if back := strip(t, convert(t, today, convert(t, today, object, "v1"), "v1beta1")); !sameJSON(t, back, object) {
			t.Errorf("%+v: written under today's table it is %.300s", test, back)
		}
	}
}

// TestRenewThroughTheHub: on the way to a version that is reached by way of the hub, nothing
// that the hub's own stash says passes the hub untried.
func TestRenewThroughTheHub(t *testing.T) {
	c := revalued(t, `"on": up, "off": down`, `paused: "on"`, "v1", "v1alpha1")
	const elements = 200
	var entries strings.Builder // each would take a key away, which is tried by halves
	for i := range elements {
		fmt.Fprintf(&entries, `{\"at\":[\"spec\",\"keyed\",{\"key\":{\"name\":\"n%d\"}},\"name\"]},`, i)
	}
	stored := anothersWith(convert(t, c, renewedObject("v1", elements), "v1beta1"), entries.String())
	for _, to := range []string{"v1", "v1alpha1"} {
		renewed, unplaced := c.Renewed([]byte(stored), "v1beta1", to)
		if unplaced == 0 || strings.Contains(string(renewed), "AAAAAAAA") {
			t.Errorf("to %s: %d entries are unplaced: %.300s", to, unplaced, renewed)
		}
		view := convert(t, c, stored, to)
		if n := strings.Count(view, `"own"`); n != 3*elements {
			t.Errorf("%s is shown %d values", to, n)
		}
		if back := strip(t, convert(t, c, view, "v1beta1")); !sameJSON(t, back, strip(t, stored)) {
			t.Errorf("%s: v1beta1 has changed: %.300s", to, back)
		}
	}
}

// anothersWith is an object of which the stashes are of another table, with more entries.
func anothersWith(object, entries string) string {
	return regexp.MustCompile(`\\"table\\":\\"[^"]*\\",\\"entries\\":\[`).ReplaceAllLiteralString(object, `\"table\":\"AAAAAAAA\",\"entries\":[`+entries)
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
