package main

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// walk takes one object through both versions and prints every command with what
// it said.
func (d demo) walk(ctx context.Context) error {
	steps := []struct {
		say  string
		args []string
	}{
		{"Create a CronTab in v1beta1, where host and port are one string:",
			[]string{"create", "-f", d.example + "/objects/v1beta1-only.yaml"}},
		{"Read it as v1, where they are two fields. What v1 has no field for is kept in an annotation:",
			[]string{"get", "crontabs.v1.stable.example.com", "cleanup", "-o", "yaml"}},
		{"Edit it as v1:",
			[]string{"patch", "crontabs.v1.stable.example.com", "cleanup", "--type=merge",
				`--patch={"spec": {"host": "collector.example.com", "timeZone": "Europe/Zurich"}}`}},
		{"Read it as v1beta1. hostPort has the edit, shell is back, and the new timeZone is kept for v1:",
			[]string{"get", "crontabs.v1beta1.stable.example.com", "cleanup", "-o", "yaml"}},
		{"And in columns:",
			[]string{"get", "ct"}},
	}
	for _, step := range steps {
		fmt.Fprintf(d.out, "\n%s\n$ kubectl %s\n", step.say, quote(step.args))
		said, err := d.scene.ControlPlane.Kubectl(ctx, step.args...)
		if err != nil {
			return err
		}
		fmt.Fprint(d.out, said)
	}
	return nil
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

  kubectl get ct -o yaml                                    # as v1, which is preferred
  kubectl get crontabs.v1beta1.stable.example.com -o yaml   # as v1beta1
  kubectl edit ct cleanup
  kubectl apply -f %s/objects/v1.yaml
  kubectl scale ct/cleanup --replicas=5
  kubectl explain ct.spec --api-version=stable.example.com/v1beta1

Crosswalk serves on 127.0.0.1:%d; its health and metrics are on
http://127.0.0.1:%d/readyz?verbose and /metrics. Logs are in %s.
`, took.Seconds(), d.scene.ControlPlane.Kubeconfig, d.dir, d.example, d.scene.Crosswalk.Port, d.scene.Crosswalk.Health, d.dir)
}
