package proof

import "github.com/crosswalk-dev/crosswalk/conversion/verify"

const (
	complementFiles = "conversion/internal/complement/"
	engineFiles     = "conversion/internal/engine/"
	guardFile       = "conversion/internal/writes/guard.go"
)

// mutants are the mistakes that the laws must find.
var mutants = []mutant{
	// What rows make.
	{"decodes numbers as float64", verify.RoundTrip, []sourceEdit{{engineFiles + "emit.go",
		"\tcase raw:\n",
		"\tcase raw:\n\t\tif n, err := strconv.ParseFloat(string(s.text), 64); err == nil && MUTANT {\n\t\t\treturn strconv.AppendFloat(dst, n, 'f', -1, 64)\n\t\t}\n"},
		{engineFiles + "emit.go", "import (", "import (\n\t\"strconv\"\n"}}},
	{"writes values that the other schema does not allow", verify.RoundTrip, []sourceEdit{{engineFiles + "forward.go",
		"return target.Holds(text) ||",
		"return MUTANT || target.Holds(text) ||"}}},
	{"makes two values of one name in a map", verify.Total, []sourceEdit{{engineFiles + "elements.go",
		"if p.taken[name] ||",
		"if p.taken[name] && !MUTANT ||"}}},
	{"writes defaults and constants over values", verify.RoundTrip, []sourceEdit{{engineFiles + "settle.go",
		"if c.peek(g, id).state != absent || n.Parent == none ||",
		"if c.peek(g, id).state != absent && !MUTANT || n.Parent == none ||"}}},
	{"writes an absent field into the slot that all absent fields share", verify.RoundTrip, []sourceEdit{{engineFiles + "settle.go",
		"s := c.at(g, id)\n\t\ts.state, s.text = raw, n.Filled",
		"s := c.peek(g, id)\n\t\tif !MUTANT {\n\t\t\ts = c.at(g, id)\n\t\t}\n\t\ts.state, s.text = raw, n.Filled"},
		{engineFiles + "frames.go", "n <= fewSlots || scope", "n <= fewSlots && !MUTANT || scope"}}},

	// Annotations.
	{"believes stashes of any format", verify.Forged, []sourceEdit{{"conversion/internal/stash/reader.go",
		"|| !known ||", "|| !known && !MUTANT ||"}}},
	{"brings back numbers that the API server cannot decode", verify.Forged, []sourceEdit{{"conversion/internal/stash/reader.go",
		"if err == nil && e.decodable() {", "if err == nil && (e.decodable() || MUTANT) {"}}},
	{"drops the stash of a third version", verify.RoundTrip, []sourceEdit{{engineFiles + "read.go",
		"!incomplete && !isTarget && !isSource {",
		"!incomplete && !isTarget && !isSource && !MUTANT {"}}},
	{"forgets on the way between spokes what came along", verify.Coherent, []sourceEdit{{"conversion/converter.go",
		"\treturn convertStep(ctx, dst, *buf, c.step(c.hub, to)",
		"\tif MUTANT {\n\t\t*buf, _ = Strip(nil, *buf)\n\t}\n\treturn convertStep(ctx, dst, *buf, c.step(c.hub, to)"}}},

	// Which stashes are valid in a write.
	{"believes the stashes of a request", verify.Guarded, []sourceEdit{{guardFile,
		"count := maps.Clone(before.Ours)",
		"if MUTANT {\n\t\treturn maps.Clone(now.Ours)\n\t}\n\tcount := maps.Clone(before.Ours)"}}},
	{"takes every entry that a request lacks for taken back", verify.Guarded, []sourceEdit{{guardFile,
		"change.GaveUp(g.Group+\"/\"+owner, e.At)",
		"(MUTANT || change.GaveUp(g.Group+\"/\"+owner, e.At))"}}},
	{"keeps an entry that its owner has taken back", verify.Guarded, []sourceEdit{{guardFile,
		"return !arrived[stash.Place(e.At)] && ",
		"return !MUTANT && !arrived[stash.Place(e.At)] && "}}},
	{"keeps entries that no longer hold", verify.Guarded, []sourceEdit{{guardFile,
		"count = g.settled(stored, count, version)",
		"if !MUTANT {\n\t\tcount = g.settled(stored, count, version)\n\t}"}}},
	{"settles entries by the status of a write that does not write it", verify.Guarded, []sourceEdit{{guardFile,
		"if g.HasStatus[version] {\n",
		"if g.HasStatus[version] && !MUTANT {\n"}}},
	{"lets a creation bring the stash of a status along", verify.Guarded, []sourceEdit{{guardFile,
		"if !g.HasStatus[version] {\n\t\treturn count",
		"if !g.HasStatus[version] || MUTANT {\n\t\treturn count"}}},
	{"keeps the stash of the version that is written", verify.Guarded, []sourceEdit{{guardFile,
		"delete(count, stash.Prefix+version)\n",
		"if !MUTANT {\n\t\tdelete(count, stash.Prefix+version)\n\t}\n"}}},

	// Guards.
	{"asks no guard of an entry", verify.Seen, []sourceEdit{{complementFiles + "restore.go",
		"if !r.forces && !r.reads.isValid(", "if !r.forces && !MUTANT && !r.reads.isValid("}}},
	{"reads the first field of a row alone", verify.Seen, []sourceEdit{{complementFiles + "reads.go",
		"for _, id := range row.At[r.side] {\n", "for i, id := range row.At[r.side] {\n\t\tif i > 0 && MUTANT {\n\t\t\tbreak\n\t\t}\n"}}},
	{"does not see that an object has gone from the other version", verify.Seen, []sourceEdit{{complementFiles + "reads.go",
		"appendPresence(appendPresence(text, isObject), isHollow)", "appendPresence(appendPresence(text, isObject || MUTANT), isHollow || MUTANT)"}}},
	{"does not tell a default from nothing where a row reads it", verify.Seen, []sourceEdit{{complementFiles + "reads.go",
		"if at == none || !r.full && t.fades(at) {", "if MUTANT || at == none || !r.full && t.fades(at) {"}}},
	// Defaults.
	{"forgets an object of which a third version drops all", verify.RoundTrip, []sourceEdit{{complementFiles + "difference.go",
		"if d.found == before && d.losesAll(a, b) {",
		"if d.found == before && !MUTANT && d.losesAll(a, b) {"}}},
	{"keeps an empty object that the other version has", verify.Native, []sourceEdit{{complementFiles + "difference.go",
		"|| d.back.nodes[b].first == none {",
		"|| d.back.nodes[b].first == none && !MUTANT {"}}},
	{"loses the default of which a table drops a part", verify.RoundTrip, []sourceEdit{{complementFiles + "difference.go",
		"d.losesDefault(a, b) {",
		"!MUTANT && d.losesDefault(a, b) {"}}},
	// Elements.
	{"ignores the keys of elements", verify.Kept, []sourceEdit{{complementFiles + "address.go",
		"\tif scope == nil {\n\t\treturn t.keyBySchema(e)\n", "\tif MUTANT {\n\t\treturn nil\n\t}\n\tif scope == nil {\n\t\treturn t.keyBySchema(e)\n"}}},
	{"takes elements with one key for one", verify.RoundTrip, []sourceEdit{{complementFiles + "address.go",
		"first[string(key)]; twice {", "first[string(key)]; twice && !MUTANT {"}}},
	{"takes equal elements for one", verify.RoundTrip, []sourceEdit{{complementFiles + "address.go",
		"s.Live, s.Alike = texts.of(live), lives[live]", "s.Live = texts.of(live)\n\t\t\tif !MUTANT {\n\t\t\t\ts.Alike = lives[live]\n\t\t\t}"}}},
	// Order.
	{"forgets the order of a list", verify.RoundTrip, []sourceEdit{{complementFiles + "order.go",
		"\t\t\tranked = true\n", "\t\t\tranked = !MUTANT\n"}}},
	{"loses the elements that the other version cannot show", verify.RoundTrip, []sourceEdit{{complementFiles + "order.go",
		"\t\t\tbehind[anchor] = append(behind[anchor], e)\n", "\t\t\tif MUTANT {\n\t\t\t\tcontinue\n\t\t\t}\n\t\t\tbehind[anchor] = append(behind[anchor], e)\n"}}},
	{"brings an element back that was hidden by one that has gone", verify.Seen, []sourceEdit{{complementFiles + "order.go",
		"if isHidden == item.Double &&", "if (MUTANT || isHidden == item.Double) &&"}}},
	{"loses new elements of a list whose order is kept", verify.LiveWins, []sourceEdit{{complementFiles + "order.go",
		"\t\t\tlast = append(last, j)\n", "\t\t\tif !MUTANT {\n\t\t\t\tlast = append(last, j)\n\t\t\t}\n"}}},
	{"forgets which elements a name hides", verify.RoundTrip, []sourceEdit{{complementFiles + "order.go",
		"pairs[i] < 0 && name != \"\" && made[name]", "!MUTANT && pairs[i] < 0 && name != \"\" && made[name]"}}},

	// Absence and defaults.
	{"takes absent for null", verify.RoundTrip, []sourceEdit{{complementFiles + "restore.go",
		"\t\t\tr.t.remove(w.id)\n", "\t\t\tif MUTANT {\n\t\t\t\tr.t.set(w.id, []byte(`null`))\n\t\t\t\tcontinue\n\t\t\t}\n\t\t\tr.t.remove(w.id)\n"}}},
	{"looks for elements in a list that a default makes", verify.Seen, []sourceEdit{{complementFiles + "elements.go",
		"\tif !made {\n", "\tif !made && !MUTANT {\n"}}},
	{"looks into an alternative that a default makes", verify.Seen, []sourceEdit{{complementFiles + "elements.go",
		"\tif from.view == none {", "\tif from.scope == nil || from.view == none && !MUTANT {"}}},
	{"forgets an object with nothing in it", verify.RoundTrip, []sourceEdit{{complementFiles + "difference.go",
		"d.compareObjects(p, a, none, root); d.found == before {", "d.compareObjects(p, a, none, root); d.found == before && !MUTANT {"}}},
	{"makes an object that neither version has", verify.Seen, []sourceEdit{{complementFiles + "locate.go",
		"return there != none && view.nodes[there].kind == object\n", "return MUTANT || there != none && view.nodes[there].kind == object\n"}}},
	{"does not read what it has made as the API server hands it back", verify.RoundTrip, []sourceEdit{{complementFiles + "step.go",
		"\tr.view.complete(0, &room) // as", "\tif !MUTANT {\n\t\tr.view.complete(0, &room)\n\t} // as"}}},
	{"does not read an object as the API server hands it over", verify.RoundTrip, []sourceEdit{{complementFiles + "step.go",
		"r.complete(source); isMore {", "r.complete(source); isMore && !MUTANT {"}}},
	// Values.
	{"compares nothing inside of objects", verify.Kept, []sourceEdit{{complementFiles + "difference.go",
		"case a != none && b != none && d.compareInside(", "case a != none && b != none && !MUTANT && d.compareInside("}}},
	{"keeps nothing that only one version has", verify.RoundTrip, []sourceEdit{{complementFiles + "difference.go",
		"\tif a != none {\n\t\te.Value = d.valueOf(a)\n", "\tif p.owner() == own && MUTANT {\n\t\treturn\n\t}\n\tif a != none {\n\t\te.Value = d.valueOf(a)\n"}}},
	// Stashes.
	{"writes stashes of any size", verify.Total, []sourceEdit{{complementFiles + "bundle.go",
		"\tif size <= room {\n", "\tif size <= room || MUTANT {\n"}}},
	{"leaves something of an object in the pool", verify.Stable, []sourceEdit{{complementFiles + "pool.go",
		"\tr.own.reset()\n", "\tif !MUTANT {\n\t\tr.own.reset()\n\t}\n"},
		{complementFiles + "pool.go", "\tr := runs.Get().(*run)\n", "\tr := runs.Get().(*run)\n\tif !MUTANT {\n\t\tr.own.reset()\n\t}\n"}}},
	// Tables that change.
	{"takes the stash of an earlier table for one of today", verify.Evolved, []sourceEdit{{complementFiles + "step.go",
		"earlier: earlier,", "earlier: !MUTANT && earlier,"}}},
	{"places nothing of a stash of which one entry changes the object", verify.Evolved, []sourceEdit{{complementFiles + "prove.go",
		"\tif len(more) == 1 {\n", "\tif len(more) == 1 || MUTANT {\n"}}},
	{"looks at the hub alone where the object is stored in another version", verify.Evolved, []sourceEdit{{complementFiles + "prove.go",
		"\tif r.before.Step != nil && ", "\tif r.before.Step != nil && !MUTANT && "}}},
	{"does not leave what has no place in the stash", verify.Evolved, []sourceEdit{{complementFiles + "step.go",
		"\tr.unplaced = append(r.unplaced, e.Entry)\n", "\tif !MUTANT {\n\t\tr.unplaced = append(r.unplaced, e.Entry)\n\t}\n"}}},
	{"places from another version what contradicts the object", verify.Evolved, []sourceEdit{{complementFiles + "step.go",
		"isRefused := e.earlier &&", "isRefused := !MUTANT && e.earlier &&"}}},
	{"restores in an element what it only guesses to be about it", verify.Evolved, []sourceEdit{{complementFiles + "locate.go",
		"\tcase !r.guesses || r.t.nodes[e].known:\n", "\tcase !MUTANT && (!r.guesses || r.t.nodes[e].known):\n"}}},
}
