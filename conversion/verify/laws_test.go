package verify

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"
)

func TestExplore(t *testing.T) {
	t0 := time.Now()
	n := 200
	fmt.Sscan(os.Getenv("N"), &n)
	seed := uint64(1)
	fmt.Sscan(os.Getenv("SEED"), &seed)
	r := RunTables(context.Background(), Compile, Options{Seed: seed, Tables: n, Objects: 5, Stop: 1000})
	laws := map[string]int{}
	for i, f := range r.Found {
		laws[string(f.Law)+" "+f.Problem]++
		os.WriteFile(fmt.Sprintf("/tmp/team/scratch/%03d.md", i), []byte(f.Markdown()), 0o644)
	}
	for k, v := range r.Refusals {
		fmt.Println(v, k)
	}
	for k, v := range laws {
		fmt.Println(v, k)
	}
	fmt.Println("cases", r.Cases, "compiled", r.Compiled, "refused", r.Refused, "found", len(r.Found), time.Since(t0))
}
