package cost

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/crosswalk-dev/crosswalk/conversion"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/weave"
)

// Drawn returns a random family: a generated table, a field in one of its versions that grows in
// some way, and usually a stash that is filled in some way. The same numbers give the same family.
func Drawn(seed, number uint64) (Family, error) {
	r := rand.New(rand.NewPCG(seed, number))
	crd, table := (&weave.Tables{Rand: r}).Generate()
	name := fmt.Sprintf("table %d-%d", seed, number)
	c, err := conversion.Compile(crd, table)
	if err != nil {
		return Family{}, fmt.Errorf("%s: %w", name, err)
	}
	rows, err := json.Marshal(table)
	if err != nil {
		return Family{}, fmt.Errorf("%s: %w", name, err)
	}
	d := drawer{subject{c, name}, r, string(rows)}
	return d.family(), nil
}

// drawer draws families for one table.
type drawer struct {
	subject
	*rand.Rand
	rows string // the table as JSON
}

func pick[T any](r *rand.Rand, all []T) T { return all[r.IntN(len(all))] }

func (d *drawer) family() Family {
	order := d.Perm(len(d.Versions()))
	from, to := d.Versions()[order[0]], d.Versions()[order[1]]
	p := pick(d.Rand, places(d.Schema(from)))
	way := pick(d.Rand, growths[p.kind])
	f := Family{Name: fmt.Sprintf("%s from %s to %s: %s at %s", d.name, from, to, way.name, p), Converter: d, To: to, Size: 300_000, Law: Ordinary(), group: "drawn"}
	if strings.Contains(d.rows, `"cel":`) || strings.Contains(d.rows, `"join":`) {
		f.Law = Computed()
	}
	if way.tiny {
		f.Law = Tiny(f.Law)
	}
	// In elements, many small values may grow.
	each := f.Size
	if slices.Contains(p.at, element) && p.kind != text {
		each = pick(d.Rand, []int{f.Size, f.Size, 3000, 30})
		f.Name += fmt.Sprintf(" of up to %d bytes each", each)
	}
	// The result must be the same for every call.
	seed := d.Uint64()
	var grown string
	body := func(size int) string {
		g := grower{rand.New(rand.NewPCG(seed, 0)), min(size, each)}
		whole := within(d.Schema(from), p.at, max(size/each, 1), func() string {
			grown = way.grow(g, p.of)
			return grown
		})
		return strings.TrimSuffix(strings.TrimPrefix(whole, "{"), "}")
	}
	if p.kind == text && strings.Contains(d.rows, `"text":"yaml"`) {
		f.Law = YAMLText(f.Law, func([]byte) []byte {
			var t string
			_ = json.Unmarshal([]byte(grown), &t) // it was written here
			return []byte(t)
		})
	}
	what, stashed := d.stash(from, to, p)
	f.Name += what
	f.Object = func(size int) []byte {
		if stashed == nil {
			return d.object(from, body(size), nil)
		}
		return d.object(from, body(size-size/3), stashed(size/3))
	}
	return f
}

// stash returns a way to write the stash of a version in objects of another one, and its name. The
// entries are usually about the field that grows, if that version has it.
func (d *drawer) stash(from, of string, grown place) (what string, stashed func(size int) map[string]string) {
	if d.IntN(4) == 0 {
		return "", nil
	}
	all := places(d.Schema(of))
	about := pick(d.Rand, all)
	for _, p := range all {
		if p.String() == grown.String() && d.IntN(3) > 0 {
			about = p
		}
	}
	fills := forgeries()
	filled := pick(d.Rand, slices.Sorted(maps.Keys(fills)))
	mark, whose := otherTable, "another table"
	if own := d.mark(of, from); own != "" && d.IntN(2) == 0 {
		mark, whose = own, "this table"
	}
	name := stash.Prefix + of
	if about.at[0] == "status" {
		name += stash.StatusSuffix
	}
	return fmt.Sprintf(", %s of %s about %s", filled, whose, about), func(size int) map[string]string {
		f := about.forger()
		f.room = min(size, maxStash)
		return map[string]string{name: kept(mark, fills[filled](f))}
	}
}

// forger returns a forger of stashes about a place. If elements are on the way, it is about the
// first.
func (p place) forger() forger {
	f := forger{key: "name", inside: "name"}
	for _, name := range p.at {
		if name == element {
			f.at = append(f.at, f.keyedStep(0))
			continue
		}
		f.at = append(f.at, step(name))
	}
	if s := p.of; s.Items != nil && s.Items.Schema != nil {
		if len(s.XListMapKeys) > 0 {
			f.key = s.XListMapKeys[0]
		}
		if names := slices.Sorted(maps.Keys(s.Items.Schema.Properties)); len(names) > 0 {
			f.inside = names[0]
		}
	}
	return f
}
