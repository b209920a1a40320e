package harness

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestRefused(t *testing.T) {
	const line = `{"verb":%q,"requestURI":"/u","user":{"username":%q},"objectRef":{"resource":"secrets","namespace":%q},"responseStatus":{"code":403,"message":%q},"requestReceivedTimestamp":%q}` + "\n"
	now := time.Now().UTC().Format("2006-01-02T15:04:05.000000Z07:00")
	lacks := func(verb, user, namespace string) string {
		return fmt.Sprintf(line, verb, user, namespace, fmt.Sprintf(`secrets is forbidden: User "%s" cannot %s resource "secrets" in %q`, user, verb, namespace), now)
	}
	const lists = `refused: secrets is forbidden: User "ours:serve" cannot list resource "secrets" in "a"`
	for name, test := range map[string]struct {
		log      string
		expected []string
		want     string // what the error begins with
	}{
		"a right is lacking":         {log: lacks("list", "ours:serve", "a"), want: lists},
		"two times":                  {log: strings.Repeat(lacks("list", "ours:serve", "a"), 2), want: lists},
		"expected":                   {log: lacks("list", "ours:serve", "a"), expected: []string{"serve list a/secrets"}},
		"expected without namespace": {log: lacks("list", "ours:serve", ""), expected: []string{"serve list secrets"}},
		"expected elsewhere":         {log: lacks("list", "ours:serve", "a"), expected: []string{"serve list b/secrets"}, want: lists},
		"another verb":               {log: lacks("list", "ours:serve", "a"), expected: []string{"serve get a/secrets"}, want: lists},
		"somebody else's":            {log: lacks("list", "theirs", "a") + lacks("get", "ours:manage", "a"), expected: []string{"manage get a/secrets"}},
		"by admission":               {log: fmt.Sprintf(line, "create", "ours:manage", "a", "secrets \"x\" is forbidden: unable to create new content in namespace a because it is being terminated", now)},
		"half a line":                {log: lacks("list", "ours:serve", "a") + `{"verb":`, want: lists},
		"nothing of ours":            {log: lacks("list", "theirs", "a"), want: "LOG has no request of ours:"},
		"no JSON":                    {log: "no\n", want: "LOG: invalid character"},
	} {
		t.Run(name, func(t *testing.T) {
			c := &ControlPlane{State: State{AuditLog: filepath.Join(t.TempDir(), "audit.log")}}
			if err := os.WriteFile(c.AuditLog, []byte(test.log), 0o600); err != nil {
				t.Fatal(err)
			}
			said := ""
			if err := c.Refused("ours:", test.expected...); err != nil {
				said = strings.ReplaceAll(err.Error(), c.AuditLog, "LOG")
			}
			if !strings.HasPrefix(said, test.want) || test.want == "" && said != "" || strings.Contains(said, "\n") {
				t.Errorf("got %q, want %q", said, test.want)
			}
		})
	}
}

// Only what is refused while it is expected does not count.
func TestExpectRefusals(t *testing.T) {
	c := &ControlPlane{}
	before := time.Now()
	over := c.ExpectRefusals()
	within := time.Now()
	if !c.expectsRefusal(within) {
		t.Error("it is not expected at once")
	}
	over()
	if c.expectsRefusal(before) || !c.expectsRefusal(within) || c.expectsRefusal(time.Now()) {
		t.Error("it is expected at other times")
	}
}
