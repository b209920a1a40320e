package main

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
	"github.com/rogpeppe/go-internal/testscript"
	"k8s.io/apimachinery/pkg/util/wait"
)

// typeDocuments types what the articles about API extension show, as it stands there,
// in a demonstration of example. Each script in testdata/EXAMPLE has the commands and
// manifests of one part, and what they print in this release of Kubernetes.
func typeDocuments(t *testing.T, programs harness.Programs, env []string, example string) {
	scripts, err := filepath.Glob(filepath.Join("testdata", example, "*.txtar"))
	if err != nil || len(scripts) == 0 {
		t.Fatal("no script for", example, err)
	}
	testscript.RunT(inTurn{t}, testscript.Params{
		Files: scripts,
		Setup: func(e *testscript.Env) error {
			e.Vars = append(e.Vars, env...)
			port, err := freePort()
			e.Setenv("PORT", strconv.Itoa(port))
			e.Setenv("EXAMPLES", filepath.Join(programs.Root, "examples"))
			return err
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"fetch": fetch},
	})
}

// inTurn runs scripts one after the other: they share a cluster.
type inTurn struct{ *testing.T }

func (t inTurn) Parallel()     {}
func (t inTurn) Verbose() bool { return testing.Verbose() }
func (t inTurn) Run(name string, f func(testscript.T)) {
	t.T.Run(name, func(t *testing.T) { f(inTurn{t}) })
}

// fetch gets a URL, as curl does, once somebody listens there.
func fetch(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: fetch URL")
	}
	var resp *http.Response
	ts.Check(wait.PollUntilContextTimeout(context.Background(), 50*time.Millisecond, 20*time.Second, true, func(context.Context) (bool, error) {
		var err error
		resp, err = http.Get(args[0])
		return err == nil, nil
	}))
	text, err := io.ReadAll(resp.Body)
	ts.Check(errors.Join(err, resp.Body.Close()))
	if resp.StatusCode != http.StatusOK {
		ts.Fatalf("%s: %s: %s", args[0], resp.Status, text)
	}
	_, err = ts.Stdout().Write(text)
	ts.Check(err)
}

// freePort is 8080, as in the articles, or another port where that is taken.
func freePort() (int, error) {
	var errs []error
	for _, port := range []int{8080, 0} {
		l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
		if err == nil {
			defer l.Close()
			return l.Addr().(*net.TCPAddr).Port, nil
		}
		errs = append(errs, err)
	}
	return 0, errors.Join(errs...)
}
