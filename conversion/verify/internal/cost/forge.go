package cost

import (
	"fmt"
	"slices"
	"strings"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
)

// maxStash is the maximal length of a forged stash in bytes. The API server accepts 256 KiB of
// annotations with their names (k8s.io/apimachinery/pkg/api/validation).
const maxStash = 250 << 10

// otherTable is a mark that no compiler returns.
const otherTable = "abcdefgh"

// forger fills stashes about a place of the version that owns them.
type forger struct {
	// at is the address of the place.
	at []stash.Step
	// key is the member that identifies elements, and inside another member of theirs.
	key, inside string
	// room is how many bytes the entries may take.
	room int
}

// forgeries returns the ways to fill a stash that no conversion has written, by their names. They
// have entries and steps of every kind.
func forgeries() map[string]func(f forger) []stash.Entry {
	all := map[string]func(f forger) []stash.Entry{
		"values of one place": func(f forger) []stash.Entry {
			return f.entries(func(int) stash.Entry { return stash.Entry{At: f.way(), Value: []byte("1")} })
		},
		"values of many members": func(f forger) []stash.Entry {
			return f.entries(func(n int) stash.Entry { return stash.Entry{At: f.way(namedStep(n)), Value: []byte("1")} })
		},
		"values of parts": func(f forger) []stash.Entry {
			return f.entries(func(n int) stash.Entry {
				return stash.Entry{At: f.way(stash.Step{Part: fmt.Appendf(nil, "p%d", n)}, f.keyedStep(n), f.member()), Value: []byte("1")}
			})
		},
		"orders of parts": func(f forger) []stash.Entry {
			return f.order(func(n int) stash.Item { return stash.Item{Part: fmt.Appendf(nil, "p%d", n%3), Step: f.keyedStep(n)} })
		},
		"orders of whole elements": func(f forger) []stash.Entry {
			return f.order(func(n int) stash.Item { return stash.Item{Value: fmt.Appendf(nil, `{%q:"v%d"}`, f.key, n)} })
		},
		"orders of equal whole elements": func(f forger) []stash.Entry {
			return f.order(func(int) stash.Item { return stash.Item{Value: []byte("{}")} })
		},
		"many orders of whole elements": func(f forger) []stash.Entry {
			return f.entries(func(n int) stash.Entry {
				return stash.Entry{At: f.way(), Order: []stash.Item{{Step: f.keyedStep(n)}, {Value: []byte("{}")}}}
			})
		},
		"equal orders of whole elements": func(f forger) []stash.Entry {
			return f.entries(func(int) stash.Entry {
				return stash.Entry{At: f.way(), Order: []stash.Item{{Value: fmt.Appendf(nil, `{%q:"new"}`, f.key)}}}
			})
		},
		"one long list": func(f forger) []stash.Entry {
			return []stash.Entry{{At: f.way(), Value: []byte("[" + strings.Repeat("{},", f.room/3) + "{}]")}}
		},
		"one deep value": func(f forger) []stash.Entry {
			depth := min(f.room/2, 9000)
			return []stash.Entry{{At: f.way(), Value: []byte(strings.Repeat("[", depth) + strings.Repeat("]", depth))}}
		},
		"the whole spec": func(f forger) []stash.Entry {
			return f.entries(func(n int) stash.Entry {
				return stash.Entry{At: []stash.Step{{Name: []byte("spec")}}, Value: fmt.Appendf(nil, `{"k%d":1}`, n)}
			})
		},
		"labels": func(f forger) []stash.Entry {
			return f.entries(func(n int) stash.Entry {
				return stash.Entry{At: []stash.Step{{Name: []byte("metadata")}, {Name: []byte("labels")}, namedStep(n)}, Value: []byte(`"x"`)}
			})
		},
		"annotations": func(f forger) []stash.Entry {
			return f.entries(func(n int) stash.Entry {
				return stash.Entry{At: []stash.Step{{Name: []byte("metadata")}, {Name: []byte("annotations")}, namedStep(n)}, Value: []byte(`"x"`)}
			})
		},
		"long addresses": func(f forger) []stash.Entry {
			return f.entries(func(n int) stash.Entry {
				at := f.way()
				for range 1000 {
					at = append(at, namedStep(n%7))
				}
				return stash.Entry{At: at, Value: []byte("1")}
			})
		},
	}
	for how, step := range map[string]func(f forger, n int) stash.Step{
		"by key":     forger.keyedStep,
		"by name":    func(_ forger, n int) stash.Step { return namedStep(n) },
		"by content": func(_ forger, n int) stash.Step { return stash.Step{Content: []byte("abcdefghijk"), Nth: n} },
		"by content that lacks something": func(_ forger, n int) stash.Step {
			return stash.Step{Content: []byte("abcdefghijk"), Nth: n, Live: fmt.Appendf(nil, "abcdefghijk.a%d", n)}
		},
	} {
		each := func(what string, entry func(f forger, s stash.Step) stash.Entry) {
			all[what+" "+how] = func(f forger) []stash.Entry {
				return f.entries(func(n int) stash.Entry { return entry(f, step(f, n)) })
			}
		}
		each("values in elements", func(f forger, s stash.Step) stash.Entry {
			return stash.Entry{At: f.way(s, f.member()), Value: []byte(`"x"`)}
		})
		each("guarded values in elements", func(f forger, s stash.Step) stash.Entry {
			return stash.Entry{At: f.way(s, f.member()), Value: []byte(`"x"`), Guard: []byte("abcdefghijk")}
		})
		each("whole elements", func(f forger, s stash.Step) stash.Entry {
			return stash.Entry{At: f.way(s), Value: []byte("{}")}
		})
		each("absences of elements", func(f forger, s stash.Step) stash.Entry {
			return stash.Entry{At: f.way(s)}
		})
		each("orders in elements", func(f forger, s stash.Step) stash.Entry {
			return stash.Entry{At: f.way(s, f.member()), Order: []stash.Item{{Step: s}, {Value: []byte("{}")}}}
		})
		each("equal orders", func(f forger, _ stash.Step) stash.Entry {
			return stash.Entry{At: f.way(), Order: []stash.Item{{Step: step(f, 0)}, {Step: step(f, 1)}}}
		})
		all["an order of elements "+how] = func(f forger) []stash.Entry {
			return f.order(func(n int) stash.Item { return stash.Item{Step: step(f, n)} })
		}
	}
	return all
}

// way returns the address of the place, with more steps.
func (f forger) way(more ...stash.Step) []stash.Step { return append(slices.Clone(f.at), more...) }

// member returns the step to a member that elements may have.
func (f forger) member() stash.Step { return stash.Step{Name: []byte(f.inside)} }

// keyedStep returns the step to the element of a key.
func (f forger) keyedStep(n int) stash.Step {
	return stash.Step{Key: fmt.Appendf(nil, `{%q:"a%d"}`, f.key, n)}
}

// namedStep returns the step to a member of a map.
func namedStep(n int) stash.Step { return stash.Step{Name: fmt.Appendf(nil, "a%d", n)} }

// entries returns as many entries as there is room for.
func (f forger) entries(entry func(n int) stash.Entry) []stash.Entry {
	var w stash.Writer
	var all []stash.Entry
	for n := 0; w.Size() < f.room; n++ {
		e := entry(n)
		w.Add(e)
		all = append(all, e)
	}
	return all
}

// order returns one entry with as many items as there is room for.
func (f forger) order(item func(n int) stash.Item) []stash.Entry {
	e := stash.Entry{At: f.way()}
	for n, size := 0, 0; size < f.room; n++ {
		i := item(n)
		var w stash.Writer
		w.Add(stash.Entry{Order: []stash.Item{i}})
		e.Order, size = append(e.Order, i), size+w.Size()-len(`{"format":1,"entries":[{"at":[],"order":[]}]}`)
	}
	return []stash.Entry{e}
}

// step returns the step to a member.
func step(name string) stash.Step { return stash.Step{Name: []byte(name)} }

// kept returns a stash in the form of an annotation.
func kept(mark string, entries []stash.Entry) string {
	w := stash.Writer{Table: mark}
	for _, e := range entries {
		w.Add(e)
	}
	return string(w.Text())
}
