package webhook

import "testing"

func TestBufferClasses(t *testing.T) {
	tests := []struct{ n, want int }{
		{0, 16 << 10}, {1, 16 << 10}, {16 << 10, 16 << 10},
		{16<<10 + 1, 32 << 10}, {1 << 20, 1 << 20}, {1<<20 + 1, 2 << 20}, {16 << 20, 16 << 20},
		{16<<20 + 1, 16<<20 + 1}, // beyond the classes: as asked, and not kept
	}
	for _, test := range tests {
		var pool buffers
		if b := pool.get(test.n); cap(b.bytes) != test.want || len(b.bytes) != 0 || pool.size(test.n) != test.want {
			t.Errorf("get(%d) has room for %d and holds %d, want room for %d", test.n, cap(b.bytes), len(b.bytes), test.want)
		}
	}
}

// TestBuffersAreOfTheirClass: what a request gets has the size of its class, whatever was
// put back.
func TestBuffersAreOfTheirClass(t *testing.T) {
	var pool buffers
	for _, size := range []int{0, 1, 1000, 16 << 10, 20_000, 1<<20 - 1, 1 << 20, 3 << 20, 64 << 20} {
		for range 10 {
			pool.put(&buffer{make([]byte, 5, max(size, 5))})
		}
	}
	for _, n := range []int{1, 20_000, 1 << 20, 2 << 20, 64 << 20} {
		for range 30 {
			if b := pool.get(n); cap(b.bytes) != pool.size(n) || len(b.bytes) != 0 {
				t.Errorf("get(%d) has room for %d and holds %d", n, cap(b.bytes), len(b.bytes))
			}
		}
	}
}
