package engine

import (
	"reflect"
	"slices"
	"testing"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
)

// scopes are one whose frames have all their slots from the start, and one whose frames
// have them in groups.
func scopes() map[string]*plan.Scope {
	of := func(n int) *plan.Scope {
		return &plan.Scope{Nodes: [2][]plan.Node{make([]plan.Node, n), make([]plan.Node, n)}}
	}
	return map[string]*plan.Scope{"few": of(fewSlots), "many": of(10 * fewSlots)}
}

func newConversion() *conversion {
	c := pool.New().(*conversion)
	c.job.Plan = &plan.Plan{}
	return c
}

// What is written into one slot is there, in no other, and it stays where it is.
func TestSlots(t *testing.T) {
	for name, scope := range scopes() {
		c, n := newConversion(), int32(len(scope.Nodes[0]))
		f := c.newFrame(scope, 0)
		for node := range n {
			if s := c.peek(f, node); !s.isNothing() {
				t.Errorf("%s: slot %d is %+v before anybody has written it", name, node, s)
			}
		}
		s := c.at(f, n-2)
		s.state, s.text = raw, []byte("1")
		for range 1000 {
			c.at(c.newFrame(scope, 1), 1).state = gone
		}
		if c.at(f, n-2) != s || c.peek(f, n-2) != s {
			t.Errorf("%s: the slot has moved", name)
		}
		for node := range n {
			if node != n-2 && !c.peek(f, node).isNothing() {
				t.Errorf("%s: slot %d was written, too", name, node)
			}
		}
		if !c.blank.isNothing() {
			t.Errorf("%s: the blank slot is %+v", name, c.blank)
		}
		c.clear(f, n-2)
		c.clear(f, n-1)
		if !s.isNothing() || !c.blank.isNothing() {
			t.Errorf("%s: cleared, the slot is %+v, and the blank one %+v", name, s, c.blank)
		}
	}
}

// A frame that is reset is as it was saved, with those slots that were made since.
func TestSaved(t *testing.T) {
	for name, scope := range scopes() {
		c, n := newConversion(), int32(len(scope.Nodes[0]))
		f := c.newFrame(scope, 0)
		c.at(f, n-1).state = raw
		c.at(f, 0).state = object
		before := c.save(f)
		c.at(f, 0).state = gone
		c.at(f, n/2).state = list
		c.clear(f, n-1)
		if was := before.slot(n - 1); was == nil || was.state != raw {
			t.Errorf("%s: saved was %+v", name, was)
		}
		if was := before.slot(n / 2); was != nil && !was.isNothing() {
			t.Errorf("%s: saved was %+v where nothing was", name, was)
		}
		c.reset(f, before)
		for node := range n {
			want := map[int32]state{0: object, n - 1: raw}[node]
			if is := c.peek(f, node).state; is != want {
				t.Errorf("%s: slot %d is %d and not %d", name, node, is, want)
			}
		}
	}
}

// What is forgotten, and what a conversion has left behind, takes no room any more.
func TestNothingIsLeft(t *testing.T) {
	for name, scope := range scopes() {
		c, n := newConversion(), int32(len(scope.Nodes[0]))
		if is := c.height(); is != (height{}) {
			t.Errorf("%s: there is %+v at first", name, is)
		}
		fill := func() {
			f := c.newFrame(scope, 0)
			c.at(f, n-1).state = raw
			c.runs = append(c.runs, run{})
			c.unknowns = append(c.unknowns, unknown{})
		}
		fill()
		before := c.height()
		fill()
		c.forget(before)
		if is := c.height(); is != before {
			t.Errorf("%s: after forget there is %+v, and there was %+v", name, is, before)
		}
		c.release()
		if is := c.height(); is != (height{}) {
			t.Errorf("%s: after release there is %+v", name, is)
		}
		for i, block := range c.made.all {
			for j, fr := range block {
				if fr.scope != nil {
					t.Errorf("%s: frame %d of block %d is still %+v", name, j, i, fr)
				}
			}
		}
	}
}

// To forget leaves alone what was made before it, and slots that such a frame has got since.
func TestForget(t *testing.T) {
	for name, scope := range scopes() {
		c, n := newConversion(), int32(len(scope.Nodes[0]))
		f := c.newFrame(scope, 0)
		c.at(f, 0).state = object
		outer := c.height()
		c.newFrame(scope, 0)
		inner := c.height()
		g := c.newFrame(scope, 0)
		c.at(g, n-1).state = list
		c.at(f, n-1).state = raw
		c.forget(inner)
		c.at(f, n/2).state = gone
		c.forget(outer)
		for range 100 {
			g := c.newFrame(scope, 1)
			for node := range n {
				if s := c.at(g, node); !s.isNothing() {
					t.Fatalf("%s: slot %d of a new frame is %+v", name, node, s)
				}
				c.at(g, node).state = parted
			}
		}
		got := []state{c.peek(f, 0).state, c.peek(f, n/2).state, c.peek(f, n-1).state}
		if want := []state{object, gone, raw}; !slices.Equal(got, want) {
			t.Errorf("%s: the slots are %v and not %v", name, got, want)
		}
	}
}

// Whatever is written into a slot, it is no longer nothing.
func TestIsNothing(t *testing.T) {
	if s := nothing; !s.isNothing() {
		t.Error("nothing is something")
	}
	of := reflect.TypeFor[slot]()
	for i := range of.NumField() {
		s := nothing
		// The fields are not exported, so the bytes are written.
		field := reflect.NewAt(of.Field(i).Type, reflect.ValueOf(&s).Elem().Field(i).Addr().UnsafePointer()).Elem()
		switch field.Kind() {
		case reflect.Bool:
			field.SetBool(true)
		case reflect.Int32:
			field.SetInt(7)
		case reflect.Uint8:
			field.SetUint(1)
		case reflect.Slice:
			field.SetBytes([]byte{})
		default:
			t.Fatalf("slot.%s is of a type that this test does not know", of.Field(i).Name)
		}
		if s.isNothing() {
			t.Errorf("a slot is nothing though its %s is written", of.Field(i).Name)
		}
	}
}
