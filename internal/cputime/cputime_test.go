//go:build unix

package cputime

import (
	"testing"
	"time"
)

// busy keeps one processor at work for some time of the process's CPU.
func busy(d time.Duration) {
	for end := spent() + d; spent() < end; {
	}
}

func TestOf(t *testing.T) {
	const most = 5 * time.Second // of the garbage collector and the like
	if took := Of(func() { busy(50 * time.Millisecond) }); took < 50*time.Millisecond || took > most {
		t.Errorf("work of 50 ms took %v", took)
	}
	// What waits does not work.
	const wait = time.Second
	if took := Of(func() { time.Sleep(wait) }); took > wait/2 {
		t.Errorf("waiting for %v took %v", wait, took)
	}
}

func TestLeast(t *testing.T) {
	works := []time.Duration{300 * time.Millisecond, 20 * time.Millisecond, 400 * time.Millisecond}
	runs := 0
	least := Least(len(works), func() {
		busy(works[runs])
		runs++
	})
	if runs != len(works) || least < works[1] || least >= works[0] {
		t.Errorf("%d runs, of which the least took %v", runs, least)
	}
}
