package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/page"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/stage"
)

// walked is what is said of a walk, by example.
var walked = map[string][]string{
	"aggregation": {
		"\nv1alpha1.conversion.crosswalk.dev   crosswalk-system/crosswalk   True ",
		`{"cronSpec":"30 4 * * 0","host":"logs.example.com","image":"example.com/cleanup:0.9","port":"514"}`,
		"\n.spec.host is logs.example.com, by row 1 from [\".spec.hostPort\"]\n", "\n.spec.shell /bin/dash is kept: no such field\n",
		`User "dana" cannot create resource "conversions"`,
	},
	"crontab": {
		"\ncanaries.crosswalk.dev ", "\ncrontabs.stable.example.com ", // kubectl get crosswalks
		"crontab.stable.example.com/cleanup created\n",
		"\n  hostPort: logs.example.com:514 ", "|   host: logs.example.com\n", "  port: \"514\"\n", // in both versions
		"crontab.stable.example.com/cleanup patched\n",
		"\n  hostPort: logs.example.com:514 ", " |   hostPort: collector.example.com:514\n", // before and after
		"validationpolicy.crosswalk.dev/crontabs condition met\n",
		"The CronTab \"mistakes\" is invalid: \n", "\n* spec.cronSpec: Invalid value: ", "\n* spec.image: Invalid value: ",
		"\n* spec.replicas: Invalid value: 6: ", "\n* spec.hostPort: Invalid value: \"logs.example.com:70000\": must be a number from 1 to 65535 (validationpolicy \"crontabs\")\n",
	},
	"horizontalpodautoscaler": {
		"horizontalpodautoscaler.autoscaling.example.com/front created\n",
		"  targetCPUUtilizationPercentage: 60\n", // as v1
		" |         averageUtilization: 75\n",    // as v2, edited
		"     targetAverageUtilization: 75\n",    // as v2beta1
		"\nfront   front ",
	},
	"star": {
		"star.cnstar.kubecto-kubernetes.info/polaris created\n",
		"  owner: ops@example.com\n", "    state: Paused\n", // as v1
		"\n  paused: true ", " |   paused: false\n", // as v1alpha1, before and after
		"star.cnstar.kubecto-kubernetes.info/polaris scaled\n",
		"\npolaris   30 4 * * 0   cleanup --all ",
	},
	"virtualservice": {
		"virtualservice.networking.istio.io/details created\n",
		" | apiVersion: networking.istio.io/v1\n",
		" >   exportTo:\n",
		"\ndetails ",
	},
}

// TestRun runs what make run does until the walk is done, then the README of the
// example as its reader does, then types what the articles show, and then stops as
// Ctrl-C does.
func TestRun(t *testing.T) {
	programs := stage.Programs(t)
	for example := range walks() {
		t.Run(example, func(t *testing.T) {
			t.Parallel()
			ctx, stop := context.WithTimeout(t.Context(), 2*time.Minute)
			defer stop()
			dir := filepath.Join(t.TempDir(), "run")
			out := new(output)
			ended := make(chan error, 1)
			go func() { ended <- run(ctx, []string{"--dir", dir, "--example", example}, out) }()
			waitFor(t, ctx, out, ended, "running until Ctrl-C")
			wantSaid(t, out, dir, walked[example])
			if shown := page.Shown(t, programs, "README.md", "make run"); example == "crontab" && !page.Says(out.String(), shown) {
				t.Errorf("README.md shows\n%s", shown)
			}
			env := environment(t, dir)
			page.Run(t, programs, env, filepath.Join("examples", example, "README.md"))
			stage.Healthy(t, env)
			if example != "aggregation" { // its README types them
				typeDocuments(t, programs, env, example)
			}
			if err := run(ctx, []string{"--dir", dir}, new(output)); err == nil || !strings.Contains(err.Error(), "in use") {
				t.Errorf("a second run in the same folder: %v", err)
			}

			address := serverAddress(t, dir)
			stop()
			if err := <-ended; err != nil {
				t.Fatal(err)
			}
			if conn, err := net.Dial("tcp", address); err == nil {
				conn.Close()
				t.Errorf("the API server still listens on %s", address)
			}
		})
	}
}

// wantSaid wants a walk that was told, and where to go on.
func wantSaid(t *testing.T, out *output, dir string, walked []string) {
	t.Helper()
	said := out.String()
	if len(walked) == 0 {
		t.Error("nothing is known of this walk")
	}
	for _, want := range append(walked,
		"\n  export KUBECONFIG='"+filepath.Join(dir, "controlplane", "kubeconfig")+"'\n",
		"\n  export PATH='"+filepath.Join(dir, "bin")+"':\"$PATH\" ",
		"\n  export ETCDCTL_ENDPOINTS="+readState(t, dir).Etcd+"\n") {
		if !strings.Contains(said, want) {
			t.Errorf("%q is missing", want)
		}
	}
	if t.Failed() {
		t.Log(said)
	}
}

// environment is that of a reader who has done what make run says, with kubectl's
// caches and preferences for this run alone.
func environment(t *testing.T, dir string) []string {
	return append(os.Environ(),
		"KUBECONFIG="+filepath.Join(dir, "controlplane", "kubeconfig"),
		"PATH="+filepath.Join(dir, "bin")+":"+os.Getenv("PATH"),
		"KUBECACHEDIR="+filepath.Join(dir, "kubectl-cache"),
		"KUBERC=off",
		"ETCDCTL_ENDPOINTS="+readState(t, dir).Etcd,
	)
}

// TestHangUp closes the terminal of a demonstration: nobody reads what it says, and
// it gets a SIGHUP. Nothing that it has started is left.
func TestHangUp(t *testing.T) {
	stage.Programs(t)
	t.Parallel()
	dir := t.TempDir()
	demo := exec.Command(os.Args[0], "--dir", dir)
	demo.Env = append(os.Environ(), asDemo+"=1")
	said, err := demo.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := demo.Start(); err != nil {
		t.Fatal(err)
	}
	limit := time.AfterFunc(2*time.Minute, func() { demo.Process.Kill() })
	defer limit.Stop()
	out := new(strings.Builder)
	for lines := bufio.NewScanner(said); lines.Scan(); {
		fmt.Fprintln(out, lines.Text())
		if strings.Contains(lines.Text(), "Logs are in") {
			break
		}
	}
	var listeners []string
	for _, port := range regexp.MustCompile(`127\.0\.0\.1:(\d+)|on port (\d+)`).FindAllStringSubmatch(out.String(), -1) {
		listeners = append(listeners, "127.0.0.1:"+port[1]+port[2])
	}
	if len(listeners) != 4 { // etcd, serve and its health, manage's health
		t.Errorf("listeners %v in\n%s", listeners, out)
	}
	listeners = append(listeners, serverAddress(t, dir))
	if err := errors.Join(said.Close(), demo.Process.Signal(syscall.SIGHUP)); err != nil {
		t.Fatal(err)
	}
	if err := demo.Wait(); err != nil {
		t.Errorf("it ended with %v", err)
	}
	for _, address := range listeners {
		if conn, err := net.Dial("tcp", address); err == nil {
			conn.Close()
			t.Errorf("somebody still listens on %s", address)
		}
	}
}

// asDemo is the variable that makes this program the demonstration.
const asDemo = "CROSSWALK_TEST_AS_DEMO"

func TestMain(m *testing.M) {
	if os.Getenv(asDemo) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// TestNoSuchExample names those that exist: every folder with a README.
func TestNoSuchExample(t *testing.T) {
	readmes, err := filepath.Glob("../../examples/*/README.md")
	if err != nil || len(readmes) == 0 {
		t.Fatal(readmes, err)
	}
	var names []string
	for _, readme := range readmes {
		names = append(names, filepath.Base(filepath.Dir(readme)))
	}
	want := `there is no example "sun"; there are ` + strings.Join(names, ", ")
	if err := run(t.Context(), []string{"--dir", t.TempDir(), "--example", "sun"}, new(output)); err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

// TestRunStopsWhileItStarts presses Ctrl-C at once.
func TestRunStopsWhileItStarts(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	out := new(output)
	ended := make(chan error, 1)
	go func() { ended <- run(ctx, []string{"--dir", t.TempDir()}, out) }()
	waitFor(t, t.Context(), out, ended, "Starting")
	stop()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
}

func waitFor(t *testing.T, ctx context.Context, out *output, ended <-chan error, text string) {
	t.Helper()
	for !strings.Contains(out.String(), text) {
		select {
		case err := <-ended:
			t.Fatalf("ended before %q: %v\n%s", text, err, out)
		case <-ctx.Done():
			t.Fatalf("%q was not said:\n%s", text, out)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

func serverAddress(t *testing.T, dir string) string {
	t.Helper()
	u, err := url.Parse(readState(t, dir).Server)
	if err != nil {
		t.Fatal(err)
	}
	return u.Host
}

func readState(t *testing.T, dir string) (state harness.State) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "controlplane", "state.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &state); err != nil {
		t.Fatal(err)
	}
	return state
}

// output is a buffer that is read while it is written.
type output struct {
	mu   sync.Mutex
	text strings.Builder
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}
