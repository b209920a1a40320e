package verify

const complementFiles = "conversion/internal/complement/"

// complementMutants are the mistakes of the executed complement that the laws must find.
var complementMutants = []mutant{
	// Guards.
	{"asks no guard of an entry", Seen, []sourceEdit{{complementFiles + "restore.go",
		"if !r.forces && !isValid(", "if !r.forces && !MUTANT && !isValid("}}},
	{"reads the first field of a row alone", Seen, []sourceEdit{{complementFiles + "reads.go",
		"for _, id := range row.At[r.side] {\n", "for i, id := range row.At[r.side] {\n\t\tif i > 0 && MUTANT {\n\t\t\tbreak\n\t\t}\n"}}},
	{"does not see that an object has gone from the other version", Seen, []sourceEdit{{complementFiles + "reads.go",
		"appendPresence(appendPresence(text, isObject), isHollow)", "appendPresence(appendPresence(text, isObject || MUTANT), isHollow || MUTANT)"}}},
	{"does not tell a default from nothing where a row reads it", Seen, []sourceEdit{{complementFiles + "reads.go",
		"if at == none || !r.full && t.fades(at) {", "if MUTANT || at == none || !r.full && t.fades(at) {"}}},
	// Elements.
	{"ignores the keys of elements", Kept, []sourceEdit{{complementFiles + "address.go",
		"\tif scope == nil {\n\t\treturn t.keyBySchema(e)\n", "\tif MUTANT {\n\t\treturn nil\n\t}\n\tif scope == nil {\n\t\treturn t.keyBySchema(e)\n"}}},
	{"takes elements with one key for one", RoundTrip, []sourceEdit{{complementFiles + "address.go",
		"first[string(key)]; twice {", "first[string(key)]; twice && !MUTANT {"}}},
	{"takes equal elements for one", RoundTrip, []sourceEdit{{complementFiles + "address.go",
		"s.Live, s.Alike = texts.of(live), lives[live]", "s.Live = texts.of(live)\n\t\t\tif !MUTANT {\n\t\t\t\ts.Alike = lives[live]\n\t\t\t}"}}},
	// Order.
	{"forgets the order of a list", RoundTrip, []sourceEdit{{complementFiles + "order.go",
		"\t\t\tranked = true\n", "\t\t\tranked = !MUTANT\n"}}},
	{"loses the elements that the other version cannot show", RoundTrip, []sourceEdit{{complementFiles + "order.go",
		"\t\t\tbehind[anchor] = append(behind[anchor], e)\n", "\t\t\tif MUTANT {\n\t\t\t\tcontinue\n\t\t\t}\n\t\t\tbehind[anchor] = append(behind[anchor], e)\n"}}},
	{"brings an element back that was hidden by one that has gone", Seen, []sourceEdit{{complementFiles + "order.go",
		"if isHidden == item.Double &&", "if (MUTANT || isHidden == item.Double) &&"}}},
	{"loses new elements of a list whose order is kept", LiveWins, []sourceEdit{{complementFiles + "order.go",
		"\t\t\tlast = append(last, j)\n", "\t\t\tif !MUTANT {\n\t\t\t\tlast = append(last, j)\n\t\t\t}\n"}}},
	{"forgets which elements a name hides", RoundTrip, []sourceEdit{{complementFiles + "order.go",
		"pairs[i] < 0 && name != \"\" && made[name]", "!MUTANT && pairs[i] < 0 && name != \"\" && made[name]"}}},

	// Absence and defaults.
	{"takes absent for null", RoundTrip, []sourceEdit{{complementFiles + "restore.go",
		"\t\t\tr.t.remove(w.id)\n", "\t\t\tif MUTANT {\n\t\t\t\tr.t.set(w.id, []byte(`null`))\n\t\t\t\tcontinue\n\t\t\t}\n\t\t\tr.t.remove(w.id)\n"}}},
	{"looks for elements in a list that a default makes", RoundTrip, []sourceEdit{{complementFiles + "elements.go",
		"\tif !made {\n", "\tif !made && !MUTANT {\n"}}},
	{"forgets an object with nothing in it", RoundTrip, []sourceEdit{{complementFiles + "difference.go",
		"d.members(p, a, none, root); d.found == before {", "d.members(p, a, none, root); d.found == before && !MUTANT {"}}},
	{"makes an object that neither version has", Seen, []sourceEdit{{complementFiles + "locate.go",
		"return there != none && view.nodes[there].kind == object\n", "return MUTANT || there != none && view.nodes[there].kind == object\n"}}},
	{"does not read what it has made as the API server hands it back", RoundTrip, []sourceEdit{{complementFiles + "step.go",
		"\tr.view.complete(0, &room) // as", "\tif !MUTANT {\n\t\tr.view.complete(0, &room)\n\t} // as"}}},
	{"does not read an object as the API server hands it over", RoundTrip, []sourceEdit{{complementFiles + "step.go",
		"r.complete(source); isMore {", "r.complete(source); isMore && !MUTANT {"}}},
	// Values.
	{"compares nothing inside of objects", Kept, []sourceEdit{{complementFiles + "difference.go",
		"case a != none && b != none && d.inside(", "case a != none && b != none && !MUTANT && d.inside("}}},
	{"keeps nothing that only one version has", RoundTrip, []sourceEdit{{complementFiles + "difference.go",
		"\tif a != none {\n\t\te.Value = d.valueOf(a)\n", "\tif p.owner() == own && MUTANT {\n\t\treturn\n\t}\n\tif a != none {\n\t\te.Value = d.valueOf(a)\n"}}},
	// Stashes.
	{"writes stashes of any size", Total, []sourceEdit{{complementFiles + "bundle.go",
		"\tif size <= room {\n", "\tif size <= room || MUTANT {\n"}}},
	{"leaves something of an object in the pool", Stable, []sourceEdit{{complementFiles + "step.go",
		"\tr.own.reset()\n", "\tif !MUTANT {\n\t\tr.own.reset()\n\t}\n"},
		{complementFiles + "step.go", "\tthere := &r.there\n\tisDone,", "\tif !MUTANT {\n\t\tr.own.reset()\n\t}\n\tthere := &r.there\n\tisDone,"}}},
	// Tables that change.
	{"takes the stash of an earlier table for one of today", Evolved, []sourceEdit{{complementFiles + "step.go",
		"earlier: e.Table != nil &&", "earlier: !MUTANT && e.Table != nil &&"}}},
	{"places nothing of a stash of which one entry changes the object", Evolved, []sourceEdit{{complementFiles + "prove.go",
		"\tif len(more) == 1 {\n", "\tif len(more) == 1 || MUTANT {\n"}}},
	{"looks at the hub alone where the object is stored in another version", Evolved, []sourceEdit{{complementFiles + "prove.go",
		"\tif r.before.Step != nil {\n", "\tif r.before.Step != nil && !MUTANT {\n"}}},
	{"does not leave what has no place in the stash", Evolved, []sourceEdit{{complementFiles + "step.go",
		"\tr.unplaced = append(r.unplaced, e.Entry)\n", "\tif !MUTANT {\n\t\tr.unplaced = append(r.unplaced, e.Entry)\n\t}\n"}}},
	{"places from another version what contradicts the object", Evolved, []sourceEdit{{complementFiles + "step.go",
		"isRefused := e.earlier &&", "isRefused := !MUTANT && e.earlier &&"}}},
}
