package verify

import (
	"fmt"
	"strings"

	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// Law is the name of a law.
type Law string

// The laws.
const (
	RoundTrip Law = "L1"
	LiveWins  Law = "L2"
	Kept      Law = "L2 kept"
	Seen      Law = "L2 seen"
	Total     Law = "L3"
	Forged    Law = "L3 forged"
	Stable    Law = "L4"
	Coherent  Law = "L5"
	Native    Law = "L6"
	Guarded   Law = "guard"
	Evolved   Law = "L7"
)

// Case is one application of a law: an object, and the steps to apply to it. It is plain data,
// so that a smaller case can be tried.
type Case struct {
	Law Law
	// Object is the original object; From is its version.
	Object []byte
	From   string
	// Through has the versions that the object is converted to, in turn. L1 and L6 then return
	// to From. L2 edits the object in the first version, and returns to it.
	Through []string
	// Served adds what the API server does between conversions.
	Served bool
	// Edits change the object in the first version (L2).
	Edits []Edit
	// Damage changes a stash of the object in the first version (L3 forged).
	Damage *Damage
}

// Edit changes one field or element of an object. It does nothing if the path does not exist
// any more.
type Edit struct {
	Path tree.Path
	// Insert inserts Value before the element at Path, instead of replacing it.
	Insert bool
	// Value is the new value; nil deletes.
	Value *tree.Value
}

func (e Edit) String() string {
	switch {
	case e.Value == nil:
		return "delete " + e.Path.String()
	case e.Insert:
		return "insert before " + e.Path.String() + ": " + e.Value.String()
	}
	return "set " + e.Path.String() + " = " + e.Value.String()
}

func (e Edit) apply(v *tree.Value) {
	if !e.Insert {
		v.Put(e.Path, e.Value.Clone())
		return
	}
	parent := v.At(e.Path[:len(e.Path)-1])
	i := e.Path[len(e.Path)-1].Index
	if parent == nil || parent.Kind != tree.List || i > len(parent.Items) {
		return
	}
	parent.Items = append(parent.Items[:i:i], append([]*tree.Value{e.Value.Clone()}, parent.Items[i:]...)...)
}

// Counterexample is a case that breaks its law.
type Counterexample struct {
	Case
	Subject *Subject
	// Steps has the conversions of the case.
	Steps []Step
	// Problem says what is wrong, and Diff at which paths.
	Problem string
	Diff    []tree.Difference
}

// Step is one conversion.
type Step struct {
	From, To string
	In, Out  []byte
	Err      error
}

// Error formats a counterexample for a reader: the law, the object, each step, and the fields
// that differ.
func (c *Counterexample) Error() string {
	var b strings.Builder
	served := ""
	if c.Served {
		served = ", through the API server"
	}
	fmt.Fprintf(&b, "%s broken (%s → %s%s): %s\n", c.Law, c.From, strings.Join(c.Through, " → "), served, c.Problem)
	for _, s := range c.Steps {
		fmt.Fprintf(&b, "  %-9s %s\n", s.From, s.In)
		if s.Err != nil {
			fmt.Fprintf(&b, "  → %-7s error: %v\n", s.To, s.Err)
		} else {
			fmt.Fprintf(&b, "  → %-7s %s\n", s.To, s.Out)
		}
	}
	for _, e := range c.Edits {
		fmt.Fprintf(&b, "  edit of the %s view: %s\n", c.Through[0], e)
	}
	if c.Damage != nil {
		fmt.Fprintf(&b, "  damage to the %s view: %s\n", c.Through[0], c.Damage)
	}
	for _, d := range c.Diff {
		fmt.Fprintf(&b, "  %s: want %s, got %s\n", d.Path, d.Left, d.Right)
	}
	return b.String()
}
