package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
)

// show takes one object through the versions and prints every command with what
// it said.
func (d demo) show(ctx context.Context) error {
	steps := append([]step{{
		title: "The table is compiled",
		say:   "Its CRD is armed, and Crosswalk answers. With a canary, Crosswalk sees that the API server reaches it.",
		args:  []string{"get", "crosswalks"},
	}}, d.steps...)
	headings := 0
	for _, s := range steps {
		if s.title != "" {
			headings++
		}
	}
	n := 0
	looks := map[look]string{} // how objects looked last
	for _, s := range steps {
		if s.title != "" {
			n++
			d.heading(n, headings, s.title)
		}
		if s.say != "" {
			d.screen.say(s.say)
		}
		do := d.command
		if s.beside != nil {
			do = func(ctx context.Context, s step) error { return d.compare(ctx, s.beside, looks) }
		}
		if err := do(ctx, s); err != nil {
			return err
		}
	}
	return nil
}

// command runs a step, and prints what kubectl says.
func (d demo) command(ctx context.Context, s step) error {
	d.screen.command("kubectl " + commandLine(s.args) + hereDocument(s.stdin))
	said, err := d.do(ctx, s)
	if err != nil {
		return err
	}
	d.said(said)
	return nil
}

// compare prints an object as two versions have it, or as one had it and has it now.
func (d demo) compare(ctx context.Context, p *pair, looks map[look]string) error {
	left, leftTitle, rightTitle := looks[p.right], "before", "after"
	for _, l := range []look{p.left, p.right} {
		if l == (look{}) {
			continue // the same version as it was
		}
		args := []string{"get", l.resource, l.name, "-o", "yaml"}
		d.screen.command("kubectl " + commandLine(args))
		said, err := d.do(ctx, step{args: args})
		if err != nil {
			return err
		}
		looks[l] = withoutServerFields(said)
	}
	if p.left != (look{}) {
		left, leftTitle, rightTitle = looks[p.left], "as "+p.left.version(), "as "+p.right.version()
	}
	d.screen.say(d.in(faint, "(without what the API server keeps in metadata)"))
	d.beside(leftTitle, rightTitle, left, looks[p.right])
	return nil
}

// serverField is a line of metadata that is the API server's own.
var serverField = regexp.MustCompile(`(?m)^  (creationTimestamp|generation|namespace|resourceVersion|uid): .*\n`)

// withoutServerFields leaves out what is as it is in whatever version.
func withoutServerFields(object string) string {
	head, rest, _ := strings.Cut(object, "\nspec:")
	return serverField.ReplaceAllString(head+"\n", "") + "spec:" + rest
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
		return "", fmt.Errorf("kubectl %s was not denied", commandLine(step.args))
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

// commandLine writes arguments as a shell takes them.
func commandLine(args []string) string {
	var words []string
	for _, arg := range args {
		words = append(words, shellWord(arg))
	}
	return strings.Join(words, " ")
}

// plainWord is what means itself to a shell.
var plainWord = regexp.MustCompile(`^[\w@%+=:,./-]+$`)

// shellWord writes a text as one word of a shell's command.
func shellWord(text string) string {
	if plainWord.MatchString(text) {
		return text
	}
	return quoted(text)
}

// quoted writes a text in quotes, as a shell takes it.
func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

func (d demo) sayWhatNext(took time.Duration) {
	fmt.Fprintf(d.out, `
Up after %.1f s, and running until Ctrl-C. In another terminal, from this folder:

  export KUBECONFIG=%s
  export PATH=%s:"$PATH"      # kubectl and etcdctl
  export ETCDCTL_ENDPOINTS=%s

  %s
  kubectl describe crosswalks

examples/%s/README.md has more. crosswalk serve answers on 127.0.0.1:%d; its health and metrics are on
http://127.0.0.1:%d/readyz?verbose and /metrics, those of crosswalk manage on port %d. Logs are in %s.
`, took.Seconds(), quoted(d.scene.ControlPlane.Kubeconfig), quoted(filepath.Join(d.dir, "bin")), d.scene.ControlPlane.Etcd,
		strings.Join(d.try, "\n  "), d.example, d.scene.ServicePort, d.scene.Serve[0].Health, d.scene.Manage.Health, d.dir)
}
