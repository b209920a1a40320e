package authority

import (
	"os/exec"
	"regexp"
	"testing"

	"github.com/crosswalk-dev/crosswalk/e2e/internal/page"
)

// testNoRight takes the right to inject away. What asks then is given its bundle once
// somebody has typed what the Event says, and nothing else is.
func (s *stage) testNoRight(t *testing.T) {
	s.kubectl(t, "delete", "-f", injectionRights(t))
	defer s.kubectl(t, "apply", "-f", injectionRights(t))
	var missing []subject
	for _, o := range s.subjects("right") {
		o.apply(t, gitops)
		if o.kind == "CustomResourceDefinition" { // that right tables need
			o.waitFor(t, s.source.get())
			continue
		}
		s.obey(t, o.waitForEvent(t, "Warning", "NoRight", "Crosswalk may not write this object; allow it with "))
		missing = append(missing, o)
	}
	for _, o := range missing {
		o.waitFor(t, s.source.get())
	}
	for _, o := range s.subjects("no-right") {
		o.apply(t, gitops)
		if o.kind != "CustomResourceDefinition" {
			o.waitForEvent(t, "Warning", "NoRight", "--resource-name="+o.name+"`")
		}
	}
}

// obey types the two commands that an Event has.
func (s *stage) obey(t *testing.T, note string) {
	t.Helper()
	commands := regexp.MustCompile("`(kubectl [^`]*)`").FindAllStringSubmatch(note, -1)
	if len(commands) != 2 {
		t.Fatalf("%d commands", len(commands))
	}
	env := page.Env(t, s.plane)
	for _, command := range commands {
		cmd := exec.CommandContext(t.Context(), "sh", "-c", command[1])
		cmd.Env = env
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v: %s", command[1], err, out)
		}
	}
}
