package webhook

import "testing"

func TestBufferClasses(t *testing.T) {
	tests := []struct{ n, want int }{
		{0, 16 << 10}, {1, 16 << 10}, {16 << 10, 16 << 10},
		{16<<10 + 1, 32 << 10}, {1 << 20, 1 << 20}, {1<<20 + 1, 2 << 20}, {64 << 20, 64 << 20},
		{64<<20 + 1, 64<<20 + 1}, // beyond the classes: as asked, and not kept
	}
	for _, test := range tests {
		var pool buffers
		if b := pool.get(test.n); cap(b.bytes) != test.want || len(b.bytes) != 0 {
			t.Errorf("get(%d) has room for %d and holds %d, want room for %d", test.n, cap(b.bytes), len(b.bytes), test.want)
		}
	}
}

// TestBuffersAreBounded: what a small request gets is small, whatever was put
// back, and what is put back has the room that its class promises.
func TestBuffersAreBounded(t *testing.T) {
	var pool buffers
	for _, size := range []int{0, 1, 1000, 16 << 10, 20_000, 1<<20 - 1, 1 << 20, 3 << 20, 64 << 20, 64<<20 + 1, 200 << 20} {
		for range 10 {
			pool.put(&buffer{make([]byte, 5, max(size, 5))})
		}
	}
	for _, n := range []int{1, 20_000, 1 << 20, 2 << 20, 5 << 20} {
		for range 30 {
			b := pool.get(n)
			if cap(b.bytes) < n || cap(b.bytes) > 4*max(n, 16<<10) || len(b.bytes) != 0 {
				t.Errorf("get(%d) has room for %d and holds %d", n, cap(b.bytes), len(b.bytes))
			}
		}
	}
	for range 30 {
		if b := pool.get(1 << 26); cap(b.bytes) > 1<<largestClass {
			t.Errorf("a buffer of %d bytes was kept", cap(b.bytes))
		}
	}
}

func TestBufferGrow(t *testing.T) {
	var pool buffers
	b := pool.get(10)
	b.bytes = append(b.bytes, "hello"...)
	b = pool.grow(b, 1<<20)
	if string(b.bytes) != "hello" || cap(b.bytes) < 1<<20 {
		t.Errorf("%q with room for %d", b.bytes, cap(b.bytes))
	}
}
