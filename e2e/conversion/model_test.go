package conversion

import (
	"encoding/json"
	"maps"
	"strings"
)

// model is what an object must look like in both versions after a sequence of
// edits, told without any annotation: the truth and two views of it.
type model struct {
	shared map[string]any // spec fields of both versions
	beta   map[string]any // spec fields of v1beta1 alone
	v1     map[string]any // spec fields of v1 alone
	// host and port are v1's, nil where absent. hostPort is v1beta1's where they
	// cannot say it, and nil otherwise.
	host, port, hostPort any
	// undone is a hostPort that a v1 edit of host or port took the place of. Where v1
	// is stored, undoing that edit leaves the very object that was stored before, so
	// it may come back; where v1beta1 is stored, it was gone with the edit.
	undone   any
	v1Stored bool
	// status holds the fields of status, of either version or both.
	status map[string]any
}

// defaultReplicas is the default of both versions.
const defaultReplicas = json.Number("1")

// statusOf are the fields of status in each version.
var statusOf = map[string][]string{
	"v1beta1": {"replicas", "labelSelector", "message"},
	"v1":      {"replicas", "labelSelector", "lastRunTime"},
}

func newModel(stored string) *model {
	return &model{
		v1Stored: stored == "v1",
		shared:   map[string]any{"cronSpec": "0 2 * * *", "image": "example.com/backup:1.4", "replicas": defaultReplicas},
		beta:     map[string]any{},
		v1:       map[string]any{},
		status:   map[string]any{},
	}
}

// statusView is the status in a version.
func (m *model) statusView(version string) map[string]any {
	view := map[string]any{}
	for _, field := range statusOf[version] {
		if value, ok := m.status[field]; ok {
			view[field] = value
		}
	}
	return view
}

// view is the spec in a version.
func (m *model) view(version string) map[string]any {
	view := maps.Clone(m.shared)
	set := func(key string, value any) {
		if value != nil {
			view[key] = value
		}
	}
	if version == "v1beta1" {
		maps.Copy(view, m.beta)
		set("hostPort", m.hostPort)
		if m.host != nil && m.port != nil {
			set("hostPort", m.host.(string)+":"+m.port.(string))
		}
		return view
	}
	maps.Copy(view, m.v1)
	set("host", m.host)
	set("port", m.port)
	return view
}

// allow takes what was read for the truth where both answers are right.
func (m *model) allow(version string, got any) {
	if version != "v1beta1" || m.undone == nil || m.host != nil || m.port != nil {
		return
	}
	if spec, _ := got.(map[string]any); spec["hostPort"] == m.undone {
		m.hostPort, m.undone = m.undone, nil
	}
}

// edit sets one field of the spec through a version; nil removes it.
func (m *model) edit(version, field string, value any) {
	if m.view(version)[field] == value {
		return // nothing changes, so nothing that is kept is touched
	}
	switch field {
	case "host", "port":
		if field == "host" {
			m.host = value
		} else {
			m.port = value
		}
		if m.hostPort != nil && m.v1Stored {
			m.undone = m.hostPort
		}
		m.hostPort = nil // the edit wins over what v1 could not see
	case "hostPort":
		m.undone = nil
		m.host, m.port, m.hostPort = nil, nil, value
		if text, _ := value.(string); strings.Contains(text, ":") {
			at := strings.LastIndexByte(text, ':')
			m.host, m.port, m.hostPort = text[:at], text[at+1:], nil
		}
	case "shell":
		change(m.beta, field, value)
	case "timeZone", "notify":
		change(m.v1, field, value)
	case "replicas":
		if value == nil {
			value = defaultReplicas
		}
		change(m.shared, field, value)
	default:
		change(m.shared, field, value)
	}
}

func change(in map[string]any, field string, value any) {
	if value == nil {
		delete(in, field)
		return
	}
	in[field] = value
}
