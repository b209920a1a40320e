package stage

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/crosswalk-dev/crosswalk/internal/doctor"
)

// Diagnosis is what crosswalk doctor prints, and its exit code.
type Diagnosis struct {
	doctor.Report
	Code int
	text string
}

// Doctor runs crosswalk doctor with an environment that names a kubeconfig, and flags.
func Doctor(t testing.TB, env []string, flags ...string) Diagnosis {
	t.Helper()
	cmd := exec.CommandContext(Within(t, time.Minute), Programs(t).Crosswalk, append([]string{"doctor", "--output=json"}, flags...)...)
	cmd.Env = env
	var d Diagnosis
	out, err := cmd.Output()
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		d.Code = exit.ExitCode()
	case err != nil:
		t.Fatal(err)
	}
	if err := json.Unmarshal(out, &d.Report); err != nil {
		t.Fatalf("doctor: %v: %s", err, out)
	}
	var text strings.Builder
	for _, c := range d.Checks {
		text.WriteString(c.Text())
	}
	d.text = text.String()
	return d
}

// Find returns the finding of a check that begins with a text: the first object and the cause.
func (d Diagnosis) Find(check, text string) (doctor.Finding, error) {
	for _, c := range d.Checks {
		for _, f := range c.Findings {
			if c.Name == check && strings.HasPrefix(f.Objects[0]+": "+f.Cause, text) {
				return f, nil
			}
		}
	}
	return doctor.Finding{}, fmt.Errorf("%s: there is no finding\n%s\nin\n%s", check, text, d.text)
}

// Healthy waits until crosswalk doctor finds nothing, having checked everything.
func Healthy(t testing.TB, env []string) {
	t.Helper()
	// How long each walk took tells a late cluster from a busy machine.
	var walks []string
	Until(t, time.Minute, func(context.Context) error {
		began := time.Now()
		d := Doctor(t, env)
		walks = append(walks, fmt.Sprintf("%s for %s", began.UTC().Format("15:04:05.000"), time.Since(began).Round(time.Millisecond)))
		if d.Code != 0 || d.State != doctor.OK {
			return fmt.Errorf("doctor: exit code %d\n%s\nwalks: %s", d.Code, d.text, strings.Join(walks, ", "))
		}
		return nil
	})
}
