package webhook

// partSize is the size of the buffers that a large body or answer is divided into. It is the
// size of a class.
const partSize = 1 << 20

// answerTo estimates the length of the answer to n bytes: a stash seldom adds more than a
// quarter.
func answerTo(n int) int { return n + n/4 + 256 }

// output is an answer in parts of about a megabyte. So it is not copied when it becomes longer
// than expected, and its memory is freed while it is sent. An object is never divided.
type output struct {
	buffers *buffers
	// full are the complete parts, and held is their size in bytes. tail is the last part.
	full []*buffer
	held int
	tail *buffer
}

// begin makes room for the answer to objects of n bytes.
func (o *output) begin(b *buffers, n int) {
	o.buffers, o.tail = b, b.get(min(answerTo(n), partSize))
}

// next makes room for an object of n bytes when converted. rest is the size of the objects that
// are still to be converted.
func (o *output) next(n, rest int) {
	n = answerTo(n)
	if free := cap(o.tail.bytes) - len(o.tail.bytes); n <= free {
		return
	}
	if len(o.tail.bytes) > 0 {
		o.full = append(o.full, o.tail)
		o.held += cap(o.tail.bytes)
	} else {
		o.buffers.put(o.tail)
	}
	o.tail = o.buffers.get(max(n, min(answerTo(rest), partSize)))
}

// size returns how much memory the answer takes.
func (o *output) size() int { return o.held + cap(o.tail.bytes) }

// len returns the length of the answer.
func (o *output) len() int {
	n := len(o.tail.bytes)
	for _, part := range o.full {
		n += len(part.bytes)
	}
	return n
}

// restart drops what has been written.
func (o *output) restart() {
	for _, part := range o.full {
		o.buffers.put(part)
	}
	o.full, o.held = o.full[:0], 0
	o.tail.bytes = o.tail.bytes[:0]
}

// send sends the answer to the client, and returns the memory of each part that was sent. The
// answer is empty afterwards, even if sending fails.
func (o *output) send(p *peer) error {
	defer o.end()
	for _, part := range o.full {
		if err := p.send(part.bytes, o.size()); err != nil {
			return err
		}
		p.share.Moved(len(part.bytes))
		o.held -= cap(part.bytes)
		o.buffers.put(part)
	}
	o.full = o.full[:0]
	return p.send(o.tail.bytes, cap(o.tail.bytes))
}

// end forgets the answer.
func (o *output) end() {
	if o.tail != nil {
		o.buffers.put(o.tail)
	}
	clear(o.full) // some parts were returned, and some not
	*o = output{full: o.full[:0]}
}
