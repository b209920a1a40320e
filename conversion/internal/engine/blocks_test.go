package engine

import "testing"

// What is taken never moves, is zero at first, and is nobody else's until it is forgotten.
func TestBlocks(t *testing.T) {
	var b blocks[int]
	taken := 0
	var all [][]int
	take := func(n int) {
		t.Helper()
		values := b.take(n)
		if len(values) != n || cap(values) != n {
			t.Fatalf("%d values with room for %d were taken instead of %d", len(values), cap(values), n)
		}
		for i := range values {
			if values[i] != 0 {
				t.Fatalf("value %d of %d is %d before anybody has written it", i, n, values[i])
			}
			taken++
			values[i] = taken
		}
		all = append(all, values)
	}
	check := func() {
		t.Helper()
		want := 0
		for _, values := range all {
			for _, value := range values {
				if want++; value != want {
					t.Fatalf("value %d is %d", want, value)
				}
			}
		}
	}
	for range 3 {
		take(5)
		take(3 * mostBlock)
		take(1)
		for n := range 300 {
			take(n)
		}
		check()
		for n := range 200 {
			take(7 * n)
		}
		check()
		b.forget()
		all, taken = nil, 0
	}
	size := 0
	for _, block := range b.all {
		size += len(block)
	}
	if most := 3*mostBlock + 2*7*200*199/2; size > most {
		t.Errorf("the blocks have %d values for %d at most, though they are used again", size, most)
	}
}
