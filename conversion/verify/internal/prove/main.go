// Prove checks the conversion engine with generated tables and objects until a number of cases
// is reached: make prove. With --cost it checks what conversions cost instead. It exits with 1
// if a law is broken, or if some class of input was never generated.
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
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/cost"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/proof"
)

func main() {
	if err := cost.StopTheWorld(); err != nil {
		fmt.Fprintln(os.Stderr, "prove:", err)
		os.Exit(1)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "prove:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("prove", flag.ContinueOnError)
	cases := flags.Int("cases", 1_000_000, "how many cases to try")
	seed := flags.Uint64("seed", 1, "seed of the generated tables and objects")
	found := flags.String("found", "", "folder for counterexamples; without it the first one ends the run")
	batch := flags.Uint64("batch", 0, "try only this batch of the seed; counterexamples are named SEED-BATCH-NUMBER")
	every := flags.Duration("progress", 10*time.Second, "how often to print progress")
	measures := flags.Bool("cost", false, "check the time and memory of conversions instead of their results")
	examples := flags.String("examples", "examples", "with --cost: folder of the example tables")
	tables := flags.Int("tables", 200, "with --cost: how many tables to generate as well")
	family := flags.String("family", "", "with --cost: check only the families whose names contain this, and print the cost of each")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *measures {
		return costs(ctx, proof.CostOptions{Examples: os.DirFS(*examples), Tables: *tables, Seed: *seed, Family: *family}, *every, out)
	}
	if *found != "" {
		if err := os.MkdirAll(*found, 0o755); err != nil {
			return err
		}
	}
	p := &process{cases: *cases, seed: *seed, folder: *found, refusals: map[string]int{}}
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

// process is a run of many batches.
type process struct {
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

// tablesInBatch is how many tables a worker tries together. A batch takes about a second.
const tablesInBatch = 5

// work tries batches of tables on every processor. The content of a batch depends only on the
// seed and the batch's number.
func (p *process) work(ctx context.Context) {
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
				p.add(batch, proof.Run(ctx, proof.Compile, proof.Options{Seed: p.seed<<32 | batch, Tables: tablesInBatch, Objects: 5, Stop: stop}))
			}
		})
	}
	group.Wait()
}

func (p *process) next(ctx context.Context) (uint64, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if ctx.Err() != nil || p.judged >= p.cases || p.last > 0 && p.batch >= p.last || len(p.found) > 0 && p.folder == "" {
		return 0, false
	}
	p.batch++
	return p.batch, true
}

// add adds the result of one batch.
func (p *process) add(batch uint64, r *proof.Report) {
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

func (p *process) state() (judged, found int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.judged, len(p.found)
}

// end prints the result of the run.
func (p *process) end(ctx context.Context, out io.Writer) error {
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
		return nil // one batch does not have every class
	}
	if missing := p.seen.Missing(proof.Classes()); len(missing) > 0 {
		return fmt.Errorf("these classes of input were never generated: %q", missing)
	}
	return nil
}
