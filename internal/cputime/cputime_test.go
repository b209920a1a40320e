package cputime

import (
	"os"
	"os/exec"
	"testing"
	"time"
)

// busy keeps one processor at work for some time of the process's CPU.
func busy(d time.Duration) {
	for end := Spent() + d; Spent() < end; {
	}
}

// isOther marks the process that TestOf starts.
const isOther = "CPUTIME_OTHER"

func TestOf(t *testing.T) {
	if os.Getenv(isOther) != "" {
		busy(500 * time.Millisecond)
		return
	}
	const most = 5 * time.Second // of the garbage collector and the like
	if took := Of(func() { busy(50 * time.Millisecond) }); took < 50*time.Millisecond || took > most {
		t.Errorf("work of 50 ms took %v", took)
	}
	// Neither waiting counts nor what another process does meanwhile.
	other := exec.Command(os.Args[0], "-test.run=^TestOf$")
	other.Env = append(os.Environ(), isOther+"=1")
	var err error
	if took := Of(func() { err = other.Run() }); err != nil || took > 250*time.Millisecond {
		t.Errorf("waiting for another process's work of 500 ms took %v: %v", took, err)
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
