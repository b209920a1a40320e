// Prove judges the conversion engine by generated tables and objects until a number
// of cases is reached: make prove. With --cost it judges what conversions cost instead.
// It exits with 1 where a law is broken, or where some class of input was never made.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"github.com/crosswalk-dev/crosswalk/conversion/verify"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "prove:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("prove", flag.ContinueOnError)
	cases := flags.Int("cases", 1_000_000, "how many cases to judge")
	seed := flags.Uint64("seed", 1, "what tables and objects are generated from")
	found := flags.String("found", "", "a folder for counterexamples; without it the first ends the run")
	batch := flags.Uint64("batch", 0, "judge this batch of the seed alone, as counterexamples name it: SEED-BATCH-NUMBER")
	every := flags.Duration("progress", 10*time.Second, "how often to say how far it is")
	cost := flags.Bool("cost", false, "judge what conversions cost, in time and memory, and not what they give")
	examples := flags.String("examples", "examples", "with --cost: the folder of the example tables")
	tables := flags.Int("tables", 200, "with --cost: how many tables to generate besides")
	family := flags.String("family", "", "with --cost: judge the families alone whose names have this, and say what each costs")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *cost {
		return costs(ctx, verify.CostOptions{Examples: os.DirFS(*examples), Tables: *tables, Seed: *seed, Family: *family}, *every, out)
	}
	if *found != "" {
		if err := os.MkdirAll(*found, 0o755); err != nil {
			return err
		}
	}
	p := &proof{cases: *cases, seed: *seed, folder: *found, refusals: map[string]int{}}
	if *batch > 0 {
		p.batch, p.last = *batch-1, *batch
	}
	done := make(chan struct{})
	go func() {
		p.work(ctx)
		close(done)
	}()
	tick := time.NewTicker(*every)
	defer tick.Stop()
	for begin := time.Now(); ; {
		select {
		case <-done:
			return p.end(ctx, out)
		case <-tick.C:
			judged, counterexamples := p.state()
			fmt.Fprintf(out, "%9d cases, %d counterexamples, %s\n", judged, counterexamples, time.Since(begin).Round(time.Second))
		}
	}
}

// proof is a run.
type proof struct {
	cases  int
	seed   uint64
	folder string
	last   uint64 // the batch to end with, or 0

	mu       sync.Mutex
	batch    uint64
	judged   int
	tables   int
	seen     verify.Coverage
	found    []*verify.Counterexample
	refusals map[string]int
}

// tablesInBatch are judged at once by one worker. A batch takes about a second.
const tablesInBatch = 5

// work judges batches of tables on every processor. What is in a batch depends on
// the seed and its number alone.
func (p *proof) work(ctx context.Context) {
	var group sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() {
			for {
				batch, ok := p.next(ctx)
				if !ok {
					return
				}
				stop := 1
				if p.folder != "" {
					stop = 100
				}
				p.add(batch, verify.RunTables(ctx, verify.CompileWithFunctions, verify.Options{Functions: true, Seed: p.seed<<32 | batch, Tables: tablesInBatch, Objects: 5, Stop: stop}))
			}
		})
	}
	group.Wait()
}

func (p *proof) next(ctx context.Context) (uint64, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if ctx.Err() != nil || p.judged >= p.cases || p.last > 0 && p.batch >= p.last || len(p.found) > 0 && p.folder == "" {
		return 0, false
	}
	p.batch++
	return p.batch, true
}

// add adds what one batch has shown.
func (p *proof) add(batch uint64, r *verify.Report) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.judged += r.Cases
	p.tables += r.Compiled
	p.seen.Add(&r.Seen)
	for reason, n := range r.Refusals {
		p.refusals[reason] += n
	}
	for i, c := range r.Found {
		p.found = append(p.found, c)
		if p.folder == "" {
			continue
		}
		name := filepath.Join(p.folder, fmt.Sprintf("%d-%d-%d", p.seed, batch, i))
		data, err := c.Save()
		if err = errors.Join(err, os.WriteFile(name+".yaml", data, 0o644), os.WriteFile(name+".md", []byte(c.Markdown()), 0o644)); err != nil {
			fmt.Fprintln(os.Stderr, "prove:", err)
		}
	}
}

func (p *proof) state() (judged, found int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.judged, len(p.found)
}

// end says what the run has shown.
func (p *proof) end(ctx context.Context, out io.Writer) error {
	fmt.Fprintf(out, "%d cases over %d generated tables\n%s", p.judged, p.tables, &p.seen)
	for reason, n := range p.refusals {
		return fmt.Errorf("%d generated tables were refused: %s", n, reason)
	}
	if len(p.found) > 0 {
		return fmt.Errorf("%d counterexamples; the first:\n%s", len(p.found), p.found[0].Markdown())
	}
	if ctx.Err() != nil {
		return errors.New("interrupted")
	}
	if p.last > 0 {
		return nil // one batch does not hold every class
	}
	if missing := p.seen.Missing(verify.Classes()); len(missing) > 0 {
		return fmt.Errorf("these classes of input were never made: %q", missing)
	}
	return nil
}
