package harness

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	auditv1 "k8s.io/apiserver/pkg/apis/audit/v1"
)

// Audit reads what the API server wrote down of every request that was not the
// administrator's. A request that watches is there twice: when it began, and when it
// ended.
func (c *ControlPlane) Audit() ([]auditv1.Event, error) {
	data, err := os.ReadFile(c.AuditLog)
	if err != nil {
		return nil, err
	}
	lines := bytes.Split(data, []byte("\n"))
	var events []auditv1.Event
	for _, line := range lines[:len(lines)-1] { // what follows the last end of a line is half written
		var event auditv1.Event
		if err := json.Unmarshal(line, &event); err != nil {
			return nil, fmt.Errorf("%s: %w", c.AuditLog, err)
		}
		events = append(events, event)
	}
	return events, nil
}

// Request is what one user has asked for. Namespace and Name are empty where it names none.
type Request struct {
	User, Verb, Group, Resource, Subresource, Namespace, Name string
}

// Allowed returns what was allowed to users whose name begins with prefix, in no order and
// each once. Whoever has something made by server-side apply, which is a patch, needs the
// right to create it, too.
func (c *ControlPlane) Allowed(prefix string) ([]Request, error) {
	events, err := c.Audit()
	if err != nil {
		return nil, err
	}
	seen := map[Request]bool{}
	for _, e := range events {
		user, ours := strings.CutPrefix(e.User.Username, prefix)
		if !ours || e.ObjectRef == nil || e.Annotations["authorization.k8s.io/decision"] != "allow" {
			continue
		}
		o := e.ObjectRef
		r := Request{user, e.Verb, o.APIGroup, o.Resource, o.Subresource, o.Namespace, o.Name}
		seen[r] = true
		if e.Verb == "patch" && e.ResponseStatus != nil && e.ResponseStatus.Code == http.StatusCreated {
			r.Verb = "create"
			seen[r] = true
		}
	}
	return slices.Collect(maps.Keys(seen)), nil
}

// Refused returns an error that names each request that was refused for want of a right
// to a user whose name begins with prefix; nil where there is none. Not counted are what
// was refused while somebody expected it, and requests that are in expected, as
// "USER VERB RESOURCE" or "USER VERB NAMESPACE/RESOURCE", with what follows the prefix in
// the user's name.
func (c *ControlPlane) Refused(prefix string, expected ...string) error {
	events, err := c.Audit()
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	var refusals []error
	asked := false
	for _, e := range events {
		user, ours := strings.CutPrefix(e.User.Username, prefix)
		asked = asked || ours
		if !ours || !lacksRight(e) || c.expectsRefusal(e.RequestReceivedTimestamp.Time) ||
			slices.Contains(expected, user+" "+e.Verb+" "+path.Join(e.ObjectRef.Namespace, e.ObjectRef.Resource)) {
			continue
		}
		if said := e.ResponseStatus.Message; !seen[said] {
			seen[said] = true
			refusals = append(refusals, fmt.Errorf("refused: %s (%s %s at %s)", said, e.Verb, e.RequestURI, e.RequestReceivedTimestamp.Format(time.TimeOnly)))
		}
	}
	if !asked {
		return fmt.Errorf("%s has no request of %s", c.AuditLog, prefix)
	}
	return errors.Join(refusals...)
}

// lacksRight reports whether a request was refused because of who asked: for want of a
// right, or because of the policy that limits what crosswalk manage may change. The same
// code is the answer of admission where a namespace, or a CRD, is being deleted.
func lacksRight(e auditv1.Event) bool {
	if e.ResponseStatus == nil || e.ObjectRef == nil {
		return false
	}
	said := e.ResponseStatus.Message
	return strings.Contains(said, `is forbidden: User "`) || strings.Contains(said, "ValidatingAdmissionPolicy 'crosswalk-manage'")
}

// ExpectRefusals has nothing counted as refused from now on until over is called, because
// a test removes rights, or the API server does not know them yet.
func (c *ControlPlane) ExpectRefusals() (over func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lenient = append(c.lenient, span{begin: time.Now()})
	i := len(c.lenient) - 1
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.lenient[i].end = time.Now()
	}
}

// span is a time that has no end yet where end is zero.
type span struct{ begin, end time.Time }

func (c *ControlPlane) expectsRefusal(at time.Time) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.ContainsFunc(c.lenient, func(s span) bool {
		return !at.Before(s.begin) && (s.end.IsZero() || !at.After(s.end))
	})
}
