package certs

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"testing"
)

// TestManyProcessesAtOnce starts several processes on one empty folder. They
// must all end up with one CA and one serving pair.
func TestManyProcessesAtOnce(t *testing.T) {
	const child = "CERTS_TEST_DIR"
	if dir := os.Getenv(child); dir != "" {
		a, err := NewAuthority(AuthorityOptions{Dir: dir, Names: []string{"localhost"}})
		if err != nil {
			t.Fatal(err)
		}
		p := current(t, a)
		fmt.Printf("serves %x %x\n", p.Leaf().SerialNumber, p.CABundle)
		return
	}
	dir := t.TempDir()
	outputs := make([][]byte, 6)
	var group sync.WaitGroup
	for i := range outputs {
		group.Go(func() {
			cmd := exec.Command(os.Args[0], "-test.run=^TestManyProcessesAtOnce$")
			cmd.Env = append(os.Environ(), child+"="+dir)
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Errorf("%v\n%s", err, out)
			}
			outputs[i], _, _ = bytes.Cut(out, []byte("\n"))
		})
	}
	group.Wait()
	for _, out := range outputs {
		if !bytes.HasPrefix(out, []byte("serves ")) || !bytes.Equal(out, outputs[0]) {
			t.Errorf("two processes serve different pairs:\n%.60s\n%.60s", out, outputs[0])
		}
	}
}
