package oracle

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/crosswalk-dev/crosswalk/e2e/internal/stage"
	"sigs.k8s.io/yaml"
)

// oracleProgram is the path of Kubernetes' converters.
type oracleProgram string

// oracleCase is one object and what Kubernetes makes of it.
type oracleCase struct {
	From      string          `json:"from"`
	To        string          `json:"to"`
	Object    json.RawMessage `json:"object"`
	Converted json.RawMessage `json:"converted"`
	Back      json.RawMessage `json:"back"` // Converted, converted back, where that is not Object
}

func findProgram(t *testing.T) oracleProgram {
	t.Helper()
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

// cases hands over objects of a kind one by one, as the program makes them.
func (p oracleProgram) cases(t *testing.T, kind string, n int, use func(oracleCase)) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), string(p), "cases", kind, "--count", strconv.Itoa(n), "--seed", strconv.Itoa(seed))
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	decoder := json.NewDecoder(bufio.NewReaderSize(out, 1<<20))
	seen := 0
	for ; ; seen++ {
		var c oracleCase
		if err := decoder.Decode(&c); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		use(c)
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
