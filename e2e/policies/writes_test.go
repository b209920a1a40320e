package policies

import (
	"bytes"
	"context"
	"os/exec"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/json"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
	"github.com/crosswalk-dev/crosswalk/internal/admit"
	"github.com/crosswalk-dev/crosswalk/validation"
)

// write makes the write of a case with kubectl, and takes apart what that prints. An
// error says that the API server did not judge it.
func (e example) write(ctx context.Context, c *admit.Case) (*admit.Result, error) {
	args := []string{"create", "--validate=warn", "-o", "json", "-f", "-"}
	if c.OldObject != nil {
		args[0] = "replace"
	}
	if c.SubResource != "" {
		args = append(args, "--subresource="+c.SubResource)
	}
	args = append(args, as(c)...)
	command := exec.CommandContext(ctx, e.programs.Kubectl, args...)
	command.Env, command.Stdin = e.scene.ControlPlane.Env(), bytes.NewReader(c.Object)
	var said bytes.Buffer
	command.Stderr = &said
	out, err := command.Output()
	result := new(admit.Result)
	for line := range strings.Lines(said.String()) {
		if warning, ok := strings.CutPrefix(line, "Warning: "); ok {
			result.Warnings = append(result.Warnings, strings.TrimSpace(warning))
		}
	}
	if err != nil {
		if result.Causes = causes(said.String()); len(result.Causes) == 0 {
			return nil, &harness.KubectlError{Args: args, Err: err, Said: said.String()}
		}
		result.Stage = admit.Validation
		return result, nil
	}
	return result, json.Unmarshal(out, &result.Object)
}

// as are kubectl's flags for the user of a case.
func as(c *admit.Case) []string {
	user := c.User.Info()
	args := []string{"--as=" + user.Username}
	for _, group := range user.Groups {
		args = append(args, "--as-group="+group)
	}
	return args
}

// causes are those that kubectl names: on lines of their own, or the only one after
// what is said of all.
func causes(said string) []validation.Cause {
	var all []validation.Cause
	add := func(text string) {
		field, message, _ := strings.Cut(strings.TrimSpace(text), ": ")
		all = append(all, validation.Cause{Field: field, Message: message})
	}
	for line := range strings.Lines(said) {
		if cause, ok := strings.CutPrefix(line, "* "); ok {
			add(cause)
			continue
		}
		for _, before := range []string{" is invalid: ", " denied the request: "} {
			if _, cause, ok := strings.Cut(line, before); ok && strings.TrimSpace(cause) != "" {
				add(cause)
				break
			}
		}
	}
	return all
}

func TestCauses(t *testing.T) {
	for said, want := range map[string]string{
		"The A \"b\" is invalid: \n* spec.a: x: y\n* spec.b: z\n": "spec.a|x: y;spec.b|z;",
		"The A \"b\" is invalid: spec.a: x\n":                     "spec.a|x;",
		`Error from server (Forbidden): error when replacing "STDIN": admission webhook "w" denied the request: spec.a: Forbidden: x`: "spec.a|Forbidden: x;",
		"error: nothing of that\n": "",
	} {
		got := ""
		for _, c := range causes(said) {
			got += c.Field + "|" + c.Message + ";"
		}
		if got != want {
			t.Errorf("%s: got %s, want %s", said, got, want)
		}
	}
}
