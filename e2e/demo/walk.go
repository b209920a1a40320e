package main

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// show takes one object through the versions and prints every command with what
// it said.
func (d demo) show(ctx context.Context) error {
	table := step{
		say:  "The table is compiled, its CRD is armed, and Crosswalk answers. With a canary, Crosswalk sees that the API server reaches it:",
		args: []string{"get", "crosswalks"},
	}
	for _, step := range append([]step{table}, d.steps...) {
		fmt.Fprintf(d.out, "\n%s\n$ kubectl %s%s\n", step.say, quote(step.args), hereDocument(step.stdin))
		said, err := d.scene.ControlPlane.KubectlWith(ctx, step.stdin, step.args...)
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
  export PATH=%s/bin:$PATH      # kubectl

  %s
  kubectl describe crosswalks

examples/%s/README.md has more. crosswalk serve answers on 127.0.0.1:%d; its health and metrics are on
http://127.0.0.1:%d/readyz?verbose and /metrics, those of crosswalk manage on port %d. Logs are in %s.
`, took.Seconds(), d.scene.ControlPlane.Kubeconfig, d.dir, strings.Join(d.try, "\n  "), d.example,
		d.scene.ServicePort, d.scene.Serve[0].Health, d.scene.Manage.Health, d.dir)
}
