package verify

import (
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// resource generates a whole custom resource of a version: type, metadata, and fields of the
// schema. The API server's pruning does not change it.
func (g *generator) resource(s *Subject, version string) *tree.Value {
	v := g.plant(s, version, g.Object(s.schemas[version], 0))
	v.Set("apiVersion", nil)
	v.Set("kind", nil)
	v.Set("metadata", nil)
	head := tree.NewObject(
		tree.Member{Name: "apiVersion", Value: tree.NewString(s.apiVersion(version))},
		tree.Member{Name: "kind", Value: tree.NewString(s.CRD.Spec.Names.Kind)},
		tree.Member{Name: "metadata", Value: g.metadata()},
	)
	if g.Chance(10) {
		g.Seen.Count("object/type last")
		v.Members = append(v.Members, head.Members...)
	} else {
		v.Members = append(head.Members, v.Members...)
	}
	return coerce(v, s.schemas[version])
}

func (g *generator) metadata() *tree.Value {
	m := tree.NewObject(tree.Member{Name: "name", Value: tree.NewString("sample")})
	if g.Chance(50) {
		m.Set("namespace", tree.NewString("default"))
		m.Set("uid", tree.NewString("7c9e6679-7425-40de-944b-e07fc1f90ae7"))
		m.Set("generation", tree.NewNumber("3"))
		m.Set("creationTimestamp", tree.NewNull())
	}
	if g.Chance(30) {
		m.Set("labels", g.stringMap([]string{"", "x", "a.b_c-1"}, "app", "example.com/x", "tier"))
	}
	if g.Chance(40) {
		m.Set("annotations", g.stringMap([]string{"", "x", `{"a":1}`, "é\n\""}, "note", "example.com/x", "example.com/y", "kubectl.kubernetes.io/last-applied-configuration"))
	}
	if g.Chance(10) {
		m.Set("managedFields", tree.NewList(tree.NewObject(tree.Member{Name: "manager", Value: tree.NewString("kubectl")})))
	}
	return m
}

func (g *generator) stringMap(texts []string, names ...string) *tree.Value {
	v := tree.NewObject()
	for _, name := range names {
		if g.Chance(40) {
			v.Set(name, tree.NewString(texts[g.Rand.IntN(len(texts))]))
		}
	}
	return v
}

// fragment removes places at random: metadata, required fields, and all others but the keys of list
// elements. Server-side apply sends such objects.
func (g *generator) fragment(s *Subject, v *tree.Value) *tree.Value {
	v = v.Clone()
	g.Seen.Count("fragment")
	if g.Chance(30) {
		g.Seen.Count("fragment/no metadata")
		v.Set("metadata", nil)
	}
	g.thin(v, 0)
	return v
}

func (g *generator) thin(v *tree.Value, depth int) {
	if v.Kind == tree.Object {
		kept := v.Members[:0]
		for _, m := range v.Members {
			if depth == 0 && (m.Name == "apiVersion" || m.Name == "kind" || m.Name == "metadata") {
				kept = append(kept, m)
				continue
			}
			if g.Chance(25) {
				continue
			}
			kept = append(kept, m)
		}
		v.Members = kept
		for _, m := range v.Members {
			if depth > 0 || m.Name != "metadata" {
				g.thin(m.Value, depth+1)
			}
		}
	}
	for i, item := range v.Items {
		if item.Kind == tree.Object && len(item.Members) > 1 && g.Chance(20) {
			g.Seen.Count("fragment/bare element")
			j := g.Rand.IntN(len(item.Members))
			v.Items[i] = tree.NewObject(item.Members[j])
			continue
		}
		g.thin(item, depth+1)
	}
}

// hostile replaces values by others of the wrong type, except in the parts of metadata where the
// API server rejects them, and adds malformed stashes.
func (g *generator) hostile(s *Subject, v *tree.Value) *tree.Value {
	v = v.Clone()
	g.Seen.Count("hostile")
	var paths []tree.Path
	for _, m := range v.Members {
		if m.Name != "apiVersion" && m.Name != "kind" && m.Name != "metadata" {
			m.Value.Walk(func(p tree.Path, _ *tree.Value) { paths = append(paths, append(tree.Names(m.Name), p...)) })
		}
	}
	for range 1 + g.Rand.IntN(3) {
		if len(paths) == 0 {
			break
		}
		v.Put(paths[g.Rand.IntN(len(paths))], g.wrong())
	}
	for _, name := range []string{"spec", "status"} {
		if g.Chance(4) {
			v.Set(name, g.wrong())
		}
	}
	if g.Chance(30) {
		g.Seen.Count("hostile/stash")
		meta := v.Get("metadata")
		if meta == nil {
			meta = tree.NewObject()
			v.Set("metadata", meta)
		}
		annotations := meta.Get("annotations")
		if annotations == nil {
			annotations = tree.NewObject()
			meta.Set("annotations", annotations)
		}
		for _, version := range append(s.Versions(), "v0gone") {
			for _, suffix := range []string{"", ".status"} {
				if g.Chance(40) {
					annotations.Set("stash.crosswalk.dev/"+version+suffix, tree.NewString(forgeries[g.Rand.IntN(len(forgeries))]))
				}
			}
		}
	}
	return v
}

func (g *generator) wrong() *tree.Value {
	if g.Chance(20) {
		g.Seen.Count("hostile/huge number")
		return tree.NewNumber([]string{"1e400", "-1e400", "123456789012345678901234567890", "0.1234567890123456789012345", "1E-999"}[g.Rand.IntN(5)])
	}
	return g.Anything(4)
}

var forgeries = []string{
	"", "{}", "[]", "null", "x", `{"format":1}`, `{"format":99,"entries":[]}`, `{"v":1}`, `{"f":1,"e":[{"p":"/spec"}]}`, `{"a":`, "\u0000",
	`{"v":1,"e":{"/spec":{"v":"x"}}}`, `[[[[[[[[[[`, `{"v":1e999}`, `{"a":1,"a":2}`,
}
