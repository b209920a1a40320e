package engine

import (
	"reflect"
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
			c.at(c.newFrame(scope, 1), 1).state = list
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

// What a conversion has left behind takes no room any more, and is in no slot of the next one.
func TestNothingIsLeft(t *testing.T) {
	for name, scope := range scopes() {
		c, n := newConversion(), int32(len(scope.Nodes[0]))
		for range 3 {
			f := c.newFrame(scope, 0)
			for node := range n {
				s := c.at(f, node)
				if !s.isNothing() {
					t.Fatalf("%s: slot %d of a new frame is %+v", name, node, s)
				}
				s.state = parted
			}
			c.runs = append(c.runs, run{text: []byte("1")})
			c.unknowns = append(c.unknowns, unknown{name: []byte("a")})
			c.release()
			if len(c.frames)+len(c.runs)+len(c.unknowns) > 0 || c.runs[:1][0].text != nil || c.unknowns[:1][0].name != nil {
				t.Errorf("%s: after release there are %d frames, %d runs and %d unknown members", name, len(c.frames), len(c.runs), len(c.unknowns))
			}
			for i, block := range c.memory.frames.all {
				for j, fr := range block {
					if fr.scope != nil {
						t.Errorf("%s: frame %d of block %d is still %+v", name, j, i, fr)
					}
				}
			}
			c.job.Plan = &plan.Plan{}
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
