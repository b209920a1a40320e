package command

import (
	"bytes"
	"testing"
)

// On a terminal there is one line, which is erased; elsewhere there are lines.
func TestProgress(t *testing.T) {
	var out bytes.Buffer
	p := newProgress(&out)
	p.say("one")
	p.say("two")
	p.stop()
	if got := out.String(); got != "one\ntwo\n" {
		t.Errorf("got %q", got)
	}
	out.Reset()
	p = newProgress(&out)
	p.terminal = true
	p.say("one")
	p.say("two")
	p.stop()
	p.stop()
	if got := out.String(); got != "one\r\x1b[Ktwo\r\x1b[K" {
		t.Errorf("got %q", got)
	}
}
