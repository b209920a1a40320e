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
// their modes, so that what is kept of the one is between what is kept of the other.
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

// TestRenewElsewhere: a table that has changed elsewhere places all that was kept.
func TestRenewElsewhere(t *testing.T) {
	earlier, today, object := renewals(t, 20)
	stored := convert(t, earlier, object, "v1")
	if back := strip(t, convert(t, today, stored, "v1beta1")); !sameJSON(t, back, object) {
		t.Errorf("it came back as %s", back)
	}
}

// TestRenewIsBounded: whatever a stash of another table says, no more is tried of it than
// there is room for, and the rest is counted. To tell elements apart in lists in lists is
// work of each trial, too.
func TestRenewIsBounded(t *testing.T) {
	unraced(t)
	items := ": {type: array, items: {type: object, properties: {name: {type: string}}}}"
	beta, v1 := spec("keyed"+items+", route: "+nestedRoutes("to", "routes", 1, true)), spec("keyed"+items+", tree: "+nestedRoutes("receiver", "children", 1, true))
	c, err := tabled(t, beta, v1, `tables: {route: [{spoke: .to, hub: .receiver}, {spoke: .rp}, {spoke: .routes, hub: .children, each: {table: route}}]},
		rows: [{spoke: .spec.route, hub: .spec.tree, table: route}, {spoke: .spec.keyed, hub: .spec.keyed, each: {key: name, unique: true}}]`)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ elements, depth int }{{200, 1}, {2000, 1}, {200, 1000}} {
		var elements []string
		var entries strings.Builder // each would remove a key, which is tried by halves
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
		// A trial makes the view and converts it back.
		took, once := allocated(t, c, attack), allocated(t, c, stored)
		if room := max(256<<10, 4*len(attack)); took > 32*once+100*room {
			t.Errorf("%+v: for an object of %d bytes %d bytes are allocated, and %d without the entries", test, len(attack), took, once)
		}
		var notes conversion.Notes
		if _, err := c.ConvertNoting(t.Context(), nil, []byte(attack), "v1beta1", &notes); err != nil || notes.Unplaced == 0 || notes.Unplaced > test.elements+1 {
			t.Errorf("%+v: %d entries are unplaced, %v", test, notes.Unplaced, err)
		}
	}
}

// allocated returns how many bytes are allocated to convert an object to v1beta1.
func allocated(t *testing.T, c *conversion.Converter, object string) int {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	convert(t, c, object, "v1beta1")
	runtime.ReadMemStats(&after)
	return int(after.TotalAlloc - before.TotalAlloc)
}

// TestRenewLeavesTheRest: entries that contradict what is stored are counted, and stay in the stash on every
// way, each as it was.
func TestRenewLeavesTheRest(t *testing.T) {
	earlier := revalued(t, `"on": up, "off": down, paused: down`, `down: "off"`, "v1beta1")
	today := revalued(t, `"on": up, "off": down, paused: up`, `up: "on"`, "v1beta1")
	object := renewedObject("v1beta1", 3)
	const entry = `{\"at\":[\"spec\",\"keyed\",{\"key\":{\"name\":\"n1\"}},\"name\"]`
	view := anothersWith(convert(t, earlier, object, "v1"), entry+"},")
	for _, to := range []string{"v1alpha1", "v1", "v1beta1", "v1"} {
		var notes conversion.Notes
		out, err := today.ConvertNoting(t.Context(), nil, []byte(view), to, &notes)
		if view = string(out); err != nil || strings.Count(view, entry) != 1 || to == "v1beta1" != (notes.Unplaced > 0) {
			t.Errorf("to %s: %d entries are unplaced, %v: %s", to, notes.Unplaced, err, view)
		}
	}
	if back := strip(t, convert(t, today, view, "v1beta1")); strings.Count(back, `"own"`) != 9 {
		t.Errorf("v1beta1 is %s", back)
	}
}

// TestRenewThroughTheHub: on the way to a version that is reached by way of the hub, nothing
// that the hub's own stash says passes the hub untried.
func TestRenewThroughTheHub(t *testing.T) {
	c := revalued(t, `"on": up, "off": down`, `paused: "on"`, "v1", "v1alpha1")
	const elements = 200
	var entries strings.Builder // each would remove a key, which is tried by halves
	for i := range elements {
		fmt.Fprintf(&entries, `{\"at\":[\"spec\",\"keyed\",{\"key\":{\"name\":\"n%d\"}},\"name\"]},`, i)
	}
	stored := anothersWith(convert(t, c, renewedObject("v1", elements), "v1beta1"), entries.String())
	for _, to := range []string{"v1", "v1alpha1"} {
		var notes conversion.Notes
		out, err := c.ConvertNoting(t.Context(), nil, []byte(stored), to, &notes)
		if err != nil || notes.Unplaced == 0 {
			t.Errorf("to %s: %d entries are unplaced: %v", to, notes.Unplaced, err)
		}
		view := string(out)
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

// TestRenewLongAddresses: what is made of an address of many steps grows with their number alone.
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
		now := convert(t, c, attack, "v1")
		runtime.ReadMemStats(&after)
		if made := int(after.TotalAlloc - before.TotalAlloc); made > 500*len(attack) {
			t.Errorf("%+v: for an object of %d bytes, %d are allocated", test, len(attack), made)
		}
		if strings.Count(now, `"a":1}`) != test.entries {
			t.Errorf("%+v: %d of the entries are placed", test, strings.Count(now, `"a":1}`))
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
