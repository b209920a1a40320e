package patch

// maxTable bounds the table for finding out which elements of two lists stay: 64 elements
// against 64, without the common elements at the beginning and the end. Longer lists that were
// changed in the middle are compared element by element.
const maxTable = 64 * 64

// align pairs elements of two lists such that as many as possible are equal. Changed elements
// between them are paired in order.
func (d *Differ) align(a, b int32) {
	mark := len(d.children)
	for x := range d.from.inside(a) {
		d.children = append(d.children, x)
	}
	middle := len(d.children)
	for y := range d.to.inside(b) {
		d.children = append(d.children, y)
	}
	xs, ys := d.children[mark:middle], d.children[middle:]
	for _, x := range xs {
		d.from.nodes[x].mate = none
	}
	for _, y := range ys {
		d.to.nodes[y].mate = none
	}
	for len(xs) > 0 && len(ys) > 0 && d.alike(xs[0], ys[0]) {
		d.marry(xs[0], ys[0])
		xs, ys = xs[1:], ys[1:]
	}
	for len(xs) > 0 && len(ys) > 0 && d.alike(xs[len(xs)-1], ys[len(ys)-1]) {
		d.marry(xs[len(xs)-1], ys[len(ys)-1])
		xs, ys = xs[:len(xs)-1], ys[:len(ys)-1]
	}
	if len(xs)*len(ys) <= maxTable {
		d.keep(xs, ys)
	} else {
		d.pair(xs, ys)
	}
	d.children = d.children[:mark]
}

// keep finds a longest common subsequence of two lists and pairs what is between.
func (d *Differ) keep(xs, ys []int32) {
	n, m := len(xs), len(ys)
	if n == 0 || m == 0 {
		return
	}
	// longest[i*(m+1)+j] is the length for xs[i:] and ys[j:].
	longest := make([]int8, (n+1)*(m+1))
	for i := n - 1; i >= 0; i-- {
		for j := m - 1; j >= 0; j-- {
			at := i*(m+1) + j
			if d.alike(xs[i], ys[j]) {
				longest[at] = longest[at+m+2] + 1
			} else {
				longest[at] = max(longest[at+m+1], longest[at+1])
			}
		}
	}
	i, j := 0, 0 // everything before is settled
	for u, v := 0, 0; u < n && v < m; {
		at := u*(m+1) + v
		switch {
		case d.alike(xs[u], ys[v]):
			d.pair(xs[i:u], ys[j:v])
			d.marry(xs[u], ys[v])
			u, v = u+1, v+1
			i, j = u, v
		case longest[at+m+1] >= longest[at+1]:
			u++
		default:
			v++
		}
	}
	d.pair(xs[i:], ys[j:])
}

// pair pairs elements by position. The remaining elements of the longer list are removed or
// added.
func (d *Differ) pair(xs, ys []int32) {
	for i := range min(len(xs), len(ys)) {
		d.marry(xs[i], ys[i])
	}
}

func (d *Differ) marry(x, y int32) {
	d.from.nodes[x].mate, d.to.nodes[y].mate = y, x
}

// alike reports whether two elements are almost certainly equal. A wrong answer only makes the
// patch longer, because the caller compares them.
func (d *Differ) alike(x, y int32) bool {
	return d.sameText(x, y) || d.from.kind(x) == d.to.kind(y) && d.hasher.hash(&d.from, x) == d.hasher.hash(&d.to, y)
}
