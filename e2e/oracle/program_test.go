package oracle

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/crosswalk-dev/crosswalk/e2e/internal/stage"
	"sigs.k8s.io/yaml"
)

// oracleProgram is the path of Kubernetes' converters.
type oracleProgram string

// oracleCase is one object and what Kubernetes makes of it.
type oracleCase struct {
	from, to  string
	object    []byte
	converted []byte
	back      []byte // converted, converted back
}

// inputsVariable is the variable of the environment that tells the go command of all
// that is read here from outside of this module, which it does not see: the program
// and the example. It has another value where any of that is another, and the same
// objects are compared in the same way only once: see test-in-process in the Makefile.
const inputsVariable = "CROSSWALK_ORACLE_INPUTS"

func findProgram(t *testing.T) oracleProgram {
	t.Helper()
	_ = os.Getenv(inputsVariable) // what is asked for is part of what a result is cached by
	path := filepath.Join(stage.Programs(t).Root, "bin", "oracle")
	if _, err := os.Stat(path); err != nil {
		t.Fatalf("%v; build it with `go run ./build oracle` in e2e", err)
	}
	return oracleProgram(path)
}

// run returns what the program prints.
func (p oracleProgram) run(t *testing.T, args ...string) []byte {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), string(p), args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("oracle %v: %v\n%s", args, err, &stderr)
	}
	return out
}

// count is how many objects of each kind are compared, half of them in either
// version. With -short only what always shows is seen: rare differences may be
// missing.
const (
	count      = 10_000
	shortCount = 400
)

// seed is any number: the same one gives the same objects.
const seed = 1

// cases hands over objects of a kind one by one, as the program makes them.
func (p oracleProgram) cases(t *testing.T, kind string, n int, use func(oracleCase)) {
	t.Helper()
	if testing.Short() {
		n = shortCount
	}
	cmd := exec.CommandContext(t.Context(), string(p), "cases", kind, "--count", strconv.Itoa(n), "--seed", strconv.Itoa(seed))
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 1<<24)
	next := func() []byte {
		if !lines.Scan() {
			t.Fatalf("a case ends early: %v", lines.Err())
		}
		return bytes.Clone(lines.Bytes())
	}
	seen := 0
	for ; lines.Scan(); seen++ {
		from, to, _ := strings.Cut(lines.Text(), " ")
		c := oracleCase{from: from, to: to, object: next(), converted: next(), back: next()}
		if len(c.back) == 0 {
			c.back = c.object
		}
		use(c)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	if seen != n {
		t.Errorf("%d cases instead of %d", seen, n)
	}
}

// read reads a file of a kind.
func read(t *testing.T, dir, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func decode(t *testing.T, data []byte, into any) {
	t.Helper()
	if err := yaml.UnmarshalStrict(data, into); err != nil {
		t.Fatal(err)
	}
}
