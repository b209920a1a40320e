package verify

import (
	"maps"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// change is a way in which a table becomes another one. It changes the CRD and the
// table that it is given, or reports that it cannot.
type change struct {
	class string
	// way is the only way in which it is done: it makes the later table, or the
	// earlier one.
	way  way
	make func(*generator, *apiextensionsv1.CustomResourceDefinition, *v1alpha1.Crosswalk) bool
}

type way int

const (
	either way = iota
	forwards
	backwards
)

func changes() []change {
	return []change{
		{class: "rows", make: (*generator).takeRows},
		{class: "places swapped", make: (*generator).swapPlaces},
		{class: "parameters", make: (*generator).otherParameters},
		{class: "hub turned", make: (*generator).turnHub},
		{class: "a field of the schema", way: backwards, make: (*generator).takeField},
		{class: "version added", way: forwards, make: (*generator).addVersion},
		{class: "hub moved on", way: forwards, make: (*generator).moveHub},
	}
}

// evolution makes of a table another one that was there before, or came after, and
// returns the later with the earlier attached; nil where neither way compiles.
func (g *generator) evolution(s *Subject, compile CompileFunc) *Subject {
	all := changes()
	parted := false
	eachList(s.Table, func(rows *[]v1alpha1.Row) {
		parted = parted || slices.ContainsFunc(*rows, func(r v1alpha1.Row) bool { return len(r.Where) > 0 })
	})
	if parted || len(s.CRD.Spec.Versions) > 2 {
		// The stash of a list with parts is not taken over; and with three versions,
		// a change of one table changes what guards the entries of another.
		return nil
	}
	for range 6 {
		crd, table := s.CRD.DeepCopy(), s.Table.DeepCopy()
		kind := all[g.Rand.IntN(len(all))]
		if !kind.make(g, crd, table) {
			continue
		}
		other, err := NewSubject(crd, table, compile)
		if err != nil {
			continue
		}
		earlier, later, class := s, other, kind.class
		if kind.way == backwards || kind.way == either && g.chance(50) { // then it comes first
			earlier, later, class = other, s, class+", undone"
		}
		g.Seen.Count("change/" + class)
		out := *later
		out.After(earlier)
		return &out
	}
	return nil
}

// eachList calls f for every list of rows, nested ones and tables too.
func eachList(table *v1alpha1.Crosswalk, f func(rows *[]v1alpha1.Row)) {
	var walk func(rows *[]v1alpha1.Row)
	walk = func(rows *[]v1alpha1.Row) {
		f(rows)
		for i := range *rows {
			for _, inner := range (*rows)[i].Inner() {
				walk(inner.Rows)
			}
		}
	}
	for i := range table.Spec.Versions {
		v := &table.Spec.Versions[i]
		walk(&v.Rows)
		for _, name := range slices.Sorted(maps.Keys(v.Tables)) {
			rows := v.Tables[name]
			walk(&rows)
			v.Tables[name] = rows
		}
	}
}

// takeRows takes one or two rows away.
func (g *generator) takeRows(_ *apiextensionsv1.CustomResourceDefinition, table *v1alpha1.Crosswalk) bool {
	n := countRows(table)
	for range 1 + g.Rand.IntN(2) {
		if n == 0 {
			return false
		}
		removeRow(table, g.Rand.IntN(n))
		n = countRows(table)
	}
	return true
}

// swapPlaces ties two places of a spoke to each other's places of the hub.
func (g *generator) swapPlaces(_ *apiextensionsv1.CustomResourceDefinition, table *v1alpha1.Crosswalk) bool {
	type pair struct{ a, b *v1alpha1.Row }
	var pairs []pair
	eachList(table, func(rows *[]v1alpha1.Row) {
		for i := range *rows {
			for j := range i {
				a, b := &(*rows)[i], &(*rows)[j]
				if a.Spoke != nil && a.Hub != nil && b.Spoke != nil && b.Hub != nil && a.Hub.Path != "" && b.Hub.Path != "" {
					pairs = append(pairs, pair{a, b})
				}
			}
		}
	})
	if len(pairs) == 0 {
		return false
	}
	p := pairs[g.Rand.IntN(len(pairs))]
	p.a.Hub, p.b.Hub = p.b.Hub, p.a.Hub
	return true
}

// otherParameters gives a mapping other parameters.
func (g *generator) otherParameters(_ *apiextensionsv1.CustomResourceDefinition, table *v1alpha1.Crosswalk) bool {
	var ways []func()
	eachList(table, func(rows *[]v1alpha1.Row) {
		for i := range *rows {
			ways = append(ways, g.parametersOf(&(*rows)[i])...)
		}
	})
	if len(ways) == 0 {
		return false
	}
	ways[g.Rand.IntN(len(ways))]()
	return true
}

func (g *generator) parametersOf(r *v1alpha1.Row) (ways []func()) {
	add := func(is bool, way func()) {
		if is {
			ways = append(ways, way)
		}
	}
	add(r.Template != "", func() { r.Template = "x" + r.Template })
	add(r.Values != nil, func() { r.Closed = !r.Closed })
	add(len(r.Values) > 1 && r.Inverse == nil, func() {
		names := slices.Sorted(maps.Keys(r.Values))
		r.Values[names[0]], r.Values[names[1]] = r.Values[names[1]], r.Values[names[0]]
	})
	add(r.Scalar != nil, func() {
		r.Scalar.Round = map[v1alpha1.Rounding]v1alpha1.Rounding{"": v1alpha1.RoundUp, v1alpha1.RoundDown: v1alpha1.RoundUp}[r.Scalar.Round]
	})
	add(r.Boolean != nil && r.Boolean.False != nil, func() { r.Boolean.True, r.Boolean.False = r.Boolean.False, r.Boolean.True })
	add(r.Boolean != nil && r.Boolean.Negate, func() { r.Boolean = nil })
	add(r.Join != nil, func() { r.Join.Separator += "/" })
	add(r.Text != "", func() {
		r.Text = map[v1alpha1.Format]v1alpha1.Format{v1alpha1.FormatJSON: v1alpha1.FormatYAML, v1alpha1.FormatYAML: v1alpha1.FormatJSON}[r.Text]
	})
	add(r.Each != nil && r.Each.Key != nil, func() { r.Each.Key, r.Each.Unique = nil, false })
	add(r.Default != nil, func() { r.Default = nil })
	add(r.Default == nil && r.Spoke != nil && r.Hub != nil, func() { r.Default = &v1alpha1.Default{Hub: value(tree.NewString("a"))} })
	add(r.Constant != nil, func() { r.Constant = nil })
	add(r.Drop != "" && !r.Sensitive, func() { r.Drop, r.Constant = "", value(tree.NewString("a")) })
	return ways
}

// takeField takes a field out of the schema of one version, and the rows that name
// it.
func (g *generator) takeField(crd *apiextensionsv1.CustomResourceDefinition, table *v1alpha1.Crosswalk) bool {
	v := &crd.Spec.Versions[g.Rand.IntN(len(crd.Spec.Versions))]
	type field struct {
		of   *apiextensionsv1.JSONSchemaProps
		name string
		at   pattern
	}
	var fields []field
	var walk func(s *apiextensionsv1.JSONSchemaProps, at pattern)
	walk = func(s *apiextensionsv1.JSONSchemaProps, at pattern) {
		for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
			next := append(slices.Clip(at), tree.Step{Name: name})
			if len(at) == 0 && (name == "apiVersion" || name == "kind" || name == "metadata") {
				continue
			}
			if len(at) > 0 && !slices.Contains(s.Required, name) && !slices.Contains(s.XListMapKeys, name) {
				fields = append(fields, field{s, name, next})
			}
			child := s.Properties[name]
			walk(&child, next)
			s.Properties[name] = child
		}
		if s.Items != nil && s.Items.Schema != nil {
			walk(s.Items.Schema, append(slices.Clip(at), tree.Step{Index: -1, IsIndex: true}))
		}
		if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil {
			walk(s.AdditionalProperties.Schema, append(slices.Clip(at), tree.Step{Index: -1, IsIndex: true}))
		}
	}
	walk(v.Schema.OpenAPIV3Schema, nil)
	if len(fields) == 0 {
		return false
	}
	f := fields[g.Rand.IntN(len(fields))]
	delete(f.of.Properties, f.name)
	for i := countRows(table) - 1; i >= 0; i-- {
		if names(table, i, v.Name, f.at) {
			removeRow(table, i)
		}
	}
	return true
}

// names says whether the nth row names a place of a version, or one inside it.
func names(table *v1alpha1.Crosswalk, nth int, version string, at pattern) bool {
	found, n := false, 0
	for _, v := range table.Spec.Versions {
		eachRowOnce(v, func(r v1alpha1.Row, spoke, hub []pattern) {
			if n == nth {
				places := hub
				if v.Name == version {
					places = spoke
				}
				if v.Name == version || table.Spec.Hub == version {
					found = slices.ContainsFunc(places, func(p pattern) bool { _, inside := below(at, p); return inside })
				}
			}
			n++
		})
	}
	return found
}

// eachRowOnce calls f for each row in the order in which removeRow counts them.
func eachRowOnce(v v1alpha1.VersionTable, f func(r v1alpha1.Row, spoke, hub []pattern)) {
	var walk func(rows []v1alpha1.Row, spoke, hub pattern)
	walk = func(rows []v1alpha1.Row, spoke, hub pattern) {
		for _, r := range rows {
			s, h := placesOf(spoke, r.Spoke), placesOf(hub, r.Hub)
			f(r, s, h)
			for _, inner := range r.Inner() {
				any := tree.Step{Index: -1, IsIndex: true}
				if len(s) == 1 && len(h) == 1 {
					walk(*inner.Rows, append(s[0], any), append(h[0], any))
				} else {
					walk(*inner.Rows, nil, nil)
				}
			}
		}
	}
	walk(v.Rows, nil, nil)
	for _, name := range slices.Sorted(maps.Keys(v.Tables)) {
		walk(v.Tables[name], nil, nil)
	}
}

// newVersion is the name of a version that tables come to have.
const newVersion = "v9"

// addVersion adds a version that is like another one.
func (g *generator) addVersion(crd *apiextensionsv1.CustomResourceDefinition, table *v1alpha1.Crosswalk) bool {
	like := crd.Spec.Versions[g.Rand.IntN(len(crd.Spec.Versions))].DeepCopy()
	for _, v := range table.Spec.Versions {
		if v.Name == like.Name {
			rows := v.DeepCopy()
			rows.Name = newVersion
			table.Spec.Versions = append(table.Spec.Versions, *rows)
		}
	}
	like.Name, like.Storage = newVersion, false
	crd.Spec.Versions = append(crd.Spec.Versions, *like)
	return true
}

// moveHub adds a version that is like the hub and makes it the hub. With more than
// one spoke, what two of them had kept may contradict each other beside a new hub.
func (g *generator) moveHub(crd *apiextensionsv1.CustomResourceDefinition, table *v1alpha1.Crosswalk) bool {
	if len(crd.Spec.Versions) > 2 {
		return false
	}
	for _, v := range crd.Spec.Versions {
		if v.Name == table.Spec.Hub {
			like := v.DeepCopy()
			like.Name, like.Storage = newVersion, false
			crd.Spec.Versions = append(crd.Spec.Versions, *like)
			break
		}
	}
	table.Spec.Hub = newVersion
	return true
}

// evolutionCases are cases of L7 for one object.
func (s *Subject) evolutionCases(g *generator) []Case {
	was := s.earlier
	g.Hints = was.hints
	versions := was.Versions()
	from := versions[g.Rand.IntN(len(versions))]
	other := func(than string, of []string) string {
		for {
			if v := of[g.Rand.IntN(len(of))]; v != than {
				return v
			}
		}
	}
	object := g.resource(was, from)
	if g.chance(25) {
		object = coerce(g.fragment(was, object), was.schemas[from])
	}
	if g.chance(25) {
		object, from = was.walk(g, object, from)
	}
	var out []Case
	for _, served := range []bool{false, true} {
		stored := other(from, versions)
		c := Case{Law: Evolved, Object: object.Append(nil), From: from, Through: []string{stored, other(stored, s.Versions())}, Served: served}
		if g.chance(60) {
			c.Through[1] = from
		}
		if g.chance(30) {
			if edited, ok := was.editCase(g, c.Object, from, stored, from, served); ok {
				c.Edits = edited.Edits
			}
		}
		if !slices.Contains(versions, c.Through[1]) {
			c.Through[1] = from // the earlier table does not know the new version
		}
		out = append(out, c)
	}
	return out
}
