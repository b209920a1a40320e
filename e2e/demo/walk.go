package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
)

// show takes one object through the versions and prints every command with what
// it said.
func (d demo) show(ctx context.Context) error {
	table := step{
		say:  "The table is compiled, its CRD is armed, and Crosswalk answers. With a canary, Crosswalk sees that the API server reaches it:",
		args: []string{"get", "crosswalks"},
	}
	for _, step := range append([]step{table}, d.steps...) {
		if step.say != "" {
			fmt.Fprintf(d.out, "\n%s\n", step.say)
		}
		fmt.Fprintf(d.out, "$ kubectl %s%s\n", quote(step.args), hereDocument(step.stdin))
		said, err := d.do(ctx, step)
		if err != nil {
			return err
		}
		if !strings.HasSuffix(said, "\n") {
			said += "\n" // jsonpath prints no newline
		}
		fmt.Fprint(d.out, said)
	}
	return nil
}

// do runs a step, and gives what kubectl says.
func (d demo) do(ctx context.Context, step step) (string, error) {
	args := slices.Clone(step.args)
	for i, arg := range args {
		if strings.HasPrefix(arg, "examples/") {
			args[i] = filepath.Join(d.root, arg)
		}
	}
	said, err := d.scene.ControlPlane.KubectlWith(ctx, step.stdin, args...)
	if !step.denied {
		return said, err
	}
	if err == nil {
		return "", fmt.Errorf("kubectl %s was not denied", quote(step.args))
	}
	if refusal, ok := errors.AsType[*harness.KubectlError](err); ok {
		return refusal.Said, nil
	}
	return "", err
}

// hereDocument writes standard input as a shell takes it.
func hereDocument(stdin string) string {
	if stdin == "" {
		return ""
	}
	return " <<END\n" + stdin + "END"
}

// quote writes arguments as a shell takes them.
func quote(args []string) string {
	var quoted []string
	for _, arg := range args {
		if strings.ContainsAny(arg, " \"{}") {
			arg = "'" + arg + "'"
		}
		quoted = append(quoted, arg)
	}
	return strings.Join(quoted, " ")
}

func (d demo) sayWhatNext(took time.Duration) {
	fmt.Fprintf(d.out, `
Up after %.1f s, and running until Ctrl-C. In another terminal, from this folder:

  export KUBECONFIG=%s
  export PATH=%s/bin:$PATH      # kubectl and etcdctl
  export ETCDCTL_ENDPOINTS=%s

  %s
  kubectl describe crosswalks

examples/%s/README.md has more. crosswalk serve answers on 127.0.0.1:%d; its health and metrics are on
http://127.0.0.1:%d/readyz?verbose and /metrics, those of crosswalk manage on port %d. Logs are in %s.
`, took.Seconds(), d.scene.ControlPlane.Kubeconfig, d.dir, d.scene.ControlPlane.Etcd, strings.Join(d.try, "\n  "), d.example,
		d.scene.ServicePort, d.scene.Serve[0].Health, d.scene.Manage.Health, d.dir)
}
